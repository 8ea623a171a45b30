import { describe, expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { openAccountApp } from '#test/support/hub/account-app.ts';

const PASSWORD = 'pebble window 9';
const CONTROL = { rooms: null, rights: 'control' };
const NAME = '<b>Küche</b>';

async function openHome() {
  const app = await openAccountApp();
  const { json } = await app.setUp();
  const owner = String(json['access_token']);
  const add = async (role: Role): Promise<string> => {
    const email = `${role}2@example.org`;
    await app.call('POST', 'user', { token: owner, body: { email, name: role, role, password: PASSWORD } });
    return (await app.logIn({ email, password: PASSWORD })).access_token;
  };
  const screen = async () => {
    app.hubClock.advance(60_000);
    const { status, json } = await app.call('POST', 'wall_request', { body: { name: NAME } });
    expect(status).toBe(201);
    return json as { readonly id: string; readonly secret: string; readonly code: string };
  };
  const look = async ({ id, secret }: { readonly id: string; readonly secret: string }, method = 'GET') =>
    app.call(method, `wall_request/${id}`, { headers: { 'Hearthd-Wall': secret } });
  const allow = (code: string, token: string, body: unknown = CONTROL) =>
    app.call('POST', `wall_request/${code}/allow`, { token, body });
  return { ...app, owner, add, screen, look, allow };
}

describe('a screen on the wall', () => {
  test('is allowed by a person, and gets a token that does what they chose', async () => {
    const { hub, call, owner, screen, look, allow } = await openHome();
    const asked = await screen();
    expect(asked).toMatchObject({ expires_in: 300 });
    expect((await look(asked)).json).toEqual({ state: 'open' });
    const shown = await call('GET', `wall_request?code=${asked.code}`, { token: owner });
    expect([shown.status, shown.json]).toEqual([200, { name: NAME, address: expect.any(String), expires_in: 300 }]);
    const made = await allow(asked.code, owner);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1/api_token/${String(made.json['id'])}`]);
    expect(made.json).toMatchObject({ name: NAME, kind: 'wall', rooms: null });
    expect(made.json).not.toHaveProperty('token');
    expect((await look(asked, 'HEAD')).status).toBe(200);
    const { json } = await look(asked);
    expect(json).toEqual({ state: 'allowed', token: expect.stringMatching(/^hat_/) });
    expect((await look(asked)).json).toEqual({ state: 'handed_over' });
    expect((await call('GET', 'me', { token: String(json['token']) })).json['rights']).toEqual(
      expect.arrayContaining(['device:read', 'device:control']),
    );
    expect(hub.audited.at(-1)).toMatchObject({ type: 'api_token.added', detail: made.json['id'] });
    expect(JSON.stringify(hub.audited)).not.toMatch(new RegExp(`${asked.code}|${asked.secret}|hat_|Küche`));
  });

  test.each([
    ['see', []],
    ['control', ['device:control', 'scene:run', 'mode:set']],
    ['doors', ['device:control', 'scene:run', 'mode:set', 'device:control_sensitive']],
  ])('with the right to %s has these scopes', async (rights, more) => {
    const { owner, screen, allow } = await openHome();
    const { json } = await allow((await screen()).code, owner, { rooms: null, rights, name: 'Kitchen' });
    const seen = ['device:read', 'event:read', 'history:read', 'notification:read', 'automation:read'];
    expect(json).toMatchObject({ name: 'Kitchen', scopes: [...seen, ...more] });
  });

  test('an unknown id, another secret and one that has ended have the same answer', async () => {
    const { call, hubClock, screen, look } = await openHome();
    const asked = await screen();
    const wrong = await look({ ...asked, secret: 'x' });
    const answers = [
      await look({ ...asked, id: '0198f1c2-7d6e-7000-8000-000000000009' }),
      await call('GET', `wall_request/${asked.id}`),
      await look({ ...asked, id: asked.code }),
    ];
    hubClock.advance(300_000);
    const gist = ({ status, json }: typeof wrong): unknown => [status, json['code'], json['detail']];
    for (const answer of [...answers, await look(asked)]) expect(gist(answer)).toEqual(gist(wrong));
    expect(wrong.status).toBe(404);
  });

  test('asks with a short name of one line, and with nothing else', async () => {
    const { call } = await openHome();
    const ask = async (body: unknown) => (await call('POST', 'wall_request', { body })).status;
    for (const body of [{}, { name: '' }, { name: 'a\nb' }, { name: '\u202e'.repeat(101) }, { name: 'a', code: '1' }])
      expect(await ask(body)).toBe(422);
    expect(await ask({ name: 'x'.repeat(2_000) })).toBe(413);
  });

  test('has to wait where too many ask', async () => {
    const { call, screen } = await openHome();
    await screen();
    const { status, headers } = await call('POST', 'wall_request', { body: { name: 'Again' } });
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  });
});

describe('a person', () => {
  test('gives no more than they may do themselves', async () => {
    const { add, screen, look, allow } = await openHome();
    const asked = await screen();
    const guest = await add('guest');
    expect((await allow(asked.code, guest, { rooms: null, rights: 'doors' })).status).toBe(403);
    expect((await allow(asked.code, guest, { rooms: ['cellar'], rights: 'see' })).status).toBe(422);
    expect((await look(asked)).json).toEqual({ state: 'open' });
    const { status, json } = await allow(asked.code, guest);
    expect([status, json['scopes']]).toEqual([
      201,
      ['device:read', 'event:read', 'notification:read', 'device:control', 'scene:run'],
    ]);
  });

  test('may refuse it, and then nobody allows it any more', async () => {
    const { call, owner, screen, look, allow } = await openHome();
    const asked = await screen();
    expect((await call('POST', `wall_request/${asked.code}/refuse`, { token: owner })).status).toBe(204);
    expect([(await look(asked)).json, (await allow(asked.code, owner)).status]).toEqual([{ state: 'refused' }, 404]);
  });

  test('makes one token, however often they press', async () => {
    const { call, owner, screen, allow } = await openHome();
    const { code } = await screen();
    const twice = await Promise.all([allow(code, owner), allow(code, owner)]);
    // Either may come first.
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([201, 404]));
    expect((await allow(code, owner)).status).toBe(404);
    expect((await call('GET', 'api_token', { token: owner })).json).toHaveLength(1);
  });

  test('leaves no token behind for a screen whose request ends while it is written', async () => {
    const { hub, hubClock, logIn, call, owner, screen, allow } = await openHome();
    const { code } = await screen();
    const { addToken } = hub.apiTokens;
    hub.apiTokens.addToken = async (...args) => {
      const made = await addToken(...args);
      hubClock.advance(300_000);
      return made;
    };
    expect((await allow(code, owner)).status).toBe(404);
    expect((await call('GET', 'api_token', { token: (await logIn()).access_token })).json).toEqual([]);
    expect(hub.audited.map(({ type }) => type)).not.toContain('api_token.added');
  });

  test('needs a login: no script allows a screen', async () => {
    const { call, owner, screen, allow } = await openHome();
    const body = { name: 'x', preset: 'everything_but_doors' };
    const token = String((await call('POST', 'api_token', { token: owner, body })).json['token']);
    const { code } = await screen();
    expect((await allow(code, token)).status).toBe(403);
    expect((await call('GET', `wall_request?code=${code}`, { token })).status).toBe(403);
    expect((await call('POST', `wall_request/${code}/refuse`, { token })).status).toBe(403);
  });

  test('A9: who guesses digits is slowed down as by wrong passwords, alone, and clears nothing with right ones', async () => {
    const { hub, call, owner, logIn, screen, allow } = await openHome();
    const { code } = await screen();
    const wrong = code === '000000' ? '000001' : '000000';
    const show = async (digits: string, token = owner) =>
      (await call('GET', `wall_request?code=${digits}`, { token })).status;
    for (const digits of [wrong, `${code}0`, '', 'x']) expect(await show(digits)).toBe(404);
    expect(await show(code)).toBe(200);
    expect((await allow(wrong, owner)).status).toBe(404);
    expect(await show(code)).toBe(429);
    const refused = await call('POST', 'me/password', {
      token: owner,
      body: { current_password: 'a wrong guess', new_password: 'saddle lantern 3' },
    });
    expect(refused.status).toBe(429);
    expect(hub.audited.filter(({ type }) => type === 'wall_code.refused')).toHaveLength(5);
    expect(await show(code, (await logIn()).access_token)).toBe(200);
  });
});
