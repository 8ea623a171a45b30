import { describe, expect, test, vi } from 'vitest';
import { TOKEN_SCOPES } from '#auth/scope.ts';
import type { Role } from '#core/person/user.ts';
import { openAccountApp } from '#test/support/hub/account-app.ts';

const PASSWORD = 'pebble window 9';
const TOKEN = { name: 'Evening lights', scopes: ['device:read', 'event:read'] };

async function openSignedIn() {
  const app = await openAccountApp();
  const { json } = await app.setUp();
  const owner = String(json['access_token']);
  const add = async (role: Role): Promise<string> => {
    const email = `${role}2@example.org`;
    await app.call('POST', 'user', { token: owner, body: { email, name: role, role, password: PASSWORD } });
    return (await app.logIn({ email, password: PASSWORD })).access_token;
  };
  const make = (token: string, body: unknown = TOKEN) => app.call('POST', 'api_token', { token, body });
  const list = async (token: string, query = '') =>
    (await app.call('GET', `api_token${query}`, { token })).json as unknown as Record<string, unknown>[];
  return { ...app, owner, add, make, list };
}

describe('POST /api/v1/api_token', () => {
  test('shows the token only in this answer, and the token works at once', async () => {
    const { call, owner, make, list } = await openSignedIn();
    const { status, json, headers } = await make(owner);
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/api_token/${String(json['id'])}`]);
    const { token, ...rest } = json;
    expect(rest).toEqual({
      id: expect.any(String),
      name: 'Evening lights',
      kind: 'script',
      user: { id: expect.any(String) },
      scopes: ['device:read', 'event:read'],
      rooms: null,
      devices: null,
      networks: null,
      provider: null,
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      last_address: null,
    });
    expect((await call('GET', 'me', { token: String(token) })).status).toBe(200);
    const listed = await list(owner);
    expect(listed).toEqual([{ ...rest, last_used_at: expect.any(String), last_address: expect.any(String) }]);
    expect(JSON.stringify(listed)).not.toContain(String(token));
  });

  test.each([
    ['read_only', ['device:read', 'event:read', 'history:read', 'notification:read', 'automation:read']],
    [
      'everything_but_doors',
      TOKEN_SCOPES.filter((scope) => !/^(device:control_sensitive|device:provide|backup:create)$/.test(scope)),
    ],
    ['control', ['device:read', 'event:read', 'device:control', 'scene:run']],
    [
      'manage',
      [
        'device:read',
        'event:read',
        'device:control',
        'device:manage',
        'room:manage',
        'system:read',
        'scene:run',
        'scene:manage',
      ],
    ],
  ])('the preset %s opens no door', async (preset, scopes) => {
    const { owner, make } = await openSignedIn();
    expect((await make(owner, { name: 'x', preset })).json['scopes']).toEqual(scopes);
    expect(scopes).not.toContain('device:control_sensitive');
  });

  test.each([
    [{ scopes: [] }, '/scopes', 'TOO_SHORT'],
    [{ scopes: undefined }, '/scopes', 'REQUIRED'],
    [{ preset: 'control' }, '/preset', 'INVALID_VALUE'],
    [{ scopes: ['hub:manage'] }, '/scopes/0', 'INVALID_VALUE'],
    [{ scopes: ['system:manage'] }, '/scopes/0', 'INVALID_VALUE'],
    [{ name: '\u200b' }, '/name', 'INVALID_VALUE'],
    [{ networks: ['10.0.0.0/40'] }, '/networks/0', 'INVALID_VALUE'],
    [{ networks: [] }, '/networks', 'TOO_SHORT'],
    [{ expires_in: 0 }, '/expires_in', 'OUT_OF_RANGE'],
    [{ rooms: ['attic'] }, '/rooms/0', 'INVALID_VALUE'],
    [{ rooms: ['0198f1c2-0000-7000-8000-000000000001'], scopes: ['user:manage'] }, '/scopes/0', 'INVALID_VALUE'],
    [{ scopes: ['device:provide'] }, '/provider', 'REQUIRED'],
    [{ scopes: ['device:provide'], provider: null }, '/provider', 'REQUIRED'],
    [{ provider: 'weather' }, '/provider', 'INVALID_VALUE'],
    [{ scopes: ['device:provide'], provider: 'Weather' }, '/provider', 'INVALID_FORMAT'],
    [{ scopes: ['device:provide'], provider: `w${'x'.repeat(32)}` }, '/provider', 'INVALID_FORMAT'],
    [{ token: 'hat_mine' }, '/token', 'UNKNOWN'],
  ])('%j is 422', async (change, pointer, code) => {
    const { owner, make } = await openSignedIn();
    const { status, json } = await make(owner, { ...TOKEN, ...change });
    expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer, code })]]);
  });

  test.each([
    ['read_only', {}, ['device:read', 'event:read', 'notification:read']],
    [
      'everything_but_doors',
      {},
      ['device:read', 'device:control', 'event:read', 'notification:read', 'presence:tell', 'scene:run'],
    ],
  ])('the preset %s has of what came later only what its person has', async (preset, change, scopes) => {
    const { add, make } = await openSignedIn();
    const { status, json } = await make(await add('guest'), { name: 'x', preset, ...change });
    expect([status, json['scopes']]).toEqual([201, scopes]);
  });

  test('only an owner gives a token the right to make backups', async () => {
    const { add, owner, make } = await openSignedIn();
    const body = { name: 'Nightly copy', scopes: ['backup:create'] };
    expect((await make(owner, body)).status).toBe(201);
    for (const role of ['admin', 'resident', 'guest'] as const)
      expect((await make(await add(role), body)).status).toBe(403);
  });

  test('never has a right that its maker does not have', async () => {
    const { add, make } = await openSignedIn();
    const guest = await add('guest');
    expect((await make(guest)).status).toBe(201);
    const { status, headers } = await make(guest, { ...TOKEN, scopes: ['device:control_sensitive'] });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('scope="device:control_sensitive"');
  });

  test('for a script that provides devices shows the name for which it may speak', async () => {
    const { add, owner, make, list } = await openSignedIn();
    const body = { name: 'Weather station', scopes: ['device:provide'], provider: 'weather' };
    const { status, json } = await make(owner, body);
    expect([status, json['provider']]).toEqual([201, 'weather']);
    expect((await list(owner)).map(({ provider }) => provider)).toEqual(['weather']);
    expect((await make(await add('resident'), body)).status).toBe(403);
    expect((await make(await add('admin'), body)).status).toBe(201);
  });

  test('ends when its time is over', async () => {
    const { call, owner, make, hubClock } = await openSignedIn();
    const { json } = await make(owner, { ...TOKEN, expires_in: 60 });
    expect(Date.parse(String(json['expires_at']))).toBe(hubClock.nowMs() + 60_000);
    const token = String(json['token']);
    expect((await call('GET', 'me', { token })).status).toBe(200);
    hubClock.advance(60_000);
    const { status, headers } = await call('GET', 'me', { token });
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('invalid_token')]);
  });

  test('A10: the audit log has its making and its end, without its text', async () => {
    const { call, owner, make, hub } = await openSignedIn();
    const { json } = await make(owner);
    await call('DELETE', `api_token/${String(json['id'])}`, { token: owner });
    const told = hub.audited.filter(({ type }) => type.startsWith('api_token'));
    expect(told.map(({ type, detail }) => [type, detail])).toEqual([
      ['api_token.added', json['id']],
      ['api_token.removed', json['id']],
    ]);
    expect(JSON.stringify(told)).not.toContain(String(json['token']));
  });
});

describe('the tokens of others', () => {
  test('can be seen and revoked by a caller who manages accounts, except those of a person who may do more', async () => {
    const { call, owner, add, make, list } = await openSignedIn();
    const admin = await add('admin');
    const guest = await add('guest');
    const ofOwner = (await make(owner)).json;
    const ofGuest = (await make(guest)).json;
    expect(await list(guest)).toHaveLength(1);
    expect(await list(admin)).toHaveLength(0);
    expect(await list(admin, '?all=true')).toHaveLength(2);
    expect((await call('GET', 'api_token?all=true', { token: guest })).status).toBe(403);
    expect((await call('GET', `api_token/${String(ofOwner['id'])}`, { token: guest })).status).toBe(404);
    expect((await call('DELETE', `api_token/${String(ofOwner['id'])}`, { token: guest })).status).toBe(404);
    expect((await call('DELETE', `api_token/${String(ofOwner['id'])}`, { token: admin })).status).toBe(403);
    expect((await call('DELETE', `api_token/${String(ofGuest['id'])}`, { token: admin })).status).toBe(204);
    expect((await call('GET', 'me', { token: String(ofGuest['token']) })).status).toBe(401);
    expect((await call('GET', 'me', { token: String(ofOwner['token']) })).status).toBe(200);
  });
});

describe('a token with user:manage', () => {
  test('A8: can list the accounts but not make, change or remove one, because that would outlive the token', async () => {
    const { hub, call, owner, add, make } = await openSignedIn();
    await add('resident');
    const before = hub.accounts.users();
    const token = String(
      (await make(owner, { name: 'Guests', scopes: [...TOKEN_SCOPES], provider: 'weather' })).json['token'],
    );
    const listed = await call('GET', 'user', { token });
    expect([listed.status, listed.headers.get('x-total-count')]).toEqual([200, '2']);
    const resident = before.find(({ role }) => role === 'resident')?.id ?? '';
    const bo = { email: 'bo@example.org', name: 'Bo', role: 'guest', password: PASSWORD };
    for (const [method, path, body] of [
      ['POST', 'user', bo],
      ['PATCH', `user/${resident}`, { password: 'another quiet evening' }],
      ['PATCH', `user/${resident}`, { role: 'guest' }],
      ['DELETE', `user/${resident}`, undefined],
    ] as const) {
      const refused = await call(method, path, { token, body });
      expect([refused.status, refused.json['code']]).toEqual([403, 'FORBIDDEN']);
      expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
    expect(hub.accounts.users()).toEqual(before);
  });
});

test('A8: after a full disk, the same call tries again to revoke a token', async () => {
  const { call, owner, make, hub, add } = await openSignedIn();
  const { json } = await make(owner);
  const guest = await add('guest');
  const path = `api_token/${String(json['id'])}`;
  const end = async (token = owner): Promise<number> => (await call('DELETE', path, { token })).status;
  const full = vi.spyOn(hub.stores.apiTokenStore, 'deleteApiTokens').mockRejectedValue(new Error('disk full'));
  expect(await end()).toBe(500);
  expect((await call('GET', 'me', { token: String(json['token']) })).status).toBe(401);
  expect((await call('GET', path, { token: owner })).status).toBe(404);
  expect(await end()).toBe(500);
  full.mockRestore();
  expect(await end(guest)).toBe(404);
  expect(await end()).toBe(204);
  expect(await hub.stores.apiTokenStore.loadApiTokens()).toEqual([]);
  expect(await end()).toBe(404);
});
