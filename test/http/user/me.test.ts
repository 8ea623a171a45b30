import { describe, expect, test } from 'vitest';
import { SCOPES } from '#auth/scope.ts';
import { openAccountApp } from '#test/support/hub/account-app.ts';

async function openSignedIn() {
  const app = await openAccountApp();
  const { json } = await app.setUp();
  return { ...app, token: String(json['access_token']), user: json['user'] };
}

test('shows the caller, and nothing of the password', async () => {
  const { call, token, user } = await openSignedIn();
  const { status, json } = await call('GET', 'me', { token });
  const own = { rooms: null, valid_until: null, rights: SCOPES, quiet_hours: null, language: null };
  expect([status, json]).toEqual([200, { ...(user as object), ...own }]);
  const fields = ['email', 'id', 'language', 'name', 'quiet_hours', 'rights', 'role', 'rooms', 'valid_until'];
  expect(Object.keys(json).sort()).toEqual(fields);
});

describe('PATCH /api/v1/me', () => {
  test.each(['application/json', 'application/merge-patch+json'])('changes the name by %s', async (type) => {
    const { call, token } = await openSignedIn();
    const body = { name: ' Anna\u0308 ' };
    const { status, json } = await call('PATCH', 'me', { token, body, headers: { 'Content-Type': type } });
    expect([status, json['name']]).toEqual([200, 'Ann\u00e4']);
    expect((await call('GET', 'me', { token })).json['name']).toBe('Ann\u00e4');
  });

  test('keeps quiet hours until they are taken away, and takes only times of day', async () => {
    const { call, token } = await openSignedIn();
    const hours = { from: '22:00', to: '07:00' };
    const change = (value: unknown) => call('PATCH', 'me', { token, body: { quiet_hours: value } });
    expect((await change(hours)).json['quiet_hours']).toEqual(hours);
    expect((await call('PATCH', 'me', { token, body: { name: 'Ada' } })).json['quiet_hours']).toEqual(hours);
    for (const wrong of [{ from: '24:00', to: '07:00' }, { from: '22:00' }, { ...hours, days: [] }, 'night']) {
      expect((await change(wrong)).status).toBe(422);
    }
    expect((await call('GET', 'me', { token })).json['quiet_hours']).toEqual(hours);
    expect((await change(null)).json['quiet_hours']).toBeNull();
  });

  test('keeps a language, and takes only tags of BCP 47', async () => {
    const { call, token } = await openSignedIn();
    const change = (language: unknown) => call('PATCH', 'me', { token, body: { language } });
    expect((await change('pt-BR')).json['language']).toBe('pt-BR');
    for (const wrong of ['', 'german', 'de_AT', 'd', 7, 'no-such-thing']) {
      expect((await change(wrong)).status).toBe(422);
    }
    expect((await call('GET', 'me', { token })).json['language']).toBe('pt-BR');
    expect((await change(null)).json['language']).toBeNull();
  });

  test('changes the address; from then on the person logs in with it', async () => {
    const { call, token, credentials } = await openSignedIn();
    const email = 'anna@new.example';
    const body = { email, current_password: credentials.password };
    expect((await call('PATCH', 'me', { token, body })).json).toMatchObject({ email });
    expect((await call('POST', 'login', { body: credentials })).status).toBe(401);
    expect((await call('POST', 'login', { body: { ...credentials, email } })).status).toBe(200);
    expect((await call('GET', 'me', { token })).status).toBe(200);
  });

  test('A8: a person who finds an open session cannot take the account over by its address', async () => {
    const { call, token, credentials, hub } = await openSignedIn();
    const email = 'thief@example.org';
    const without = await call('PATCH', 'me', { token, body: { email, name: 'Thief' } });
    expect([without.status, without.json['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/current_password', code: 'REQUIRED' })],
    ]);
    const tried = [];
    for (let count = 0; count < 12; count += 1) {
      tried.push(
        (await call('PATCH', 'me', { token, body: { email, current_password: `guess ${count}` } })).json['code'],
      );
    }
    expect([tried[0], tried.at(-1)]).toEqual(['WRONG_PASSWORD', 'TOO_MANY_REQUESTS']);
    expect(hub.accounts.users()[0]).toMatchObject({ email: credentials.email, name: 'Anna' });
    // The same address is no change, and nobody logs in with a name.
    const body = { email: credentials.email, name: 'Ann' };
    expect((await call('PATCH', 'me', { token, body })).json).toMatchObject(body);
  });

  test('an address of another account is 409 EMAIL_TAKEN', async () => {
    const { call, token, hub, credentials } = await openSignedIn();
    const body = { email: 'GUEST@example.org', current_password: credentials.password };
    const guest = { email: 'guest@example.org', name: 'Guest', role: 'guest' as const, password: 'pebble window 9' };
    await hub.accounts.addUser(guest, { peer: '', pointer: '' });
    const { status, json } = await call('PATCH', 'me', { token, body });
    expect([status, json['code']]).toEqual([409, 'EMAIL_TAKEN']);
  });

  test.each([
    [{ role: 'owner' }, '/role'],
    [{ password: 'pebble window 9' }, '/password'],
    [{ id: 'x' }, '/id'],
    [{ name: '' }, '/name'],
    [{ name: null }, '/name'],
    [{ email: 'nowhere' }, '/email'],
  ])('%j is 422 with a pointer', async (body, pointer) => {
    const { call, token } = await openSignedIn();
    const { status, json } = await call('PATCH', 'me', { token, body });
    expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
  });
});

describe('POST /api/v1/me/password', () => {
  const change = { current_password: 'lamp quilt orbit', new_password: 'harbour glove 7' };

  test('A8: sets it and ends every other session', async () => {
    const { call, token, logIn, credentials } = await openSignedIn();
    const other = await logIn();
    expect(await call('POST', 'me/password', { token, body: change })).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', 'me', { token })).status).toBe(200);
    expect((await call('GET', 'me', { token: other.access_token })).status).toBe(401);
    expect((await call('POST', 'login', { body: credentials })).status).toBe(401);
    const { status } = await call('POST', 'login', { body: { ...credentials, password: change.new_password } });
    expect(status).toBe(200);
  });

  test.each([
    [{ current_password: 'not the password' }, 'WRONG_PASSWORD', '/current_password'],
    [{ new_password: 'password123' }, 'WEAK_PASSWORD', '/new_password'],
    [{ new_password: 'Anna@Example.org' }, 'WEAK_PASSWORD', '/new_password'],
    [{ new_password: 'short' }, 'VALIDATION_FAILED', '/new_password'],
    [{ new_password: undefined }, 'VALIDATION_FAILED', '/new_password'],
    [{ user: 'x' }, 'VALIDATION_FAILED', '/user'],
  ])('%j is 422 %s', async (wrong, code, pointer) => {
    const { call, token, logIn } = await openSignedIn();
    const other = await logIn();
    const { status, json } = await call('POST', 'me/password', { token, body: { ...change, ...wrong } });
    expect([status, json['code']]).toEqual([422, code]);
    expect(json['errors']).toEqual([expect.objectContaining({ pointer })]);
    expect((await call('GET', 'me', { token: other.access_token })).status).toBe(200);
  });
});

describe('POST /api/v1/me/password/check', () => {
  test.each([
    ['a good one', { password: 'a lamp in the rain' }, 204, undefined],
    ['too short a one', { password: 'short' }, 422, 'VALIDATION_FAILED'],
    ['one on the lists', { password: 'password1234' }, 422, 'WEAK_PASSWORD'],
    [
      'one that is the name of whose it is to be',
      { password: 'Ermintrude1', name: 'Ermintrude', email: 'e@example.org' },
      422,
      'WEAK_PASSWORD',
    ],
  ])('%s gets the same verdict as where it is set', async (...[, body, status, code]) => {
    const { call, token } = await openSignedIn();
    const checked = await call('POST', 'me/password/check', { token, body });
    expect([checked.status, checked.json?.['code']]).toEqual([status, code]);
    if (code === undefined) return;
    expect(checked.json['errors']).toMatchObject([{ pointer: '/password' }]);
    const person = { name: 'Ermintrude', email: 'e@example.org', ...body, role: 'guest' };
    const set = await call('POST', 'user', { token, body: person });
    expect([set.status, set.json['code'], set.json['detail']]).toEqual([status, code, checked.json['detail']]);
  });

  test('changes nothing, and answers strangers with 401', async () => {
    const { call, token, credentials } = await openSignedIn();
    await call('POST', 'me/password/check', { token, body: { password: 'a lamp in the rain' } });
    expect((await call('POST', 'login', { body: credentials })).status).toBe(200);
    expect((await call('POST', 'me/password/check', { body: { password: 'short' } })).status).toBe(401);
  });
});
