import { expect, test } from 'vitest';
import { openAccountApp } from '#test/support/hub/account-app.ts';

test('A8: logout ends the own session at once', async () => {
  const { call, setUp, logIn } = await openAccountApp();
  await setUp();
  const [mine, other] = [await logIn(), await logIn()];
  expect(await call('POST', 'logout', { token: mine.access_token })).toMatchObject({ status: 204, text: '' });
  const after = await call('GET', 'me', { token: mine.access_token });
  expect([after.status, after.json['code']]).toEqual([401, 'INVALID_TOKEN']);
  expect(after.headers.get('www-authenticate')).toBe('Bearer realm="hearthd", error="invalid_token"');
  const refresh = await call('POST', 'access_token', { body: { refresh_token: mine.refresh_token } });
  expect(refresh.status).toBe(401);
  expect((await call('GET', 'me', { token: other.access_token })).status).toBe(200);
});
