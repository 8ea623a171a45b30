import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { NewApiToken } from '#auth/token/api-tokens.ts';
import { canCaller } from '#auth/caller.ts';
import {
  type AuthHarness,
  DAY_MS,
  HOUR_MS,
  openAuth,
  OWNER,
  PEER,
  reopenAuth,
} from '#test/support/hub/auth-harness.ts';

async function openWithToken(change: Partial<NewApiToken> = {}) {
  const hub = await openAuth();
  const { user } = await hub.setUp();
  const fresh: NewApiToken = {
    userId: user.id,
    name: 'Evening lights',
    scopes: ['device:read', 'user:manage'],
    roomIds: null,
    deviceIds: null,
    networks: null,
    provider: null,
    expiresInS: null,
    ...change,
  };
  const { token, text } = await hub.apiTokens.addToken(fresh);
  return { hub, user, fresh, token, text };
}

const use = (hub: AuthHarness, text: string, peer = PEER) => hub.authenticate([`Bearer ${text}`], peer);
/** The code of the refusal, or `used`. */
const outcome = async (hub: AuthHarness, text: string, peer = PEER): Promise<string> => {
  try {
    await use(hub, text, peer);
    return 'used';
  } catch (cause) {
    return (cause as { code: string }).code;
  }
};

describe('an API token', () => {
  test('A7: has 256 bits, and only its SHA-256 is stored', async () => {
    const { hub, text } = await openWithToken();
    expect(text).toMatch(/^hat_[\w-]{43}$/);
    const [kept] = hub.stores.apiTokens.values();
    expect(Buffer.from(kept?.tokenHash ?? [])).toEqual(createHash('sha256').update(text).digest());
    expect(JSON.stringify([...hub.stores.apiTokens.values()])).not.toContain(text.slice(4));
  });

  test('works for its owner, within its scopes, for years', async () => {
    const { hub, text } = await openWithToken();
    (hub.hubClock as unknown as { advance: (ms: number) => void }).advance(4_000 * DAY_MS);
    const caller = await use(hub, text);
    expect([caller.kind, caller.user.email]).toEqual(['api_token', OWNER.email]);
    expect(canCaller(caller, 'device:read')).toBe(true);
    expect(canCaller(caller, 'device:control')).toBe(false);
    expect(canCaller(caller, 'session')).toBe(false);
  });

  test('A8: works after a restart, but not once it was revoked', async () => {
    const { hub, token, text } = await openWithToken();
    const later = await reopenAuth(hub);
    expect(await outcome(later, text)).toBe('used');
    expect(await later.apiTokens.endToken(token.id)).toBe(true);
    expect(later.revoked).toEqual([token.id]);
    expect(await outcome(later, text)).toBe('INVALID_TOKEN');
    expect(await outcome(await reopenAuth(later), text)).toBe('INVALID_TOKEN');
    expect(await later.apiTokens.endToken(token.id)).toBe(false);
  });

  test('A8: ends at once if the write fails, and stays ended once the disk is back', async () => {
    const { hub, token, text } = await openWithToken();
    hub.stores.failWith = new Error('disk full');
    await expect(hub.apiTokens.endToken(token.id)).rejects.toThrow('disk full');
    expect([await outcome(hub, text), hub.revoked]).toEqual(['INVALID_TOKEN', [token.id]]);
    hub.stores.failWith = undefined;
    await hub.apiTokens.upkeep();
    expect(await outcome(await reopenAuth(hub), text)).toBe('INVALID_TOKEN');
  });

  test('C1: expires by the hub clock, and is refused only once that is on disk', async () => {
    const { hub, text } = await openWithToken({ expiresInS: 3_600 });
    const clock = hub.hubClock as unknown as { advance: (ms: number) => void };
    clock.advance(HOUR_MS - 1);
    expect(await outcome(hub, text)).toBe('used');
    clock.advance(1);
    expect(await outcome(hub, text)).toBe('INVALID_TOKEN');
  });

  test.each([
    [3_600, 'INVALID_TOKEN'],
    [null, 'used'],
  ])('C2: with a clock epoch that the hub never had works only without an expiry: %s', async (expiresInS, is) => {
    const { hub, token, text } = await openWithToken({ expiresInS });
    hub.stores.apiTokens.set(token.id, { ...token, epoch: 'another' });
    expect(await outcome(await reopenAuth(hub), text)).toBe(is);
  });

  test('is refused from outside its networks, by the address of the socket', async () => {
    const { hub, text } = await openWithToken({ networks: ['192.168.1.0/24', 'fd00::/8'] });
    expect(await outcome(hub, text, '192.168.1.9')).toBe('used');
    expect(await outcome(hub, text, '::ffff:192.168.1.9')).toBe('used');
    expect(await outcome(hub, text, 'fd00::9%eth0')).toBe('used');
    expect(await outcome(hub, text, '192.168.2.9')).toBe('NETWORK_REFUSED');
  });

  test('ends with its account, and loses rights with its role at once', async () => {
    const { hub, user, text } = await openWithToken();
    const bo = { email: 'bo@example.org', name: 'Bo', role: 'owner', password: 'pebble window 9' } as const;
    await hub.accounts.addUser(bo, { peer: PEER, pointer: '' });
    await hub.accounts.updateUser(user.id, { role: 'guest' });
    const caller = await use(hub, text);
    expect([canCaller(caller, 'device:read'), canCaller(caller, 'user:manage')]).toEqual([true, false]);
    await hub.accounts.removeUser(user.id);
    expect([await outcome(hub, text), hub.apiTokens.tokens()]).toEqual(['INVALID_TOKEN', []]);
    expect(await outcome(await reopenAuth(hub), text)).toBe('INVALID_TOKEN');
  });

  test('outlives a new password', async () => {
    const { hub, user, text } = await openWithToken();
    await hub.accounts.setPassword(user.id, { password: 'another quiet evening' }, { peer: PEER, pointer: '' });
    expect(await outcome(hub, text)).toBe('used');
  });

  test('A2: is refused in another spelling, longer, or in two headers', async () => {
    const { hub, text } = await openWithToken();
    for (const wrong of [
      `${text}a`,
      text.slice(0, -1),
      text.toUpperCase(),
      text.slice(4),
      `${text}${'a'.repeat(1024)}`,
    ]) {
      expect(await outcome(hub, wrong)).toBe('INVALID_TOKEN');
    }
    await expect((async () => hub.authenticate([`Bearer ${text}`, `Bearer ${text}`], PEER))()).rejects.toMatchObject({
      code: 'MALFORMED_REQUEST',
    });
    await expect(hub.signIn.refresh(text, PEER)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  test('is refused as the 65th of a person', async () => {
    const { hub, fresh } = await openWithToken();
    for (let count = 1; count < 64; count += 1) await hub.apiTokens.addToken(fresh);
    await expect(hub.apiTokens.addToken(fresh)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});

describe('the last use', () => {
  test('S6: is known at once, and written only at upkeep and only if there was one', async () => {
    const { hub, text } = await openWithToken();
    const before = hub.stores.writes.length;
    for (let count = 0; count < 100; count += 1) await use(hub, text, `192.168.1.${count}`);
    expect(hub.stores.writes.length).toBe(before);
    expect(hub.apiTokens.tokens()).toMatchObject([{ lastAddress: '192.168.1.99', lastUsedAtMs: hub.hubClock.nowMs() }]);
    await hub.apiTokens.upkeep();
    await hub.apiTokens.upkeep();
    expect(hub.stores.writes.slice(before)).toEqual(['touchApiTokens']);
    const later = await reopenAuth(hub);
    expect(later.apiTokens.tokens()).toMatchObject([{ lastAddress: '192.168.1.99' }]);
  });

  test('is not noted for a refused token', async () => {
    const { hub, text } = await openWithToken({ networks: ['10.0.0.0/8'] });
    await outcome(hub, text);
    expect(hub.apiTokens.tokens()).toMatchObject([{ lastUsedAtMs: null, lastAddress: null }]);
  });
});

test('A7: a dump of the database authenticates nothing', async () => {
  const { hub } = await openWithToken();
  const strings = [...hub.stores.apiTokens.values()].flatMap((token) => {
    const hash = Buffer.from(token.tokenHash);
    const forms = (['hex', 'base64', 'base64url', 'latin1'] as const).map((form) => hash.toString(form));
    return [token.id, token.name, ...forms, ...forms.map((form) => `hat_${form}`)];
  });
  expect(strings.length).toBeGreaterThan(8);
  for (const text of strings) expect(['INVALID_TOKEN', 'UNAUTHORIZED']).toContain(await outcome(hub, text));
});
