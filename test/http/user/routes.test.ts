import { describe, expect, test, vi } from 'vitest';
import { createPasswordHasher, type PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { systemRandom } from '#base/random.ts';
import type { Role } from '#core/person/user.ts';
import { openAccountApp } from '#test/support/hub/account-app.ts';
import { CHEAP } from '#test/support/hub/auth-harness.ts';

const PASSWORD = 'pebble window 9';
const ascending = (left: number, right: number): number => left - right;

/** A claimed hub with a person of each role, all of them logged in. */
async function openHouse(hasher?: PasswordHasher) {
  const app = await openAccountApp(hasher === undefined ? {} : { hasher });
  const { json } = await app.setUp();
  const ids: Record<string, string> = { owner: (json['user'] as { id: string }).id };
  const tokens: Record<string, string> = { owner: String(json['access_token']) };
  for (const role of ['admin', 'resident', 'guest'] as const) {
    const email = `${role}@example.org`;
    const body = { email, name: role, role, password: PASSWORD };
    const added = await app.call('POST', 'user', { token: String(tokens['owner']), body });
    expect(added.status).toBe(201);
    ids[role] = String(added.json['id']);
    tokens[role] = (await app.logIn({ email, password: PASSWORD })).access_token;
  }
  const idOf = (role: Role): string => ids[role] ?? '';
  const tokenOf = (role: Role): string => tokens[role] ?? '';
  return { ...app, idOf, tokenOf, owner: tokenOf('owner') };
}

describe('POST /api/v1/user', () => {
  test('says by an id what an e-mail address looks like', async () => {
    const { call, owner } = await openHouse();
    const body = { email: 'erna', name: 'Erna', role: 'guest', password: PASSWORD };
    const { json } = await call('POST', 'user', { token: owner, body });
    expect(json['errors']).toMatchObject([{ pointer: '/email', reason: { id: 'email_form' } }]);
  });

  test('adds an account with which its person can log in, and shows nothing of the password', async () => {
    const { call, owner, logIn } = await openHouse();
    const body = { email: 'bo@example.org', name: 'Bo', role: 'resident', password: PASSWORD };
    const { status, json, headers } = await call('POST', 'user', { token: owner, body });
    expect([status, headers.get('etag'), json['revision']]).toEqual([201, '"1"', 1]);
    expect(headers.get('location')).toBe(`/api/v1/user/${String(json['id'])}`);
    expect(Object.keys(json)).toEqual([
      'id',
      'email',
      'name',
      'role',
      'rooms',
      'valid_until',
      'ended',
      'revision',
      'created_at',
      'updated_at',
    ]);
    const { access_token } = await logIn({ email: 'bo@example.org', password: PASSWORD });
    expect((await call('GET', 'me', { token: access_token })).json['name']).toBe('Bo');
  });

  test.each([
    [{ email: 'Admin@Example.org' }, 409, 'EMAIL_TAKEN'],
    [{ password: 'short' }, 422, 'VALIDATION_FAILED'],
    [{ password: 'password123' }, 422, 'WEAK_PASSWORD'],
    [{ role: 'king' }, 422, 'VALIDATION_FAILED'],
    [{ name: '\u200b\u2060 \u3164' }, 422, 'VALIDATION_FAILED'],
    [{ id: 'x' }, 422, 'VALIDATION_FAILED'],
  ])('A4: %j is refused', async (change, status, code) => {
    const { call, owner } = await openHouse();
    const body = { email: 'bo@example.org', name: 'Bo', role: 'resident', password: PASSWORD, ...change };
    const answer = await call('POST', 'user', { token: owner, body });
    expect([answer.status, answer.json['code']]).toEqual([status, code]);
  });
});

describe('GET /api/v1/user', () => {
  test('lists all accounts, oldest first, and its ETag shows whether anything changed', async () => {
    const { call, owner, idOf } = await openHouse();
    const { json, headers } = await call('GET', 'user', { token: owner });
    expect((json as unknown as { role: string }[]).map(({ role }) => role)).toEqual([
      'owner',
      'admin',
      'resident',
      'guest',
    ]);
    expect(headers.get('x-total-count')).toBe('4');
    const etag = headers.get('etag') ?? '';
    expect((await call('GET', 'user', { token: owner, headers: { 'If-None-Match': etag } })).status).toBe(304);
    await call('PATCH', `user/${idOf('guest')}`, { token: owner, body: { name: 'Gus' } });
    expect((await call('GET', 'user', { token: owner, headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  test.each(['resident', 'guest'] as const)('a %s may neither list nor change accounts', async (role) => {
    const { call, tokenOf, idOf } = await openHouse();
    const token = tokenOf(role);
    for (const [method, path, body] of [
      ['GET', 'user', undefined],
      ['GET', `user/${idOf(role)}`, undefined],
      ['POST', 'user', {}],
      ['PATCH', `user/${idOf(role)}`, { role: 'owner' }],
      ['DELETE', `user/${idOf('owner')}`, undefined],
    ] as const) {
      const { status, headers } = await call(method, path, { token, body });
      expect([method, status, headers.get('www-authenticate')]).toEqual([
        method,
        403,
        expect.stringContaining('scope="user:manage"'),
      ]);
    }
  });
});

describe('PATCH /api/v1/user/{id}', () => {
  test('a new role holds at once, even for existing tokens', async () => {
    const { call, owner, idOf, tokenOf } = await openHouse();
    expect((await call('GET', 'user', { token: tokenOf('admin') })).status).toBe(200);
    const { json } = await call('PATCH', `user/${idOf('admin')}`, { token: owner, body: { role: 'guest' } });
    expect([json['role'], json['revision']]).toEqual(['guest', 2]);
    expect((await call('GET', 'user', { token: tokenOf('admin') })).status).toBe(403);
  });

  test('A8: a new password ends every session of that person, and no session of another', async () => {
    const { call, owner, idOf, tokenOf, logIn } = await openHouse();
    const body = { password: 'another quiet evening' };
    expect((await call('PATCH', `user/${idOf('admin')}`, { token: owner, body })).status).toBe(200);
    expect((await call('GET', 'me', { token: tokenOf('admin') })).status).toBe(401);
    expect((await call('GET', 'me', { token: tokenOf('guest') })).status).toBe(200);
    const credentials = { email: 'admin@example.org', ...body };
    expect((await logIn(credentials)).access_token).toBeDefined();
  });

  test.each([
    ['password', { password: PASSWORD }],
    ['email', { email: 'thief@example.org' }],
  ])('A8: a caller cannot change its own %s without the present password', async (field, body) => {
    const { call, owner, idOf } = await openHouse();
    const answer = await call('PATCH', `user/${idOf('owner')}`, { token: owner, body });
    expect([answer.status, answer.json['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: `/${field}`, code: 'READ_ONLY' })],
    ]);
  });

  test('a caller can change its own name, even if it sends its present address too', async () => {
    const { call, owner, idOf } = await openHouse();
    const { email } = (await call('GET', 'me', { token: owner })).json;
    const body = { email, name: 'Ann' };
    expect((await call('PATCH', `user/${idOf('owner')}`, { token: owner, body })).json).toMatchObject(body);
  });

  test('depends on the revision if the client sends If-Match', async () => {
    const { call, owner, idOf } = await openHouse();
    const path = `user/${idOf('guest')}`;
    const patch = (tag: string) =>
      call('PATCH', path, { token: owner, body: { name: tag }, headers: { 'If-Match': `"${tag}"` } });
    expect((await patch('1')).status).toBe(200);
    expect((await patch('1')).json['code']).toBe('PRECONDITION_FAILED');
    expect((await patch('2')).headers.get('etag')).toBe('"3"');
  });

  test('keeps the revision if it changes nothing', async () => {
    const { call, owner, idOf } = await openHouse();
    for (const body of [{}, { name: 'guest' }, { role: 'guest' }]) {
      const { status, json } = await call('PATCH', `user/${idOf('guest')}`, { token: owner, body });
      expect([status, json['revision']]).toEqual([200, 1]);
    }
  });

  test('refuses the second of two changes that are based on one revision', async () => {
    const { call, owner, idOf } = await openHouse();
    const patch = (name: string) =>
      call('PATCH', `user/${idOf('guest')}`, { token: owner, body: { name }, headers: { 'If-Match': '"1"' } });
    const answers = await Promise.all([patch('One'), patch('Two')]);
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 412]);
  });
});

describe('a caller cannot reach above its own rights', () => {
  test.each([
    ['PATCH owner', { name: 'x' }, 403],
    ['PATCH owner', { password: PASSWORD }, 403],
    ['PATCH owner', { role: 'guest' }, 403],
    ['PATCH admin', { role: 'owner' }, 403],
    ['PATCH guest', { role: 'owner' }, 403],
    ['DELETE owner', undefined, 403],
    ['PATCH guest', { role: 'admin' }, 200],
    ['DELETE resident', undefined, 204],
  ] as const)('an admin: %s %j is %i', async (line, body, status) => {
    const { call, tokenOf, idOf } = await openHouse();
    const [method, role] = line.split(' ') as [string, Role];
    const answer = await call(method, `user/${idOf(role)}`, { token: tokenOf('admin'), body });
    expect(answer.status).toBe(status);
    if (status !== 403) return;
    expect(answer.headers.get('www-authenticate')).toContain('scope="system:manage"');
  });

  test('an admin cannot make an owner', async () => {
    const { call, tokenOf } = await openHouse();
    const body = { email: 'bo@example.org', name: 'Bo', role: 'owner', password: PASSWORD };
    expect((await call('POST', 'user', { token: tokenOf('admin'), body })).status).toBe(403);
  });

  test.each([
    ['made a guest', 'PATCH', { role: 'guest' }, 403],
    ['given a new password', 'PATCH', { password: 'a brand new morning' }, 401],
    ['removed', 'DELETE', undefined, 401],
  ] as const)(
    'A8: a caller who was %s while a password is hashed changes and adds no account',
    async (...[, method, body, status]) => {
      const cheap = createPasswordHasher({ random: systemRandom, cost: CHEAP });
      const held: (() => void)[] = [];
      let isHolding = false;
      const hash: PasswordHasher['hash'] = async (text, peer) => {
        if (isHolding && held.length < 2) await new Promise<void>((resolve) => void held.push(resolve));
        return cheap.hash(text, peer);
      };
      const { call, owner, tokenOf, idOf } = await openHouse({ ...cheap, hash });
      isHolding = true;
      const token = tokenOf('admin');
      const password = 'another quiet evening';
      const bo = { email: 'bo@example.org', name: 'Bo', role: 'resident', password };
      const late = [
        call('PATCH', `user/${idOf('guest')}`, { token, body: { password } }),
        call('POST', 'user', { token, body: bo }),
      ];
      await vi.waitFor(() => expect(held).toHaveLength(2));
      expect((await call(method, `user/${idOf('admin')}`, { token: owner, body })).status).toBeLessThan(300);
      for (const release of held) release();
      expect((await Promise.all(late)).map((answer) => answer.status)).toEqual([status, status]);
      expect((await call('GET', 'user', { token: owner })).text).not.toContain('bo@example.org');
    },
  );
});

describe('the last owner', () => {
  test.each([
    ['DELETE', undefined],
    ['PATCH', { role: 'admin' }],
  ] as const)('stays: %s is 409', async (method, body) => {
    const { call, owner, idOf } = await openHouse();
    const answer = await call(method, `user/${idOf('owner')}`, { token: owner, body });
    expect([answer.status, answer.json['code']]).toEqual([409, 'LAST_OWNER']);
  });

  test('can be removed once there is another; of two removed at once, one stays', async () => {
    const { call, owner, idOf, tokenOf } = await openHouse();
    await call('PATCH', `user/${idOf('admin')}`, { token: owner, body: { role: 'owner' } });
    const answers = await Promise.all([
      call('DELETE', `user/${idOf('owner')}`, { token: owner }),
      call('DELETE', `user/${idOf('admin')}`, { token: tokenOf('admin') }),
    ]);
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([204, 409]);
  });
});

test('A8: a removed person loses access at once', async () => {
  const { call, owner, tokenOf, idOf } = await openHouse();
  expect((await call('DELETE', `user/${idOf('resident')}`, { token: owner })).status).toBe(204);
  expect((await call('GET', 'me', { token: tokenOf('resident') })).status).toBe(401);
  expect((await call('GET', `user/${idOf('resident')}`, { token: owner })).status).toBe(404);
  expect((await call('DELETE', `user/${idOf('resident')}`, { token: owner })).status).toBe(404);
});
