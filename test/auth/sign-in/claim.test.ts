import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClaimCode, isSameClaimCode, readClaimCode, showClaimCode } from '#auth/sign-in/claim.ts';
import type { HubError } from '#base/hub-error.ts';
import { systemRandom } from '#base/random.ts';
import {
  type AuthHarness,
  createTestClock,
  openAuth,
  OWNER,
  PEER,
  reopenAuth,
} from '#test/support/hub/auth-harness.ts';

const MINUTE_MS = 60_000;

const wrongCode = (code = ''): string => (code.startsWith('2') ? '3' : '2') + code.slice(1);

function setUpWith(hub: AuthHarness, claimCode: string, change: Partial<typeof OWNER> & { hubName?: string } = {}) {
  return hub.signIn.setUp({ ...OWNER, claimCode, hubName: null, clientName: null, rotating: false, ...change }, PEER);
}

describe('the code', () => {
  test('A5: is XXXX-XXXX in Crockford’s base32 with 40 random bits', () => {
    const codes = Array.from({ length: 2000 }, () => showClaimCode(createClaimCode(systemRandom)));
    expect(codes.filter((code) => !/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(code))).toEqual([]);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
    expect(new Set(codes).size).toBe(2000);
  });

  test.each(['0A1Z-9KMX', '0a1z9kmx', 'OAIZ-9KMX', 'oalz-9kmx', ' 0A1Z 9KMX\n', '0-A-1-Z-9-K-M-X'])(
    'A5: %j is read as people mean it',
    (text) => {
      expect(readClaimCode(text)).toBe('0A1Z9KMX');
    },
  );

  test.each(['', '0A1Z-9KM', '0A1Z-9KMXX', '0A1Z-9KMU', '0A1Z_9KMX', 'ΟA1Z-9KMX'])('A5: %j is no code', (text) => {
    expect(readClaimCode(text)).toBeUndefined();
  });

  test('A5: codes are compared whole', () => {
    expect(isSameClaimCode('0A1Z9KMX', '0A1Z9KMX')).toBe(true);
    expect(isSameClaimCode('0A1Z9KMX', '0A1Z9KMY')).toBe(false);
    expect(isSameClaimCode('', '0A1Z9KMX')).toBe(false);
  });
});

describe('claiming the hub', () => {
  test('A5: the code is announced at each start, kept in a file across restarts, and removed once used', async () => {
    const first = await openAuth();
    const hub = await reopenAuth(first);
    const code = first.claim.code() ?? '';
    expect([...first.announced, ...hub.announced]).toEqual([code, code]);
    expect(readFileSync(join(hub.folder, 'claim-code'), 'utf8')).toBe(`${code}\n`);
    await setUpWith(hub, code.toLowerCase());
    expect(hub.claim.code()).toBeUndefined();
    expect(await hub.files.read('claim-code')).toBeUndefined();
    const later = await reopenAuth(hub);
    expect([later.claim.code(), later.announced]).toEqual([undefined, []]);
  });

  test('A5: makes the owner, names the hub and signs in', async () => {
    const hub = await openAuth();
    const { user, accessToken } = await setUpWith(hub, hub.claim.code() ?? '', { hubName: 'Casa' });
    expect(user).toMatchObject({ email: OWNER.email, role: 'owner' });
    expect(await hub.who(accessToken)).toBe(OWNER.email);
    expect(hub.hubNames).toEqual(['Casa']);
    await expect(setUpWith(hub, 'any')).rejects.toMatchObject({ code: 'ALREADY_CLAIMED' });
  });

  test('A5: nine wrong codes leave the code, the tenth makes a new one that is announced and kept', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    const code = hub.claim.code() ?? '';
    for (let tries = 0; tries < 9; tries += 1) {
      hubClock.advance(MINUTE_MS);
      await expect(setUpWith(hub, wrongCode(code))).rejects.toMatchObject({ code: 'INVALID_CLAIM_CODE' });
    }
    expect(hub.claim.code()).toBe(code);
    hubClock.advance(MINUTE_MS);
    await expect(setUpWith(hub, '')).rejects.toMatchObject({ code: 'INVALID_CLAIM_CODE' });
    const fresh = hub.claim.code() ?? '';
    expect(fresh).not.toBe(code);
    expect(hub.announced).toEqual([code, fresh]);
    hubClock.advance(10 * MINUTE_MS);
    await expect(setUpWith(hub, code)).rejects.toMatchObject({ code: 'INVALID_CLAIM_CODE' });
    expect((await reopenAuth(hub)).claim.code()).toBe(fresh);
    hubClock.advance(5 * MINUTE_MS);
    await expect(setUpWith(hub, fresh)).resolves.toBeDefined();
  });

  test('A5: neighbours who replace the code while its owner types it in do not keep the owner out', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    const code = hub.claim.code() ?? '';
    const setUp = (claimCode: string, peer: string) =>
      hub.signIn.setUp({ ...OWNER, claimCode, hubName: null, clientName: null, rotating: false }, peer);
    for (let peer = 1; peer <= 40; peer += 1) {
      const tried = setUp(wrongCode(code), `192.168.7.${peer}`);
      await expect(tried).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_CLAIM_CODE|TOO_MANY_REQUESTS/),
      });
    }
    // Ten tries are free, then one in 30 s, so that the code cannot be replaced again before it is typed in.
    expect(hub.announced).toHaveLength(2);
    const first = await setUp(code, '192.168.7.200').catch((cause: HubError) => cause);
    expect(first).toMatchObject({ code: 'TOO_MANY_REQUESTS', options: { retryAfterS: 30 } });
    hubClock.advance(30_000);
    await expect(setUp(code, '192.168.7.200')).resolves.toBeDefined();
  });

  test('A9: a peer has to wait after five wrong codes, so that the code on the console stays a while', async () => {
    const hubClock = createTestClock();
    const hub = await openAuth({ hubClock });
    const code = hub.claim.code() ?? '';
    const tries = Array.from({ length: 30 }, () => setUpWith(hub, wrongCode(code)).catch((cause: unknown) => cause));
    const codes = (await Promise.all(tries)).map((cause) => (cause as HubError).code);
    expect(codes.filter((one) => one === 'INVALID_CLAIM_CODE')).toHaveLength(5);
    expect(codes.filter((one) => one === 'TOO_MANY_REQUESTS')).toHaveLength(25);
    expect(hub.claim.code()).toBe(code);
    hubClock.advance(2_000);
    await expect(setUpWith(hub, code)).resolves.toBeDefined();
    expect(hub.audited.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 5 }, () => 'claim.failed'),
      ...Array.from({ length: 25 }, () => 'login.throttled'),
      'hub.claimed',
    ]);
  });

  test('A5: of twenty at once exactly one becomes the owner', async () => {
    const hub = await openAuth();
    const code = hub.claim.code() ?? '';
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => setUpWith(hub, code, { email: `person${index}@example.org` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(refusals)).toEqual(new Set(['ALREADY_CLAIMED']));
    expect([...hub.stores.users.values()]).toHaveLength(1);
    expect(hub.accounts.users()).toHaveLength(1);
  });

  test('A4, A5: a weak password is refused and does not use up the code', async () => {
    const hub = await openAuth();
    const code = hub.claim.code() ?? '';
    await expect(setUpWith(hub, code, { password: 'password123' })).rejects.toMatchObject({
      code: 'WEAK_PASSWORD',
      options: { errors: [{ pointer: '/password' }] },
    });
    await expect(setUpWith(hub, code, { password: 'short' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      options: { errors: [{ pointer: '/password', code: 'TOO_SHORT' }] },
    });
    await expect(setUpWith(hub, code)).resolves.toBeDefined();
  });

  test('A5: if writing the owner fails, the hub is unclaimed and the same request works later', async () => {
    const hub = await openAuth();
    const code = hub.claim.code() ?? '';
    hub.stores.failWith = new Error('disk full');
    await expect(setUpWith(hub, code)).rejects.toThrow('disk full');
    hub.stores.failWith = undefined;
    expect(hub.accounts.hasOwner()).toBe(false);
    await expect(setUpWith(hub, code)).resolves.toBeDefined();
  });

  test('A5: a damaged code file gives a new code, and a folder that takes no write a code until the next start', async () => {
    const hub = await openAuth();
    writeFileSync(join(hub.folder, 'claim-code'), 'garbage');
    expect((await reopenAuth(hub)).claim.code()).toMatch(/^.{4}-.{4}$/);
    const readOnly = await openAuth({ folder: '/dev/null/secrets' });
    expect(readOnly.claim.code()).toMatch(/^.{4}-.{4}$/);
    expect(readOnly.lines.join()).toContain('changes with a restart');
  });
});
