import { expect, test, vi } from 'vitest';
import { openAccountApp } from '#test/support/hub/account-app.ts';

async function openWithTwo() {
  const app = await openAccountApp();
  await app.setUp();
  app.hubClock.advance(1000);
  const mine = await app.logIn({ client_name: 'mine' });
  const other = await app.logIn({ client_name: 'other', rotate: true });
  return { ...app, mine, other };
}

test('the list shows the caller’s sessions, marks the current one, and shows no token or hash', async () => {
  const { call, hubClock, mine } = await openWithTwo();
  hubClock.advance(1000);
  const { status, json, text } = await call('GET', 'session', { token: mine.access_token });
  expect(status).toBe(200);
  const sessions = json as unknown as Record<string, unknown>[];
  expect(sessions).toHaveLength(3);
  expect(sessions[0]).toEqual({
    id: mine.session_id,
    client_name: 'mine',
    address: '127.0.0.1',
    created_at: '2026-01-01T00:00:01.000Z',
    last_used_at: '2026-01-01T00:00:02.000Z',
    expires_at: '2026-01-31T00:00:01.000Z',
    current: true,
  });
  expect(sessions.filter(({ current }) => current === true)).toHaveLength(1);
  expect(text).not.toMatch(/hash|token/);
});

test('A8: a caller can end one of its sessions, once', async () => {
  const { call, mine, other, hub } = await openWithTwo();
  const path = `session/${other.session_id}`;
  expect((await call('DELETE', path, { token: mine.access_token })).status).toBe(204);
  expect((await call('GET', 'me', { token: other.access_token })).status).toBe(401);
  expect(hub.revoked).toEqual([other.session_id]);
  expect((await call('DELETE', path, { token: mine.access_token })).status).toBe(404);
});

test('A8: a caller can end all its other sessions', async () => {
  const { call, mine, other } = await openWithTwo();
  expect((await call('DELETE', 'session', { token: mine.access_token })).status).toBe(204);
  expect((await call('GET', 'me', { token: other.access_token })).status).toBe(401);
  const { json } = await call('GET', 'session', { token: mine.access_token });
  expect(json).toMatchObject([{ id: mine.session_id, current: true }]);
});

test('A8: after a full disk, the same call tries again to end all other sessions', async () => {
  const { call, mine, other, hub } = await openWithTwo();
  const { sessionStore } = hub.stores;
  const end = async (): Promise<number> => (await call('DELETE', 'session', { token: mine.access_token })).status;
  const kept = async (): Promise<readonly string[]> => (await sessionStore.loadSessions()).map(({ id }) => id);
  const full = vi.spyOn(sessionStore, 'deleteSessions').mockRejectedValue(new Error('disk full'));
  expect([await end(), await end()]).toEqual([500, 500]);
  expect(await kept()).toContain(other.session_id);
  full.mockRestore();
  expect(await end()).toBe(204);
  expect(await kept()).toEqual([mine.session_id]);
});

test('a caller cannot see or end sessions of other people', async () => {
  const { call, hub, mine, logIn } = await openWithTwo();
  const guest = { email: 'guest@example.org', password: 'pebble window 9' };
  const source = { peer: '', pointer: '' };
  await hub.accounts.addUser({ ...guest, name: 'Guest', role: 'guest' }, source);
  const { access_token: token } = await logIn(guest);
  expect((await call('DELETE', `session/${mine.session_id}`, { token })).status).toBe(404);
  expect((await call('GET', 'session', { token })).json).toHaveLength(1);
  expect((await call('GET', 'me', { token: mine.access_token })).status).toBe(200);
});

test.each(['x', '__proto__', '00000000-0000-0000-0000-000000000000', '%00'])(
  'the session %s does not exist',
  async (id) => {
    const { call, mine } = await openWithTwo();
    expect((await call('DELETE', `session/${id}`, { token: mine.access_token })).status).toBe(404);
  },
);

test('A1: no call that needs a token answers without one', async () => {
  const { call } = await openWithTwo();
  for (const [method, path] of [
    ['GET', 'session'],
    ['DELETE', 'session'],
    ['DELETE', 'session/x'],
    ['POST', 'logout'],
    ['GET', 'me'],
    ['PATCH', 'me'],
    ['POST', 'me/password'],
  ] as const) {
    const { status, json, headers } = await call(method, path);
    expect([path, status, json['code']]).toEqual([path, 401, 'UNAUTHORIZED']);
    expect(json['detail']).toContain('whether there is anything at this path');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="hearthd"');
  }
});

test('A8: logout ends the caller’s session at once', async () => {
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
