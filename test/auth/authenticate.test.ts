import { describe, expect, test } from 'vitest';
import type { HubClock } from '#base/time/hub-clock.ts';
import { HubError } from '#base/hub-error.ts';
import { createTestClock, DAY_MS, openAuth, OWNER, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';

async function openSignedIn() {
  const hub = await openAuth();
  const { accessToken, session, user } = await hub.setUp();
  const refusalOf = async (...values: string[]): Promise<[string, string | undefined]> => {
    try {
      await hub.authenticate(values, PEER);
      return ['granted', undefined];
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      return [cause.code, cause.options.headers?.['WWW-Authenticate']];
    }
  };
  return { hub, token: accessToken, session, user, refusalOf };
}

describe('the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('A2: the scheme may be written %s', async (scheme) => {
    const { hub, token } = await openSignedIn();
    const caller = await hub.authenticate([`${scheme} ${token}`], PEER);
    expect(caller.user.email).toBe(OWNER.email);
  });

  test('A2: several blanks after the scheme count as one', async () => {
    const { hub, token } = await openSignedIn();
    await expect(hub.authenticate([`Bearer   ${token}`], PEER)).resolves.toBeDefined();
  });

  const bare = 'Bearer realm="hearthd"';
  test.each([
    ['no header', []],
    ['an empty one', ['']],
    ['another scheme', ['Basic YW5uYTpwdw==']],
    ['the scheme alone', ['Bearer']],
    ['the scheme and blanks', ['Bearer   ']],
    ['a scheme that only begins like it', ['Bearerx abc']],
    ['a token without a scheme', ['eyJhbGciOiJIUzI1NiJ9.e30.x']],
  ])('A2: %s is no bearer token at all: 401 without an error code', async (_name, values) => {
    const { refusalOf } = await openSignedIn();
    expect(await refusalOf(...values)).toEqual(['UNAUTHORIZED', bare]);
  });

  test.each([
    ['a blank inside', (token: string) => `Bearer ${token} ${token}`],
    ['a comma', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['quotes', (token: string) => `Bearer "${token}"`],
    ['a tab', (token: string) => `Bearer \t${token}`],
    ['a letter that is not ASCII', (token: string) => `Bearer ${token}é`],
    ['the word null', () => 'Bearer null'],
    ['more than 1 KiB', (token: string) => `Bearer ${token}${'A'.repeat(1024)}`],
    ['more than 1 KiB of blanks before it', (token: string) => `Bearer${' '.repeat(1024)}${token}`],
  ])('A2: %s is an invalid token', async (_name, write) => {
    const { token, refusalOf } = await openSignedIn();
    expect(await refusalOf(write(token))).toEqual(['INVALID_TOKEN', `${bare}, error="invalid_token"`]);
  });

  test('A2: two headers are a malformed request, even if both are right', async () => {
    const { token, refusalOf } = await openSignedIn();
    const good = `Bearer ${token}`;
    await refusalOf(good);
    expect(await refusalOf(good, good)).toEqual(['MALFORMED_REQUEST', `${bare}, error="invalid_request"`]);
    expect(await refusalOf('', good)).toEqual(['MALFORMED_REQUEST', `${bare}, error="invalid_request"`]);
  });
});

describe('a token that was seen before', () => {
  test('A6: is answered without waiting', async () => {
    const { hub, token, session, user } = await openSignedIn();
    const first = hub.authenticate([`Bearer ${token}`], PEER);
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(hub.authenticate([`Bearer ${token}`], PEER)).toMatchObject({ kind: 'session', sessionId: session.id, user });
  });

  test('A8: is refused from the moment its session ends, also after a restart', async () => {
    const { hub, token, session, user } = await openSignedIn();
    await hub.who(token);
    const ending = hub.sessions.endSessions(user.id, [session.id]);
    await expect(hub.who(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await ending;
    await expect((await reopenAuth(hub)).who(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('A8: gives the user with its present data', async () => {
    const { hub, token, user } = await openSignedIn();
    await hub.who(token);
    await hub.accounts.updateUser(user.id, { email: 'new@example.org' });
    expect(await hub.who(token)).toBe('new@example.org');
  });

  test('A6: stays valid after thousands of others', async () => {
    const { hub, token } = await openSignedIn();
    await hub.who(token);
    for (let count = 0; count < 1500; count += 1) {
      const { accessToken } = await hub.signIn.refresh((await hub.logIn()).refreshToken, PEER);
      await hub.who(accessToken);
    }
    expect(await hub.who(token)).toBe(OWNER.email);
  });
});

test('A8: last uses and their addresses are noted without a write for each use', async () => {
  const hubClock = createTestClock();
  const hub = await openAuth({ hubClock });
  const { accessToken, user } = await hub.setUp();
  const writes = hub.stores.writes.length;
  for (let count = 0; count < 100; count += 1) {
    hubClock.advance(1000);
    await hub.who(accessToken, '192.168.1.77');
  }
  expect(hub.stores.writes).toHaveLength(writes);
  const [shown] = hub.sessions.sessionsOf(user.id);
  expect(shown).toMatchObject({ lastUsedAtMs: hubClock.nowMs(), address: '192.168.1.77' });
  await hub.sessions.upkeep();
  await hub.sessions.upkeep();
  expect(hub.stores.writes.slice(writes)).toEqual(['touchSessions']);
  const [kept] = (await reopenAuth(hub)).sessions.sessionsOf(user.id);
  expect(kept).toEqual(shown);
});

test('C1: an expired token is refused only once the hub clock can never again be before its end', async () => {
  const hubClock = createTestClock();
  const hub = await openAuth({ hubClock });
  const { accessToken, refreshToken } = await hub.setUp();
  const unseen = (await hub.logIn()).accessToken;
  expect(await hub.who(accessToken)).toBe(OWNER.email);
  const startMs = hubClock.nowMs();
  hubClock.advance(DAY_MS);
  expect(hubClock.confirmed).toEqual([]);
  await expect(hub.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  await expect(hub.who(unseen)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect(hubClock.confirmed).toEqual([startMs + DAY_MS, startMs + DAY_MS]);
  hubClock.advance(29 * DAY_MS);
  await expect(hub.signIn.refresh(refreshToken, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  expect(hubClock.confirmed).toHaveLength(3);
  // A forged token was never valid, so it causes no write.
  await expect(hub.who(`${accessToken.slice(0, -4)}AAAA`)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect(hubClock.confirmed).toHaveLength(3);
});

/** A hub clock that was wrong by six months until it was synchronised: epoch 0 before, epoch 1 after. */
function createSteppingClock(): HubClock & { advance: (ms: number) => void; synchronise: () => void } {
  const before = createTestClock(Date.UTC(2025, 5, 1));
  const shiftMs = 180 * DAY_MS;
  let epoch = 0;
  return {
    epoch: () => String(epoch),
    nowMs: () => before.nowMs() + epoch * shiftMs,
    nowInEpochMs: (asked) => {
      if (asked === '0') return before.nowMs();
      return asked === '1' && epoch === 1 ? before.nowMs() + shiftMs : undefined;
    },
    confirmPast: before.confirmPast,
    advance: before.advance,
    synchronise: () => void (epoch = 1),
  };
}

test('C2: a login from before the clock was set by six months keeps its exact remaining time', async () => {
  const hubClock = createSteppingClock();
  const hub = await openAuth({ hubClock });
  const { accessToken, refreshToken, user } = await hub.setUp();
  hubClock.advance(DAY_MS / 2);
  hubClock.synchronise();
  expect(await hub.who(accessToken)).toBe(OWNER.email);
  const [shown] = hub.sessions.sessionsOf(user.id);
  expect(shown?.createdAtMs).toBe(hubClock.nowMs() - DAY_MS / 2);
  const fresh = await hub.signIn.refresh(refreshToken, PEER);
  expect(fresh.refreshExpiresInS).toBe(30 * 86_400 - 43_200);
  hubClock.advance(DAY_MS / 2);
  await expect(hub.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect(await hub.who(fresh.accessToken)).toBe(OWNER.email);
  hubClock.advance(29 * DAY_MS - 1);
  await expect(hub.signIn.refresh(refreshToken, PEER)).resolves.toBeDefined();
  hubClock.advance(1);
  await expect(hub.signIn.refresh(refreshToken, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
});
