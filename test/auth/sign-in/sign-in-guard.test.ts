import { describe, expect, test } from 'vitest';
import { createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import type { HubError } from '#base/hub-error.ts';
import { systemRandom } from '#base/random.ts';
import {
  type AuthHarness,
  CHEAP,
  createTestClock,
  DAY_MS,
  openAuth,
  OWNER,
  PEER,
  reopenAuth,
} from '#test/support/hub/auth-harness.ts';

const MINUTE_MS = 60_000;
const peerOf = (index: number): string => `192.168.7.${index}`;

async function openBesieged() {
  const hubClock = createTestClock();
  const real = createPasswordHasher({ random: systemRandom, cost: CHEAP });
  const counted = { verified: 0 };
  const verify: typeof real.verify = (...args) => {
    counted.verified += 1;
    return real.verify(...args);
  };
  const hub = await openAuth({ hubClock, hasher: { ...real, verify } });
  await hub.setUp();
  return { ...hub, hubClock, counted };
}

const failure = (attempt: Promise<unknown>): Promise<HubError> =>
  attempt.then(
    () => {
      throw new Error('it was not refused');
    },
    (cause: unknown) => cause as HubError,
  );
async function besiege(hub: AuthHarness, email = OWNER.email): Promise<HubError[]> {
  const seen: HubError[] = [];
  for (let index = 0; index < 30; index += 1) {
    seen.push(await failure(hub.logIn({ email, password: 'a wrong guess' }, peerOf(index))));
  }
  return seen;
}

describe('A9: wrong passwords', () => {
  test('beyond ten are refused without a hash, with the seconds to wait, and in one log line a minute', async () => {
    const hub = await openBesieged();
    const seen = await besiege(hub);
    expect(hub.counted.verified).toBe(10);
    expect(seen.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 10 }, () => 'INVALID_CREDENTIALS'),
      ...Array.from({ length: 20 }, () => 'TOO_MANY_REQUESTS'),
    ]);
    expect(seen[29]).toMatchObject({
      message: 'There were too many tries: try again in 30 seconds.',
      options: { retryAfterS: 30 },
    });
    const slowed = (): string[] => hub.lines.filter((line) => line.includes('slowed down'));
    expect(slowed()).toHaveLength(1);
    hub.hubClock.advance(MINUTE_MS);
    await besiege(hub);
    expect(slowed()[1]).toContain('refused_since_last_line=19');
  });

  test('for an address that no account has are refused in the very same way', async () => {
    const hub = await openBesieged();
    const other = await openBesieged();
    expect(await besiege(hub, 'nobody@example.org')).toEqual(await besiege(other));
    expect(hub.counted).toEqual(other.counted);
  });

  test('A10: leave no e-mail address in the audit log, and a known account by its id', async () => {
    const hub = await openBesieged();
    await besiege(hub, 'my secret in the wrong field');
    await besiege(hub);
    expect(JSON.stringify(hub.audited)).not.toContain('secret');
    expect(JSON.stringify(hub.audited)).not.toContain('@');
    const [owner] = hub.accounts.users();
    const failed = hub.audited.filter(({ type }) => type === 'login.failed');
    expect(failed.filter(({ userId }) => userId === owner?.id)).toHaveLength(10);
    expect(failed).toHaveLength(20);
    expect(hub.audited.filter(({ type }) => type === 'login.throttled')).toHaveLength(40);
  });

  test('do not include tries that the queue of hashes refused', async () => {
    const hub = await openBesieged();
    const busy = Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        failure(hub.logIn({ email: `x${index}`, password: 'a wrong guess' }, peerOf(index))),
      ),
    );
    const codes = (await busy).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['INVALID_CREDENTIALS', 'OVERLOADED']));
    const overloaded = codes.indexOf('OVERLOADED');
    const seen = [];
    for (let index = 0; index < 5; index += 1) {
      seen.push((await failure(hub.logIn({ email: 'y', password: 'a wrong guess' }, peerOf(overloaded)))).code);
    }
    expect(new Set(seen)).toEqual(new Set(['INVALID_CREDENTIALS']));
  });
});

describe('A9: a client with an earlier token of its user', () => {
  test.each([
    ['its current one', 0],
    ['an expired one', 45 * DAY_MS],
  ])('logs in at once while the account is under attack: %s', async (_which, ageMs) => {
    const hub = await openBesieged();
    const { refreshToken } = await hub.logIn();
    hub.hubClock.advance(ageMs);
    await hub.sessions.upkeep();
    await besiege(hub);
    await expect(hub.logIn({ clientToken: refreshToken })).resolves.toBeDefined();
    expect((await failure(hub.logIn())).code).toBe('TOO_MANY_REQUESTS');
  });

  test('logs in with a spent token, but not with one of a session that ended because a copy was used', async () => {
    const hub = await openBesieged();
    const first = await hub.logIn({ rotating: true });
    const second = await hub.signIn.refresh(first.refreshToken, PEER);
    await hub.signIn.refresh(second.refreshToken ?? '', PEER);
    await besiege(hub);
    await expect(hub.logIn({ clientToken: first.refreshToken })).resolves.toBeDefined();
    hub.hubClock.advance(2 * MINUTE_MS);
    expect((await failure(hub.signIn.refresh(first.refreshToken, PEER))).code).toBe('INVALID_REFRESH_TOKEN');
    const { id } = first.session;
    expect(hub.audited.at(-1)).toMatchObject({ type: 'token.reused', sessionId: id, userId: first.user.id });
    for (const later of [hub, await reopenAuth(hub)]) {
      await besiege(later);
      expect((await failure(later.logIn({ clientToken: first.refreshToken }))).code).toBe('TOO_MANY_REQUESTS');
    }
  });

  test.each(['', 'nonsense', 'A'.repeat(91)])(
    'is none with %j, or with a token of another user',
    async (clientToken) => {
      const hub = await openBesieged();
      const guest = { email: 'bea@example.org', name: 'Bea', role: 'guest', password: 'quilt lamp orbit' } as const;
      await hub.accounts.addUser(guest, { peer: PEER, pointer: '' });
      const { refreshToken } = await hub.logIn({ email: guest.email, password: guest.password });
      await besiege(hub);
      for (const token of [clientToken, refreshToken]) {
        expect((await failure(hub.logIn({ clientToken: token }))).code).toBe('TOO_MANY_REQUESTS');
      }
    },
  );

  test('that guesses slows down only itself', async () => {
    const hub = await openBesieged();
    const stolen = (await hub.logIn()).refreshToken;
    const own = (await hub.logIn()).refreshToken;
    const codes = [];
    for (let tries = 0; tries < 7; tries += 1) {
      codes.push((await failure(hub.logIn({ password: 'a wrong guess', clientToken: stolen }))).code);
    }
    expect(codes.slice(4)).toEqual(['INVALID_CREDENTIALS', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
    await expect(hub.logIn({ clientToken: own })).resolves.toBeDefined();
    await expect(hub.logIn()).resolves.toBeDefined();
  });
});

describe('A9: other secrets', () => {
  test('the current password cannot be guessed with a stolen session, and its owner is not locked out', async () => {
    const hub = await openBesieged();
    const stolen = await hub.logIn();
    const caller = await hub.session(stolen.accessToken);
    const guess = { currentPassword: 'a wrong guess', newPassword: 'my own password now' };
    const codes = [];
    for (let tries = 0; tries < 7; tries += 1) {
      codes.push((await failure(hub.signIn.changePassword(caller, guess, PEER))).code);
    }
    expect(codes.slice(4)).toEqual(['WRONG_PASSWORD', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
    const own = await hub.logIn();
    const change = { currentPassword: OWNER.password, newPassword: 'my own password now' };
    await hub.signIn.changePassword(await hub.session(own.accessToken), change, PEER);
    expect(hub.audited.map(({ type }) => type).filter((type) => type.startsWith('password.'))).toEqual([
      ...Array.from({ length: 5 }, () => 'password.refused'),
      'password.changed',
    ]);
  });

  test('an expired refresh token never counts, however often it comes; a foreign one counts; a valid one always works', async () => {
    const hub = await openBesieged();
    const { refreshToken: expired } = await hub.logIn();
    hub.hubClock.advance(45 * DAY_MS);
    await hub.sessions.upkeep();
    const { refreshToken: good } = await hub.logIn();
    const codeOf = async (token: string): Promise<string> => (await failure(hub.signIn.refresh(token, PEER))).code;
    for (let tries = 0; tries < 200; tries += 1) expect(await codeOf(expired)).toBe('INVALID_REFRESH_TOKEN');
    for (let tries = 0; tries < 30; tries += 1) expect(await codeOf('made up')).toBe('INVALID_REFRESH_TOKEN');
    expect(await codeOf('made up')).toBe('TOO_MANY_REQUESTS');
    await expect(hub.signIn.refresh(good, PEER)).resolves.toBeDefined();
    expect(await codeOf(expired)).toBe('INVALID_REFRESH_TOKEN');
    expect(hub.audited.filter(({ type }) => type === 'token.refused')).toHaveLength(31);
  });
});

test('A10: the audit log has successes with peer, person and session', async () => {
  const hub = await openBesieged();
  const { user, session } = await hub.logIn();
  expect(hub.audited).toEqual([
    expect.objectContaining({ type: 'hub.claimed', peer: PEER, userId: user.id }),
    { type: 'login.succeeded', peer: PEER, userId: user.id, sessionId: session.id },
  ]);
});
