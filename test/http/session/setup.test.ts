import { expect, test } from 'vitest';
import { openAccountApp } from '#test/support/hub/account-app.ts';

test('A5: claims the hub with 201 and the body of a login', async () => {
  const { hub, call, credentials } = await openAccountApp();
  const code = (hub.claim.code() ?? '').toLowerCase().replace('-', '');
  const body = { ...credentials, claim_code: code, name: ' Anna ', hub_name: 'Casa' };
  const { status, json } = await call('POST', 'setup', { body });
  expect(status).toBe(201);
  expect(Object.keys(json).sort()).toEqual([
    'access_token',
    'expires_in',
    'refresh_expires_in',
    'refresh_token',
    'session_id',
    'token_type',
    'user',
  ]);
  expect(json['user']).toMatchObject({ email: credentials.email, name: 'Anna', role: 'owner' });
  expect(hub.hubNames).toEqual(['Casa']);
});

test('A5: without a name the person gets the first part of the e-mail address as a name', async () => {
  const { setUp } = await openAccountApp();
  expect((await setUp()).json['user']).toMatchObject({ name: 'Anna' });
});

test('the first session rotates if the client asks for that, and has the name that the client gives itself', async () => {
  const { hub, call, credentials } = await openAccountApp();
  const body = { ...credentials, claim_code: hub.claim.code(), rotate: true, client_name: 'Tablet' };
  const { refresh_token: first, access_token: token } = (await call('POST', 'setup', { body })).json;
  expect((await call('GET', 'session', { token: String(token) })).text).toContain('"client_name":"Tablet"');
  const { json } = await call('POST', 'access_token', { body: { refresh_token: first } });
  expect(json['refresh_token']).not.toBe(first);
});

test('A5: a wrong code is 422 INVALID_CLAIM_CODE, a second claim 409 ALREADY_CLAIMED', async () => {
  const { hub, call, credentials, setUp } = await openAccountApp();
  const wrong = await call('POST', 'setup', { body: { ...credentials, claim_code: 'nonsense' } });
  expect([wrong.status, wrong.json['code']]).toEqual([422, 'INVALID_CLAIM_CODE']);
  expect(wrong.text).not.toContain(hub.claim.code());
  await setUp();
  const again = await call('POST', 'setup', { body: { ...credentials, claim_code: 'nonsense' } });
  expect([again.status, again.json['code']]).toEqual([409, 'ALREADY_CLAIMED']);
});

test('A5: while the hub is unclaimed the other account calls are 409 HUB_UNCLAIMED', async () => {
  const { call, credentials } = await openAccountApp();
  for (const [method, path] of [
    ['POST', 'login'],
    ['POST', 'access_token'],
    ['POST', 'logout'],
    ['GET', 'session'],
    ['GET', 'me'],
  ] as const) {
    const { status, json } = await call(method, path, method === 'POST' ? { body: credentials } : {});
    expect([path, status, json['code']]).toEqual([path, 409, 'HUB_UNCLAIMED']);
  }
});

test.each([
  ['an address without @', { email: 'anna' }, '/email'],
  ['an address with a blank', { email: 'anna b@example.org' }, '/email'],
  ['an address with a line end', { email: 'anna@example.org\n' }, '/email'],
  ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.org` }, '/email'],
  ['an empty name', { name: '  ' }, '/name'],
  ['a name with control characters', { name: 'A\u001b[2J' }, '/name'],
  ['a hub name of 101 characters', { hub_name: 'x'.repeat(101) }, '/hub_name'],
  ['a password of 9 characters', { password: 'lamp quil' }, '/password'],
  ['a common password', { password: 'password123' }, '/password'],
  ['a field that it does not know', { colour: 'red' }, '/colour'],
  ['no claim code', { claim_code: undefined }, '/claim_code'],
])('A4, A5: %s is 422 with a pointer, and the code is not used up', async (_name, change, pointer) => {
  const { hub, call, credentials, setUp } = await openAccountApp();
  const body = { ...credentials, claim_code: hub.claim.code(), ...change };
  const { status, json } = await call('POST', 'setup', { body });
  expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
  expect((await setUp()).status).toBe(201);
});

test('A5: of ten claims at once one is 201 and nine are 409', async () => {
  const { hub, call, credentials } = await openAccountApp();
  const code = hub.claim.code();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', 'setup', { body: { ...credentials, claim_code: code } })),
  );
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 409),
  ]);
});
