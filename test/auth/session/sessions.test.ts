import { describe, expect, test } from 'vitest';
import { createTestClock, DAY_MS, HOUR_MS, openAuth, OWNER, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';

async function openWithSessions(count: number) {
  const hubClock = createTestClock();
  const hub = await openAuth({ hubClock });
  const first = await hub.setUp();
  const others = [];
  for (let index = 0; index < count; index += 1) {
    hubClock.advance(1000);
    others.push(await hub.logIn({ clientName: `client ${index}` }));
  }
  return { hub, hubClock, first, others, userId: first.user.id };
}

describe('ending sessions', () => {
  test('A8: the named sessions are gone from memory and disk, the others stay', async () => {
    const { hub, first, others, userId } = await openWithSessions(3);
    const [one, two, three] = others.map(({ session }) => session.id);
    if (one === undefined || two === undefined) throw new Error('no sessions');
    expect(await hub.sessions.endSessions(userId, [one, two])).toBe(2);
    expect(hub.sessions.findSession(one)).toBeUndefined();
    expect(new Set(hub.stores.sessions.keys())).toEqual(new Set([first.session.id, three]));
    expect(hub.revoked).toEqual([one, two]);
    expect(await hub.sessions.endSessions(userId, [one])).toBe(0);
  });

  test('A8: a user cannot end the session of another user', async () => {
    const { hub, first } = await openWithSessions(0);
    const guest = await hub.accounts.addUser(
      { email: 'guest@example.org', name: 'Guest', role: 'guest', password: 'pebble window 9' },
      { peer: PEER, pointer: '/password' },
    );
    expect(await hub.sessions.endSessions(guest.id, [first.session.id])).toBe(0);
    expect(await hub.who(first.accessToken)).toBe(OWNER.email);
  });

  test('A8: listeners are called once the end is on disk', async () => {
    const { hub, first, userId } = await openWithSessions(0);
    const ending = hub.sessions.endSessions(userId, [first.session.id]);
    expect(hub.revoked).toEqual([]);
    expect(hub.sessions.findSession(first.session.id)).toBeUndefined();
    await ending;
    expect(hub.stores.sessions.size).toBe(0);
    expect(hub.revoked).toEqual([first.session.id]);
  });

  test('A8: a full disk rejects the call, yet the session ends, and its end is retried until it is on disk', async () => {
    const { hub, first, userId } = await openWithSessions(0);
    hub.stores.failWith = new Error('disk full');
    await expect(hub.sessions.endSessions(userId, [first.session.id])).rejects.toThrow('disk full');
    expect(hub.revoked).toEqual([first.session.id]);
    await expect(hub.who(first.accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(hub.signIn.refresh(first.refreshToken, PEER)).rejects.toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    });
    await expect(hub.sessions.endSessions(userId, [first.session.id])).rejects.toThrow('disk full');
    await expect(hub.sessions.upkeep()).resolves.toBeUndefined();
    hub.stores.failWith = undefined;
    expect(hub.stores.sessions.size).toBe(1);
    await hub.sessions.upkeep();
    expect(hub.stores.sessions.size).toBe(0);
    expect(hub.revoked).toHaveLength(1);
    await expect((await reopenAuth(hub)).who(first.accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('A8: a session that was ended while its refresh was being written stays ended', async () => {
    const { hub } = await openWithSessions(0);
    const { refreshToken, session, user } = await hub.logIn({ rotating: true });
    const refreshing = hub.signIn.refresh(refreshToken, PEER);
    const ending = hub.sessions.endSessions(user.id, [session.id]);
    await expect(refreshing).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await ending;
    expect(hub.stores.sessions.has(session.id)).toBe(false);
    expect(hub.sessions.findSession(session.id)).toBeUndefined();
  });

  test('A8: removing a person ends all of that person’s sessions', async () => {
    const { hub } = await openWithSessions(1);
    const source = { peer: PEER, pointer: '/password' };
    const guest = { email: 'guest@example.org', name: 'Guest', role: 'guest' as const, password: 'pebble window 9' };
    const { id } = await hub.accounts.addUser(guest, source);
    const { accessToken, session } = await hub.logIn(guest);
    expect(await hub.who(accessToken)).toBe(guest.email);
    await hub.accounts.removeUser(id);
    await expect(hub.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(hub.revoked).toEqual([session.id]);
    await expect(hub.logIn(guest)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });
});

describe('many sessions', () => {
  test('a person has a limited number, and the least recently used go first', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock, maxPerUser: 50 });
    const { user, accessToken } = await hub.setUp();
    for (let count = 0; count < 200; count += 1) {
      hubClock.advance(60_000);
      const login = await hub.logIn();
      expect(await hub.who(accessToken)).toBe(OWNER.email);
      expect(await hub.who(login.accessToken)).toBe(OWNER.email);
    }
    const kept = hub.sessions.sessionsOf(user.id);
    expect(kept.length).toBeLessThanOrEqual(50);
    expect(kept.length).toBeGreaterThan(40);
    expect(hub.stores.sessions.size).toBe(kept.length);
    const newest = Math.min(...kept.map((session) => session.lastUsedAtMs));
    expect(hubClock.nowMs() - newest).toBeLessThanOrEqual(50 * 60_000);
  });

  test('a script that logs in every minute and never logs out always gets in, and its newest sessions stay', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock, maxPerUser: 1000 });
    const { user } = await hub.setUp();
    const started: string[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      hubClock.advance(60_000);
      const fresh = { userId: user.id, clientName: null, address: PEER, rotating: false };
      const { session, onDisk } = hub.sessions.startSession(fresh);
      await onDisk;
      started.push(session.id);
      if (minute % 60 === 0) await hub.sessions.upkeep();
    }
    const kept = hub.sessions.sessionsOf(user.id).map(({ id }) => String(id));
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(kept).toEqual(started.toReversed().slice(0, kept.length));
    expect(new Set(hub.stores.sessions.keys())).toEqual(new Set(kept));
    await expect(hub.logIn()).resolves.toBeDefined();
  });

  test('an expired session goes a day later, with its last access token', async () => {
    const { hub, hubClock } = await openWithSessions(5);
    hubClock.advance(31 * DAY_MS - 5000);
    await hub.sessions.upkeep();
    expect(hub.stores.sessions.size).toBe(5);
    hubClock.advance(5000);
    await hub.sessions.upkeep();
    expect(hub.stores.sessions.size).toBe(0);
  });

  test('the list has the most recently used first', async () => {
    const { hub, hubClock, first, userId } = await openWithSessions(2);
    hubClock.advance(1000);
    await hub.who(first.accessToken);
    expect(hub.sessions.sessionsOf(userId).map(({ clientName }) => clientName)).toEqual([null, 'client 1', 'client 0']);
  });
});

test('A7: a dump of the database authenticates nothing', async () => {
  const { hub, hubClock } = await openWithSessions(1);
  const { refreshToken } = await hub.logIn({ rotating: true });
  const next = await hub.signIn.refresh(refreshToken, PEER);
  const users = [...hub.stores.users.values()];
  const sessions = [...hub.stores.sessions.values()];
  const strings: string[] = [...users, ...sessions].flatMap((row) =>
    Object.values(row).flatMap((value: unknown) => {
      if (typeof value === 'string') return [value, ...value.split('$')];
      if (!(value instanceof Uint8Array)) return [];
      const bytes = Buffer.from(value);
      return [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('latin1')];
    }),
  );
  for (const session of sessions) {
    const head = Buffer.from(session.id.replaceAll('-', ''), 'hex');
    for (const secret of [session.tokenHash, session.nextTokenHash ?? Buffer.alloc(32), Buffer.alloc(32)]) {
      for (const generation of [0, 1, 2]) {
        const counter = Buffer.alloc(4);
        counter.writeUInt32BE(generation);
        strings.push(Buffer.concat([head, counter, secret, secret.subarray(0, 16)]).toString('base64url'));
      }
    }
  }
  expect(strings.length).toBeGreaterThan(50);
  const dump = JSON.stringify({ users, sessions });
  for (const secret of [refreshToken, next.refreshToken ?? '', next.accessToken, OWNER.password]) {
    expect(dump).not.toContain(secret);
  }
  for (const text of strings) {
    // Long enough for the throttle to admit it.
    hubClock.advance(2 * HOUR_MS);
    await expect(hub.who(text)).rejects.toMatchObject({ options: { headers: expect.anything() } });
    await expect(hub.signIn.refresh(text, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await expect(hub.logIn({ password: text })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  }
  // It does not work on the thief's own hub either, which has other keys.
  const elsewhere = await openAuth({ stores: hub.stores, hubClock });
  await expect(elsewhere.who(next.accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});
