import { describe, expect, test } from 'vitest';
import { createTestClock, DAY_MS, HOUR_MS, openAuth, OWNER, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';

async function openRotating() {
  const hubClock = createTestClock();
  const hub = await openAuth({ hubClock });
  await hub.setUp();
  const login = await hub.logIn({ rotating: true });
  const refresh = async (token: string): Promise<{ token: string; access: string }> => {
    const { refreshToken, accessToken } = await hub.signIn.refresh(token, PEER);
    return { token: refreshToken ?? '', access: accessToken };
  };
  return { hub, hubClock, login, first: login.refreshToken, refresh };
}

const refused = { code: 'INVALID_REFRESH_TOKEN' };

describe('a rotating session', () => {
  test('A7: every refresh gives a successor, and a retry after a lost answer gives the same one', async () => {
    const { first, refresh, hubClock } = await openRotating();
    const { token: second } = await refresh(first);
    hubClock.advance(20 * DAY_MS);
    expect((await refresh(first)).token).toBe(second);
    const { token: third } = await refresh(second);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test('A7: a retry gives the same successor also after a restart', async () => {
    const { hub, first, refresh } = await openRotating();
    const { token: second } = await refresh(first);
    const later = await reopenAuth(hub);
    await expect(later.signIn.refresh(first, PEER)).resolves.toMatchObject({ refreshToken: second });
  });

  test('A7: a second tab gets the same token with the old one for 60 s, and not a millisecond longer', async () => {
    const { hub, first, refresh, hubClock } = await openRotating();
    const { token: second } = await refresh(first);
    const { token: third } = await refresh(second);
    hubClock.advance(59_999);
    expect((await refresh(first)).token).toBe(second);
    expect((await refresh(second)).token).toBe(third);
    hubClock.advance(1);
    await expect(refresh(first)).rejects.toMatchObject(refused);
    await expect(refresh(third)).rejects.toMatchObject(refused);
    expect(hub.revoked).toHaveLength(1);
  });

  test('A7: each of several tokens spent within a minute has its own grace', async () => {
    const { first, refresh, hubClock } = await openRotating();
    const tokens = [first];
    for (let turn = 0; turn < 5; turn += 1) {
      tokens.push((await refresh(tokens.at(-1) ?? '')).token);
      hubClock.advance(5000);
    }
    expect((await refresh(first)).token).toBe(tokens[4]);
    hubClock.advance(36_000);
    expect((await refresh(tokens[1] ?? '')).token).toBe(tokens[4]);
  });

  test('A7: the first use of an access token spends the token before the one it was issued with', async () => {
    const { hub, first, refresh, hubClock } = await openRotating();
    const { access, token: second } = await refresh(first);
    expect(await hub.who(access)).toBe(OWNER.email);
    hubClock.advance(60_000);
    await expect(refresh(first)).rejects.toMatchObject(refused);
    await expect(hub.who(access)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(refresh(second)).rejects.toMatchObject(refused);
  });

  test('A7: the access token of the login spends nothing', async () => {
    const { hub, first, login, refresh, hubClock } = await openRotating();
    const { token: second } = await refresh(first);
    await hub.who(login.accessToken);
    hubClock.advance(HOUR_MS);
    expect((await refresh(first)).token).toBe(second);
  });

  test('A7: a token spent many generations ago ends its session, and neither the account nor another session', async () => {
    const { hub, login, first, refresh, hubClock } = await openRotating();
    const other = await hub.logIn({ rotating: true });
    let token = first;
    for (let generation = 0; generation < 100; generation += 1) ({ token } = await refresh(token));
    hubClock.advance(60_000);
    await expect(refresh(first)).rejects.toMatchObject(refused);
    await expect(refresh(token)).rejects.toMatchObject(refused);
    expect(hub.revoked).toEqual([login.session.id]);
    expect(hub.stores.sessions.has(login.session.id)).toBe(false);
    expect(hub.lines.join()).toContain('a spent refresh token came back');
    expect(await hub.who(other.accessToken)).toBe(OWNER.email);
    await expect(hub.logIn()).resolves.toBeDefined();
  });

  test('A7: made-up tokens with a known session and an old generation end nothing', async () => {
    const { hub, first, refresh, hubClock } = await openRotating();
    const { token: second } = await refresh(first);
    const { token: third } = await refresh(second);
    hubClock.advance(HOUR_MS);
    for (const index of [20, 40, 51, 52, 67]) {
      const bytes = Buffer.from(first, 'base64url');
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      await expect(refresh(bytes.toString('base64url'))).rejects.toMatchObject(refused);
    }
    expect(hub.revoked).toEqual([]);
    await expect(refresh(third)).resolves.toBeDefined();
  });

  test('A7: all generations end 30 days after the login', async () => {
    const { hub, first, refresh, hubClock } = await openRotating();
    hubClock.advance(30 * DAY_MS - 1);
    const { token: second } = await refresh(first);
    hubClock.advance(1);
    await expect(refresh(second)).rejects.toMatchObject(refused);
    await expect(refresh(first)).rejects.toMatchObject(refused);
    expect(hub.revoked).toEqual([]);
  });

  test('A7: another key gives other successors, and the current token still works', async () => {
    const { hub, first, refresh } = await openRotating();
    const { token: second } = await refresh(first);
    await hub.files.remove('refresh-token.key');
    const later = await reopenAuth(hub);
    const { refreshToken } = await later.signIn.refresh(first, PEER);
    expect(refreshToken).not.toBe(second);
    await expect(later.signIn.refresh(refreshToken ?? '', PEER)).resolves.toBeDefined();
  });

  test('a successor that is not on disk is not handed out, and the next try gives the same', async () => {
    const { hub, first, refresh } = await openRotating();
    hub.stores.failWith = new Error('disk full');
    await expect(refresh(first)).rejects.toThrow('disk full');
    hub.stores.failWith = undefined;
    const { token: second } = await refresh(first);
    const later = await reopenAuth(hub);
    await expect(later.signIn.refresh(second, PEER)).resolves.toBeDefined();
  });

  test('twenty refreshes at once with one token give one successor', async () => {
    const { first, refresh } = await openRotating();
    const granted = await Promise.all(Array.from({ length: 20 }, () => refresh(first)));
    expect(new Set(granted.map(({ token }) => token)).size).toBe(1);
  });
});
