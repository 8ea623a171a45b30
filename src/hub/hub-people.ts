import { hkdfSync } from 'node:crypto';
import { hostname } from 'node:os';
import { type Accounts, openAccounts } from '#auth/account/accounts.ts';
import { type Audit, startAudit } from '#auth/audit/audit.ts';
import { type AuditHistory, createAuditHistory } from '#auth/audit/audit-history.ts';
import { type Authenticate, createAuthenticate } from '#auth/authenticate.ts';
import { createAccessTokens } from '#auth/session/access-token.ts';
import { type Keys, openKeys } from '#auth/session/keys.ts';
import { createRefreshTokens } from '#auth/session/refresh-token.ts';
import { openSessions, type Sessions } from '#auth/session/sessions.ts';
import { type Claim, openClaim } from '#auth/sign-in/claim.ts';
import { createLoginThrottle } from '#auth/sign-in/login-throttle.ts';
import { createPasswordHasher, type PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { createSignIn, type SignIn } from '#auth/sign-in/sign-in.ts';
import { createSignInGuard, type SignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import { type ApiTokens, openApiTokens } from '#auth/token/api-tokens.ts';
import { createWallRequests, type WallRequests } from '#auth/token/wall-requests.ts';
import { createSecretFiles, type SecretFiles } from '#base/secret-files.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { repeat } from '#base/time/repeat.ts';
import { secretsFolder } from '#config/config.ts';
import { createRequestKeys, type RequestKeys } from '#core/request-key/request-keys.ts';
import { forgetPerson, type ForgetPersonDeps } from '#core/past/answer/presence-history.ts';
import { type HomeViews, openHomeViews } from '#core/home-view/home-view.ts';
import type { UserId } from '#core/person/user.ts';
import type { HubContext } from './hub-context.ts';

/** Event streams look by themselves, every 2 s. */
const END_CHECK_MS = 5_000;

/** Accounts, their sessions and tokens, signing in, and the audit log. */
export type People = {
  readonly homeViews: HomeViews;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly wallRequests: WallRequests;
  readonly signIn: SignIn;
  readonly signInGuard: SignInGuard;
  readonly claim: Claim;
  readonly authenticate: Authenticate;
  readonly audit: Audit;
  readonly auditHistory: AuditHistory;
  readonly requestKeys: RequestKeys;
  /** Makes the fingerprints of requests. */
  readonly fingerprintKey: Buffer;
  /** Calls the listener when a person's rights change or a session or token ends, so that what is under way is checked again. */
  readonly onRightsChanged: (listener: () => void) => void;
};

type PeopleDeps = HubContext & Pick<ForgetPersonDeps, 'forgetTraces'>;

/** Reads the people from the storage, and adds the undo of each started part to the stop list. */
export async function openPeople(deps: PeopleDeps): Promise<People> {
  const { storage, hubClock, random, log, stops, identity, events, newId } = deps;
  const rights = createSubscribers<[]>(log);
  const files = createSecretFiles(secretsFolder(deps.config));
  const audit = startAudit({
    store: storage.audit,
    hubClock,
    syncedWallMs: () => (hubClock.isSynced() ? deps.clock.wallMs() : null),
    monotonicMs: deps.clock.monotonicMs,
    startTimer: deps.startTimer,
    log: log.part('audit'),
  });
  stops.add('the audit log', audit.stop);
  const keys = await openKeys(files, { random, log });
  const sessions = await openSessions({
    store: storage.sessions,
    tokens: createRefreshTokens(keys.refresh, random),
    hubClock,
    newId,
    log,
    onRevoked: (sessionId, userId) => {
      events.append({ type: 'session.revoked', sessionId, userId });
      rights.tell();
    },
  });
  stops.add('sessions', sessions.upkeep);
  const apiTokens = await openApiTokens({
    store: storage.apiTokens,
    hubClock,
    random,
    newId,
    log,
    onRevoked: (tokenId, userId) => {
      events.append({ type: 'api_token.revoked', tokenId, userId });
      rights.tell();
    },
  });
  stops.add('API tokens', apiTokens.upkeep);
  const hasher = createPasswordHasher({ random });
  const opened = await openAccounts({
    store: storage.users,
    sessions,
    hasher,
    hubClock,
    newId,
    log,
    hubNames: () => [hostname(), identity.identity().name],
    onTokensEnded: apiTokens.forgetTokensOf,
    onRightsChanged: ({ id }) => {
      events.markView(id);
      rights.tell();
    },
    onEnded: (userId) => void audit.record({ type: 'user.ended', peer: null, userId }),
  });
  const accounts = forgetPresence(opened, deps);
  // The time of a person may have come while the hub was off.
  await accounts.endOver();
  stops.add(
    'the watch for people whose time is over',
    repeat(deps.startTimer, END_CHECK_MS, () => void accounts.endOver()),
  );
  const signingIn = await openSigningIn(deps, { files, keys, hasher, accounts, sessions, apiTokens, audit });
  const homeViews = await openHomeViews(storage.homeViews);
  return {
    ...signingIn,
    homeViews,
    accounts,
    sessions,
    apiTokens,
    wallRequests: createWallRequests({ monotonicMs: deps.clock.monotonicMs, random, newId }),
    audit,
    auditHistory: createAuditHistory({ store: storage.audit, hubClock }),
    requestKeys: createRequestKeys({ store: storage.requestKeys, hubClock, log: log.part('http') }),
    fingerprintKey: Buffer.from(hkdfSync('sha256', keys.access, '', 'fingerprints of requests', 32)),
    onRightsChanged: rights.add,
  };
}

type SigningIn = Pick<People, 'claim' | 'signIn' | 'signInGuard' | 'authenticate'>;
type SigningInParts = Pick<People, 'accounts' | 'sessions' | 'apiTokens' | 'audit'> & {
  readonly files: SecretFiles;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
};

async function openSigningIn(
  { hubClock, random, log, identity, clock, announceClaimCode: announce }: HubContext,
  { files, keys, hasher, accounts, sessions, apiTokens, audit }: SigningInParts,
): Promise<SigningIn> {
  const { monotonicMs } = clock;
  const claim = await openClaim({ files, random, log, monotonicMs, announce, isClaimed: accounts.hasOwner });
  const accessTokens = createAccessTokens({ key: keys.access, hubId: identity.identity().id, hubClock, random });
  const nameHub = (name: string): Promise<void> => identity.update({ name });
  const throttle = createLoginThrottle({ monotonicMs, random });
  const signInGuard = createSignInGuard({ throttle, audit, monotonicMs, log });
  const access = { accounts, sessions, accessTokens, hubClock };
  const signIn = createSignIn({ ...access, hasher, claim, log, nameHub, guard: signInGuard, audit });
  return { claim, signIn, signInGuard, authenticate: createAuthenticate({ ...access, apiTokens }) };
}

/** Deletes with a person where they have been. */
function forgetPresence(accounts: Accounts, { storage, hubClock, log, forgetTraces }: PeopleDeps): Accounts {
  return {
    ...accounts,
    removeUser: async (id, change) => {
      await accounts.removeUser(id, change);
      await forgetPerson({ ...storage, forgetTraces }, id, hubClock.nowMs()).catch((cause: unknown) => {
        log.warn('the presence of a removed person is deleted within an hour', { cause });
      });
    },
  };
}

/** The people who live here: guests do not. */
export function residentsOf({ users }: Pick<Accounts, 'users'>): readonly UserId[] {
  return users().flatMap(({ id, role }) => (role === 'guest' ? [] : [id]));
}
