import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessTokens } from '#auth/session/access-token.ts';
import { openAccounts } from '#auth/account/accounts.ts';
import { openApiTokens } from '#auth/token/api-tokens.ts';
import { createWallRequests } from '#auth/token/wall-requests.ts';
import { createAuthenticate } from '#auth/authenticate.ts';
import type { SessionCaller } from '#auth/caller.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { AuditHistory } from '#auth/audit/audit-history.ts';
import { openClaim } from '#auth/sign-in/claim.ts';
import { openKeys } from '#auth/session/keys.ts';
import { createPasswordHasher, type PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { createRefreshTokens } from '#auth/session/refresh-token.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { createLoginThrottle } from '#auth/sign-in/login-throttle.ts';
import { openSessions } from '#auth/session/sessions.ts';
import { createSignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import { createSignIn, type LogInRequest } from '#auth/sign-in/sign-in.ts';
import type { HubClock } from '#base/time/hub-clock.ts';
import { systemRandom } from '#base/random.ts';
import { createUuidSource } from '#base/uuid.ts';
import { createMemoryStores, type MemoryStores } from './memory-stores.ts';
import { createRecordingLog } from './recording-log.ts';

export const OWNER = { email: 'Anna@Example.org', password: 'lamp quilt orbit', name: 'Anna' };
export const PEER = '192.168.1.20';
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const START_MS = Date.UTC(2026, 0, 1);

/** Cheap hashing, so that a test can log in a hundred times. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export type AuthHarness = Awaited<ReturnType<typeof openAuth>>;

let folders: string | undefined;

/** All below one folder that ends with this process, because a property test creates thousands. */
export function createSecretFolder(): string {
  const parent = folders ?? mkdtempSync(join(tmpdir(), 'hearthd-auth-'));
  if (folders === undefined) process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
  folders = parent;
  return join(mkdtempSync(join(parent, 'hub-')), 'secrets');
}

export type TestClock = HubClock & {
  readonly advance: (ms: number) => void;
  /** Moments that callers confirmed to be past for good. */
  readonly confirmed: readonly number[];
};

/** A hub clock with a single epoch. */
export function createTestClock(startMs = START_MS): TestClock {
  let nowMs = startMs;
  const confirmed: number[] = [];
  return {
    nowMs: () => nowMs,
    epoch: () => '0',
    nowInEpochMs: (asked) => (asked === '0' ? nowMs : undefined),
    confirmPast: async (_, momentMs) => void confirmed.push(momentMs),
    advance: (ms) => void (nowMs += ms),
    confirmed,
  };
}

/** All of auth, put together as the daemon does it, over stores, a folder and a clock that outlive a restart. */
export async function openAuth(
  given: {
    stores?: MemoryStores;
    folder?: string;
    hubClock?: HubClock;
    hasher?: PasswordHasher;
    maxPerUser?: number;
  } = {},
) {
  const { stores = createMemoryStores(), folder = createSecretFolder(), hubClock = createTestClock() } = given;
  const { hasher = createPasswordHasher({ random: systemRandom, cost: CHEAP }) } = given;
  const { log, lines } = createRecordingLog();
  const revoked: string[] = [];
  const announced: string[] = [];
  const hubNames: string[] = [];
  const random = systemRandom;
  const files = createSecretFiles(folder);
  const keys = await openKeys(files, { random, log });
  const newId = createUuidSource(hubClock.nowMs, random);
  const sessions = await openSessions({
    store: stores.sessionStore,
    tokens: createRefreshTokens(keys.refresh, random),
    hubClock,
    newId,
    log,
    onRevoked: (id) => void revoked.push(id),
    ...(given.maxPerUser === undefined ? {} : { maxPerUser: given.maxPerUser }),
  });
  const apiTokens = await openApiTokens({
    store: stores.apiTokenStore,
    hubClock,
    random,
    newId,
    log,
    onRevoked: (id) => void revoked.push(id),
  });
  const hubNamesNow = (): string[] => ['kitchen-hub', ...hubNames];
  const accounts = await openAccounts({
    store: stores.userStore,
    sessions,
    hasher,
    hubClock,
    newId,
    hubNames: hubNamesNow,
    onTokensEnded: apiTokens.forgetTokensOf,
    onRightsChanged: () => undefined,
    onEnded: () => undefined,
    log,
  });
  const accessTokens = createAccessTokens({
    key: keys.access,
    hubId: '0198f1c2-0000-7000-8000-000000000001',
    hubClock,
    random,
  });
  const claim = await openClaim({
    files,
    random,
    log,
    monotonicMs: hubClock.nowMs,
    isClaimed: accounts.hasOwner,
    announce: (code) => void announced.push(code),
  });
  const nameHub = async (name: string): Promise<void> => void hubNames.push(name);
  const audited: AuditEvent[] = [];
  const audit: Audit = { record: async (event) => void audited.push(event) };
  const monotonicMs = hubClock.nowMs;
  const throttle = createLoginThrottle({ monotonicMs, random });
  const guard = createSignInGuard({ throttle, audit, monotonicMs, log });
  const way = { accounts, sessions, accessTokens, hasher, claim, hubClock, log, nameHub };
  const signIn = createSignIn({ ...way, guard, audit });
  const authenticate = createAuthenticate({ accessTokens, sessions, accounts, apiTokens, hubClock });
  const auditHistory: AuditHistory = { list: async () => ({ records: [], total: 0, hasMore: false }) };
  return {
    audit,
    audited,
    auditHistory,
    stores,
    folder,
    hubClock,
    hasher,
    keys,
    sessions,
    apiTokens,
    accounts,
    accessTokens,
    claim,
    signIn,
    signInGuard: guard,
    wallRequests: createWallRequests({ monotonicMs, random, newId }),
    authenticate,
    lines,
    revoked,
    announced,
    hubNames,
    files,
    setUp: () =>
      signIn.setUp({ ...OWNER, claimCode: claim.code() ?? '', hubName: null, clientName: null, rotating: false }, PEER),
    logIn: (change: Partial<LogInRequest> = {}, peer = PEER) =>
      signIn.logIn({ ...OWNER, clientName: null, rotating: false, clientToken: null, ...change }, peer),
    /** The login of an access token. */
    session: async (token: string): Promise<SessionCaller> => {
      const caller = await authenticate([`Bearer ${token}`], PEER);
      if (caller.kind !== 'session') throw new Error('this is the token of a script');
      return caller;
    },
    /** The e-mail address of the user of a token; rejects with the refusal. */
    who: async (token: string, peer = PEER) => {
      const caller = await authenticate([`Bearer ${token}`], peer);
      return caller.user.email;
    },
  };
}

/** The same hub after a restart of its process. */
export function reopenAuth(hub: AuthHarness, hubClock: HubClock = hub.hubClock): Promise<AuthHarness> {
  const { stores, folder } = hub;
  return openAuth({ stores, folder, hubClock });
}
