import { expect, test } from 'vitest';
import { openAccountApp } from '#test/support/hub/account-app.ts';

async function openClaimed() {
  const app = await openAccountApp();
  await app.setUp();
  return app;
}

test('in contract mode: exactly the fields of the contract, the same token again and again', async () => {
  const { call, logIn, hubClock } = await openClaimed();
  const { refresh_token: refreshToken } = await logIn();
  hubClock.advance(90_000_500);
  for (let turn = 0; turn < 3; turn += 1) {
    const { status, json } = await call('POST', 'access_token', { body: { refresh_token: refreshToken, x: 1 } });
    expect([status, json]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 86_400,
        refresh_expires_in: 2_501_999,
      },
    ]);
    const me = await call('GET', 'me', { token: String(json['access_token']) });
    expect(me.status).toBe(200);
  }
});

test('in rotating mode: the successor with it', async () => {
  const { call, logIn } = await openClaimed();
  const { refresh_token: first } = await logIn({ rotate: true });
  const { json } = await call('POST', 'access_token', { body: { refresh_token: first } });
  expect(json['refresh_token']).toMatch(/^[\w-]{91}$/);
  expect(json['refresh_token']).not.toBe(first);
});

test.each(['', 'x', 'A'.repeat(91), 'ey.ey.ey'])('%j is 401 INVALID_REFRESH_TOKEN', async (refreshToken) => {
  const { call } = await openClaimed();
  const { status, json } = await call('POST', 'access_token', { body: { refresh_token: refreshToken } });
  expect([status, json['code']]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('A2: an access token in the body or in the header is no refresh token', async () => {
  const { call, logIn } = await openClaimed();
  const { access_token: token } = await logIn();
  const wrong = await call('POST', 'access_token', { body: { refresh_token: token }, token });
  expect(wrong.json['code']).toBe('INVALID_REFRESH_TOKEN');
  const missing = await call('POST', 'access_token', { body: {}, token });
  expect([missing.status, missing.json['errors']]).toEqual([
    422,
    [{ pointer: '/refresh_token', code: 'REQUIRED', message: 'is required' }],
  ]);
});
