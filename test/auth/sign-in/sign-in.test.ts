import { describe, expect, test, vi } from 'vitest';
import { createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { systemRandom } from '#base/random.ts';
import { CHEAP, createTestClock, DAY_MS, OWNER, openAuth, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';

describe('logging in', () => {
  test('A6: gives an access token that authenticates and a refresh token that gives another one', async () => {
    const hub = await openAuth();
    await hub.setUp();
    const { accessToken, refreshToken, user } = await hub.logIn();
    expect(user).toMatchObject({ email: OWNER.email, name: 'Anna', role: 'owner' });
    expect(await hub.who(accessToken)).toBe(OWNER.email);
    const refreshed = await hub.signIn.refresh(refreshToken, PEER);
    expect(await hub.who(refreshed.accessToken)).toBe(OWNER.email);
    expect(refreshed).toMatchObject({ refreshToken: null, refreshExpiresInS: 2_592_000 });
  });

  test('the address is found in any case and with blanks around it', async () => {
    const hub = await openAuth();
    await hub.setUp();
    await expect(hub.logIn({ email: ' ANNA@example.ORG ' })).resolves.toBeDefined();
  });

  test('A3: a wrong password and an unknown address are refused in the same words after the same hash', async () => {
    const verified: string[] = [];
    const hasher = createPasswordHasher({ random: systemRandom, cost: CHEAP });
    const hub = await openAuth({
      hasher: {
        ...hasher,
        verify: (phc, password, peer) => {
          verified.push(phc);
          return hasher.verify(phc, password, peer);
        },
      },
    });
    await hub.setUp();
    const wrong = await hub.logIn({ password: 'not the password' }).catch((cause: unknown) => cause);
    const unknown = await hub.logIn({ email: 'nobody@example.org' }).catch((cause: unknown) => cause);
    expect(wrong).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(unknown).toEqual(wrong);
    expect(verified).toHaveLength(2);
    const shape = (phc = ''): string => phc.replace(/(?<=p=\d)\$.*/, '');
    expect(shape(verified[1])).toBe('$argon2id$v=19$m=8,t=1,p=1');
    expect(shape(verified[0])).toBe(shape(verified[1]));
    expect(verified[1]?.length).toBe(verified[0]?.length);
  });

  test('A3: the next login replaces a hash of lower cost', async () => {
    const hub = await openAuth();
    await hub.setUp();
    const hasher = createPasswordHasher({ random: systemRandom, cost: { ...CHEAP, timeCost: 2 } });
    const later = await openAuth({ ...hub, hasher });
    const { accessToken } = await later.logIn();
    expect([...hub.stores.users.values()][0]?.passwordHash).toContain('t=2');
    expect(await later.who(accessToken)).toBe(OWNER.email);
    await expect(later.logIn()).resolves.toBeDefined();
  });

  test('A3: a login succeeds even if the new hash cannot be made', async () => {
    const hub = await openAuth();
    await hub.setUp();
    const hasher = createPasswordHasher({ random: systemRandom, cost: { ...CHEAP, timeCost: 2 } });
    const later = await openAuth({ ...hub, hasher: { ...hasher, hash: () => Promise.reject(new Error('busy')) } });
    await expect(later.logIn()).resolves.toBeDefined();
    expect(later.lines.join()).toContain('keeps its old cost');
  });

  test('A8: a password that changes during a login leaves no session for the old password', async () => {
    const hub = await openAuth();
    const { user } = await hub.setUp();
    const logins = Array.from({ length: 5 }, () => hub.logIn());
    const change = hub.accounts.setPassword(user.id, { password: 'another good one' }, { peer: PEER, pointer: '' });
    await Promise.allSettled([...logins, change]);
    await expect(change).resolves.toBeUndefined();
    expect(hub.stores.sessions.size).toBe(0);
    expect(hub.sessions.sessionsOf(user.id)).toEqual([]);
    await expect(hub.logIn()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test.each(['verifyKnown', 'hash'] as const)(
    'A8: a session that ends during %s changes neither password nor address',
    async (step) => {
      const cheap = createPasswordHasher({ random: systemRandom, cost: CHEAP });
      const held: (() => void)[] = [];
      let isHolding = false;
      const hold = async <Result>(task: () => Promise<Result>): Promise<Result> => {
        if (isHolding) await new Promise<void>((resolve) => void held.push(resolve));
        return task();
      };
      const hub = await openAuth({
        hasher: {
          ...cheap,
          hash: (text, peer) => (step === 'hash' ? hold(() => cheap.hash(text, peer)) : cheap.hash(text, peer)),
          verifyKnown: (phc, text, id) =>
            step === 'verifyKnown' ? hold(() => cheap.verifyKnown(phc, text, id)) : cheap.verifyKnown(phc, text, id),
        },
      });
      await hub.setUp();
      const { accessToken, session, user } = await hub.logIn();
      const caller = await hub.session(accessToken);
      isHolding = true;
      const { password: currentPassword } = OWNER;
      const late = [hub.signIn.changePassword(caller, { currentPassword, newPassword: 'my own password now' }, PEER)];
      if (step === 'verifyKnown') {
        late.push(hub.signIn.changeOwnAccount(caller, { email: 'x@y', currentPassword }, PEER).then(() => undefined));
      }
      const outcome = Promise.allSettled(late);
      await vi.waitFor(() => expect(held.length).toBeGreaterThan(0));
      await hub.sessions.endSessions(user.id, [session.id]);
      isHolding = false;
      for (const release of held) release();
      for (const result of await outcome) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_TOKEN' } });
      }
      expect(hub.accounts.findUser(user.id)).toMatchObject({ email: OWNER.email, passwordHash: user.passwordHash });
    },
  );

  test('a login whose write fails leaves no session behind', async () => {
    const hub = await openAuth();
    const { user } = await hub.setUp();
    hub.stores.failWith = new Error('disk full');
    await expect(hub.logIn()).rejects.toThrow('disk full');
    hub.stores.failWith = undefined;
    expect(hub.sessions.sessionsOf(user.id)).toHaveLength(1);
    await expect(hub.logIn()).resolves.toBeDefined();
  });
});

describe('refreshing without rotation', () => {
  test('A7: the same token works for exactly 30 days, any number of times, and writes nothing', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    const { refreshToken } = await hub.setUp();
    const writes = hub.stores.writes.length;
    for (let day = 0; day < 29; day += 1) {
      hubClock.advance(DAY_MS);
      await expect(hub.signIn.refresh(refreshToken, PEER)).resolves.toMatchObject({ refreshToken: null });
    }
    hubClock.advance(DAY_MS - 1);
    const last = await hub.signIn.refresh(refreshToken, PEER);
    expect(last.refreshExpiresInS).toBe(0);
    expect(hub.stores.writes).toHaveLength(writes);
    hubClock.advance(1);
    await expect(hub.signIn.refresh(refreshToken, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await hub.sessions.upkeep();
    expect(await hub.who(last.accessToken)).toBe(OWNER.email);
    hubClock.advance(DAY_MS);
    await hub.sessions.upkeep();
    expect(hub.stores.sessions.size).toBe(0);
  });

  test('A7: a token still works after a restart', async () => {
    const hub = await openAuth();
    const { refreshToken, accessToken } = await hub.setUp();
    const later = await reopenAuth(hub);
    await expect(later.signIn.refresh(refreshToken, PEER)).resolves.toBeDefined();
    expect(await later.who(accessToken)).toBe(OWNER.email);
  });

  test.each(['', 'x', 'A'.repeat(91), `${'A'.repeat(90)}B`, 'é'.repeat(91), 'A'.repeat(15_000)])(
    'A7: a text that is no token is refused (%#)',
    async (text) => {
      const hub = await openAuth();
      await hub.setUp();
      await expect(hub.signIn.refresh(text, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    },
  );

  test('A7: another spelling of a token, or any changed character, is refused', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    const { refreshToken } = await hub.setUp();
    const changed = Array.from(refreshToken, (character, index) =>
      [refreshToken.slice(0, index), character === 'A' ? 'B' : 'A', refreshToken.slice(index + 1)].join(''),
    );
    for (const text of [...changed, `${refreshToken}=`, `${refreshToken} `, `${refreshToken}\n`]) {
      hubClock.advance(60_000);
      await expect(hub.signIn.refresh(text, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
    await expect(hub.signIn.refresh(refreshToken, PEER)).resolves.toBeDefined();
  });
});

describe('changing the password', () => {
  const change = { currentPassword: OWNER.password, newPassword: 'harbour glove 7' };

  test('A8: ends every other session at once, keeps this one, and the old password no longer works', async () => {
    const hub = await openAuth();
    const first = await hub.setUp();
    const second = await hub.logIn({ rotating: true });
    const caller = await hub.session(first.accessToken);
    expect(await hub.who(second.accessToken)).toBe(OWNER.email);
    await hub.signIn.changePassword(caller, change, PEER);
    expect(await hub.who(first.accessToken)).toBe(OWNER.email);
    await expect(hub.who(second.accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(hub.signIn.refresh(second.refreshToken, PEER)).rejects.toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    });
    expect(hub.revoked).toEqual([second.session.id]);
    await expect(hub.logIn()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const later = await reopenAuth(hub);
    await expect(later.who(second.accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await later.who(first.accessToken)).toBe(OWNER.email);
    await expect(later.logIn({ password: change.newPassword })).resolves.toBeDefined();
  });

  test('needs the current password', async () => {
    const hub = await openAuth();
    const { accessToken } = await hub.setUp();
    const caller = await hub.session(accessToken);
    await expect(
      hub.signIn.changePassword(caller, { ...change, currentPassword: 'not the password' }, PEER),
    ).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
  });

  test('one of two simultaneous changes with the same current password is refused', async () => {
    const hub = await openAuth();
    const { accessToken } = await hub.setUp();
    const caller = await hub.session(accessToken);
    const outcomes = await Promise.allSettled([
      hub.signIn.changePassword(caller, change, PEER),
      hub.signIn.changePassword(caller, { ...change, newPassword: 'pebble window 9' }, PEER),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a password that was replaced meanwhile changes no e-mail address', async () => {
    const hub = await openAuth();
    const { accessToken } = await hub.setUp();
    const caller = await hub.session(accessToken);
    await hub.signIn.changePassword(caller, change, PEER);
    const ask = { email: 'anna@new.example', currentPassword: OWNER.password };
    await expect(hub.signIn.changeOwnAccount(caller, ask, PEER)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await hub.who(accessToken)).toBe(OWNER.email);
  });

  test('nothing changes if the write fails', async () => {
    const hub = await openAuth();
    const { accessToken } = await hub.setUp();
    const other = await hub.logIn();
    const caller = await hub.session(accessToken);
    hub.stores.failWith = new Error('disk full');
    await expect(hub.signIn.changePassword(caller, change, PEER)).rejects.toThrow('disk full');
    hub.stores.failWith = undefined;
    expect(await hub.who(other.accessToken)).toBe(OWNER.email);
    await expect(hub.signIn.changePassword(caller, change, PEER)).resolves.toBeUndefined();
  });
});
