import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AuthHarness, createTestClock, DAY_MS, openAuth, OWNER, PEER } from '#test/support/hub/auth-harness.ts';

type Claims = Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Claims => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

let hub: AuthHarness;
let hubClock: ReturnType<typeof createTestClock>;
let token: string;
let header: Claims;
let claims: Claims;

beforeEach(async () => {
  hubClock = createTestClock();
  hub = await openAuth({ hubClock });
  token = (await hub.setUp()).accessToken;
  [header = {}, claims = {}] = token.split('.').slice(0, 2).map(decode);
});

test('A6: an access token has only one spelling: padding or other unused bits of the signature are refused', async () => {
  const last = token.slice(-1);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const others = Array.from(alphabet).filter((letter) => alphabet.indexOf(letter) >> 2 === alphabet.indexOf(last) >> 2);
  const spellings = [`${token}=`, ...others.filter((letter) => letter !== last).map((one) => token.slice(0, -1) + one)];
  expect(spellings).toHaveLength(4);
  for (const spelling of spellings) await expect(hub.who(spelling)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect(await hub.who(token)).toBe(OWNER.email);
});

/** A token with the hub's own key, as only a fault of the hub could make it. */
function signed(claims: unknown, header: unknown, by: { key?: Uint8Array; hash?: string } = {}): string {
  const { key = hub.keys.access, hash = 'sha256' } = by;
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`;
}

describe('an access token', () => {
  test('A6: names issuer, audience, user, session and expiry, and nothing else', async () => {
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const [session] = hub.stores.sessions.values();
    expect(claims).toEqual({
      iss: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      aud: 'hearthd',
      sub: session?.userId,
      sid: session?.id,
      jti: expect.stringMatching(/^0\.[\w-]{16}$/),
      iat: hubClock.nowMs() / 1000,
      exp: hubClock.nowMs() / 1000 + 86_400,
      epoch: '0',
    });
    expect(token.length).toBeLessThan(512);
    const again = (await hub.logIn()).accessToken.split('.').slice(1, 2).map(decode)[0];
    expect(again?.['jti']).not.toBe(claims['jti']);
  });

  test('A6: exp − iat is 86400 at any moment of issue', async () => {
    for (const ms of [0, 1, 499, 999, 86_399_999]) {
      hubClock.advance(ms);
      const [, issued] = (await hub.logIn()).accessToken.split('.').slice(0, 2).map(decode);
      expect(Number(issued?.['exp']) - Number(issued?.['iat'])).toBe(86_400);
    }
  });

  test('A6: is valid for 24 hours and not a millisecond longer, seen before or not', async () => {
    const unseen = (await hub.logIn()).accessToken;
    expect(await hub.who(token)).toBe(OWNER.email);
    hubClock.advance(DAY_MS - 1);
    expect(await hub.who(token)).toBe(OWNER.email);
    hubClock.advance(1);
    await expect(hub.who(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(hub.who(unseen)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('A6: is accepted if signed as the hub signs, so that the refusals below mean something', async () => {
    expect(await hub.who(signed(claims, header))).toBe(OWNER.email);
  });
});

const otherKey = Buffer.alloc(32, 'other');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaSigned = (head: Claims): string => {
  const body = `${encode(head)}.${encode(claims)}`;
  return `${body}.${sign('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
};
const part = (index: number): string => token.split('.')[index] ?? '';

describe('A6: is refused', () => {
  test.each<[string, () => string]>([
    ['without a signature', () => `${part(0)}.${part(1)}.`],
    ['with alg none', () => `${encode({ ...header, alg: 'none' })}.${part(1)}.`],
    ['with alg None and the old signature', () => `${encode({ ...header, alg: 'None' })}.${part(1)}.${part(2)}`],
    ['with another key', () => signed(claims, header, { key: otherKey })],
    ['with an empty key', () => signed(claims, header, { key: Buffer.alloc(0) })],
    ['with the refresh key', () => signed(claims, header, { key: hub.keys.refresh })],
    ['with HS384 and the right key', () => signed(claims, { ...header, alg: 'HS384' }, { hash: 'sha384' })],
    ['with HS512 and the right key', () => signed(claims, { ...header, alg: 'HS512' }, { hash: 'sha512' })],
    ['with RS256', () => rsaSigned({ ...header, alg: 'RS256' })],
    [
      'with an embedded key',
      () => rsaSigned({ ...header, alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }), kid: 'mine' }),
    ],
    ['with kid that names a file', () => signed(claims, { ...header, kid: '/dev/null' }, { key: Buffer.alloc(0) })],
    [
      'with kid that names an address',
      () => signed(claims, { ...header, kid: 'http://x/', jku: 'http://x/' }, { key: otherKey }),
    ],
    ['with an unknown critical field', () => signed(claims, { ...header, crit: ['x'], x: 1 })],
    ['with b64 false', () => signed(claims, { ...header, crit: ['b64'], b64: false })],
    ['with typ JWT', () => signed(claims, { ...header, typ: 'JWT' })],
    ['without typ', () => signed(claims, { alg: 'HS256' })],
    ['with typ as a list', () => signed(claims, { ...header, typ: ['at+jwt'] })],
    ['with alg as a list', () => signed(claims, { ...header, alg: ['HS256'] })],
    ['from another hub', () => signed({ ...claims, iss: 'urn:uuid:0198f1c2-0000-7000-8000-000000000002' }, header)],
    ['for another audience', () => signed({ ...claims, aud: 'somebody' }, header)],
    ['of another epoch', () => signed({ ...claims, epoch: '1' }, header)],
    ['of an epoch that is no text', () => signed({ ...claims, epoch: 0 }, header)],
    ['with exp in the past', () => signed({ ...claims, exp: hubClock.nowMs() / 1000 }, header)],
    ['with exp as text', () => signed({ ...claims, exp: '99999999999' }, header)],
    ['with exp without end', () => signed({ ...claims, exp: null }, header)],
    ['with iat as text', () => signed({ ...claims, iat: 'now' }, header)],
    ['with another session', () => signed({ ...claims, sid: '0198f1c2-0000-7000-8000-000000000009' }, header)],
    ['with a session that is no text', () => signed({ ...claims, sid: { id: claims['sid'] } }, header)],
    ['with another user', () => signed({ ...claims, sub: '0198f1c2-0000-7000-8000-000000000009' }, header)],
    ['with a list of claims', () => signed([claims], header)],
    ['with claims that are null', () => signed(null, header)],
    ['with claims that are no JSON', () => `${part(0)}.${Buffer.from('{').toString('base64url')}.${part(2)}`],
    ['with a header that is no JSON', () => `${Buffer.from('{').toString('base64url')}.${part(1)}.${part(2)}`],
    ['in two parts', () => `${part(0)}.${part(1)}`],
    ['in five parts, as an encrypted one', () => `${part(0)}..${part(1)}.${part(2)}.x`],
    ['that is a refresh token', () => 'A'.repeat(91)],
    ['that is dots', () => '..'],
    ['that is one letter', () => 'x'],
    ['with padding', () => `${token}==`],
  ])('a token %s', async (_name, forge) => {
    const forged = forge();
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(hub.who(forged)).rejects.toMatchObject({
        code: 'INVALID_TOKEN',
        options: { headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="invalid_token"' } },
      });
    }
  });

  test.each(['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'epoch'])('a token without %s', async (name) => {
    const { [name]: _left, ...rest } = claims;
    await expect(hub.who(signed(rest, header))).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('a token with any byte of its signature or its claims changed', async () => {
    const [head = '', body = '', signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const forged = `${head}.${body}.${changed.toString('base64url')}`;
      await expect(hub.who(forged)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    }
    const forged = `${head}.${encode({ ...claims, sub: 'somebody' })}.${signature}`;
    await expect(hub.who(forged)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('every token, once the key was replaced', async () => {
    await hub.files.remove('access-token.key');
    const { stores, folder } = hub;
    const later = await openAuth({ stores, folder, hubClock });
    await expect(later.who(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(later.logIn({}, PEER)).resolves.toBeDefined();
  });
});
