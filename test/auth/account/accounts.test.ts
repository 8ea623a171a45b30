import { describe, expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { createTestClock, openAuth, OWNER, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';

const SOURCE = { peer: PEER, pointer: '/password' };

async function openWithOwner() {
  const hub = await openAuth();
  const { user: owner } = await hub.setUp();
  const add = (email: string, role: Role = 'resident') =>
    hub.accounts.addUser({ email, name: 'Somebody', role, password: 'pebble window 9' }, SOURCE);
  return { hub, owner, add };
}

describe('adding people', () => {
  test('users are found by id and by address in any spelling, also after a restart', async () => {
    const { hub, add } = await openWithOwner();
    const added = await add('J\u00fcrgen@Example.org');
    for (const { accounts } of [hub, await reopenAuth(hub)]) {
      expect(accounts.findUser(added.id)).toEqual(added);
      expect(accounts.findUserByEmail(' ju\u0308rgen@example.ORG')).toEqual(added);
      expect(accounts.users()).toHaveLength(2);
    }
  });

  test('one address has one account, also when two are added at once', async () => {
    const { hub, add } = await openWithOwner();
    await expect(add(OWNER.email.toUpperCase())).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const outcomes = await Promise.allSettled([add('b@example.org'), add('B@example.org')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(hub.accounts.users()).toHaveLength(2);
  });

  test('A4: a weak password is refused with a pointer, and nothing is written', async () => {
    const { hub } = await openWithOwner();
    const fresh = { email: 'b@example.org', name: 'Bea', role: 'guest' as const };
    const writes = hub.stores.writes.length;
    await expect(hub.accounts.addUser({ ...fresh, password: 'kitchen-hub-1' }, SOURCE)).rejects.toMatchObject({
      code: 'WEAK_PASSWORD',
      options: { errors: [{ pointer: '/password', code: 'INVALID_VALUE' }] },
    });
    await expect(hub.accounts.addUser({ ...fresh, password: 'x'.repeat(257) }, SOURCE)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      options: { errors: [{ pointer: '/password', code: 'TOO_LONG' }] },
    });
    expect(hub.stores.writes).toHaveLength(writes);
  });
});

describe('changing people', () => {
  test('a user logs in with the new address, and the old one is free', async () => {
    const { hub, owner, add } = await openWithOwner();
    await hub.accounts.updateUser(owner.id, { email: 'anna@new.example' });
    await expect(hub.logIn()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(hub.logIn({ email: 'anna@new.example' })).resolves.toBeDefined();
    await expect(add(OWNER.email)).resolves.toBeDefined();
    await expect(hub.accounts.updateUser(owner.id, { email: OWNER.email })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
  });

  test('a user may change the spelling of the address', async () => {
    const { hub, owner } = await openWithOwner();
    const change = { email: OWNER.email.toLowerCase() };
    await expect(hub.accounts.updateUser(owner.id, change)).resolves.toMatchObject(change);
  });

  test('nothing changes if the write fails', async () => {
    const { hub, owner } = await openWithOwner();
    hub.stores.failWith = new Error('disk full');
    await expect(hub.accounts.updateUser(owner.id, { name: 'Bea' })).rejects.toThrow('disk full');
    expect(hub.accounts.findUser(owner.id)).toEqual(owner);
    await expect(hub.accounts.removeUser(owner.id)).rejects.toMatchObject({ code: 'LAST_OWNER' });
  });

  test('the last owner stays owner, also when two owners go at once', async () => {
    const { hub, owner, add } = await openWithOwner();
    await expect(hub.accounts.updateUser(owner.id, { role: 'admin' })).rejects.toMatchObject({ code: 'LAST_OWNER' });
    const second = await add('b@example.org', 'owner');
    const outcomes = await Promise.allSettled([
      hub.accounts.removeUser(owner.id),
      hub.accounts.updateUser(second.id, { role: 'guest' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(hub.accounts.hasOwner()).toBe(true);
  });

  test('a removed user is not found', async () => {
    const { hub, add } = await openWithOwner();
    const { id } = await add('b@example.org');
    await hub.accounts.removeUser(id);
    for (const change of [
      () => hub.accounts.removeUser(id),
      () => hub.accounts.updateUser(id, { name: 'Bea' }),
      () => hub.accounts.setPassword(id, { password: 'harbour glove 7' }, SOURCE),
    ]) {
      await expect((async () => change())()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await expect(hub.accounts.replaceHash(id, 'new', 'old')).resolves.toBeUndefined();
  });
});

test('A8: a password reset at the machine ends all sessions of its user and no others', async () => {
  const { hub, owner, add } = await openWithOwner();
  const guest = await add('b@example.org', 'guest');
  const mine = [await hub.logIn(), await hub.logIn({ rotating: true })];
  const other = await hub.logIn({ email: guest.email, password: 'pebble window 9' });
  await hub.accounts.setPassword(owner.id, { password: 'harbour glove 7' }, SOURCE);
  for (const { accessToken } of mine) {
    await expect(hub.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  }
  expect(hub.revoked).toHaveLength(3);
  expect(await hub.who(other.accessToken)).toBe(guest.email);
});

describe('the time of a person', () => {
  const openGuest = async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    await hub.setUp();
    const fresh = { email: 'gus@home.test', name: 'Gus', role: 'guest', password: OWNER.password } as const;
    const guest = await hub.accounts.addUser(
      { ...fresh, validUntilMs: hubClock.nowMs() + 60_000 },
      { peer: PEER, pointer: '' },
    );
    const { accessToken } = await hub.logIn({ email: fresh.email });
    const given = { roomIds: null, deviceIds: null, networks: null, provider: null, expiresInS: null };
    const { text } = await hub.apiTokens.addToken({ userId: guest.id, name: 'x', scopes: ['device:read'], ...given });
    return { hub, hubClock, guest, accessToken, text };
  };

  test('that came while the hub was off has ended everything when it is back', async () => {
    const { hub, hubClock, guest, accessToken, text } = await openGuest();
    hubClock.advance(60_000);
    const again = await reopenAuth(hub);
    await again.accounts.endOver();
    expect([again.sessions.sessionsOf(guest.id), again.apiTokens.tokens()]).toEqual([[], []]);
    const third = await reopenAuth(again);
    await expect(third.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(third.who(text)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    hubClock.advance(-60_000);
    await expect(third.logIn({ email: guest.email })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('ends the sessions on disk before the first refusal', async () => {
    const { hub, hubClock, guest, accessToken } = await openGuest();
    hubClock.advance(60_000);
    await expect(hub.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    hubClock.advance(-60_000);
    const again = await reopenAuth(hub);
    expect(again.accounts.findUser(guest.id)?.hasEnded).toBe(true);
    await expect(again.who(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('lets no refresh token pass, even if it is the first to come', async () => {
    const { hub, hubClock, guest } = await openGuest();
    const { refreshToken } = await hub.logIn({ email: guest.email });
    hubClock.advance(60_000);
    await expect(hub.signIn.refresh(refreshToken, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  test('is over for a login under way, too', async () => {
    const { hub, hubClock, guest } = await openGuest();
    const logIn = hub.logIn({ email: guest.email });
    hubClock.advance(60_000);
    await expect(logIn).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });
});
