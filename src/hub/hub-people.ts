import { hostname } from 'node:os';
import { type Accounts, openAccounts } from '#auth/account/accounts.ts';
import { type Audit, startAudit } from '#auth/audit/audit.ts';
import { type AuditHistory, createAuditHistory } from '#auth/audit/audit-history.ts';
import { type Authenticate, createAuthenticate } from '#auth/authenticate.ts';
import { createAccessTokens } from '#auth/session/access-token.ts';
import { openKeys } from '#auth/session/keys.ts';
import { createRefreshTokens } from '#auth/session/refresh-token.ts';
import { openSessions, type Sessions } from '#auth/session/sessions.ts';
import { type Claim, openClaim } from '#auth/sign-in/claim.ts';
import { createLoginThrottle } from '#auth/sign-in/login-throttle.ts';
import { createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { createSignIn, type SignIn } from '#auth/sign-in/sign-in.ts';
import { createSignInGuard, type SignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import { type ApiTokens, openApiTokens } from '#auth/token/api-tokens.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import type { StopList } from '#base/stop-list.ts';
import { repeat } from '#base/time/repeat.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { forgetPerson, type ForgetPersonDeps } from '#core/past/answer/presence-history.ts';
import { type HomeViews, openHomeViews } from '#core/home-view/home-view.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { Storage } from '#storage/storage.ts';

/** Event streams look by themselves, every 2 s. */
const END_CHECK_MS = 5_000;

/** Accounts, their sessions and tokens, signing in, and the audit log. */
export type People = {
  readonly homeViews: HomeViews;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly signIn: SignIn;
  readonly signInGuard: SignInGuard;
  readonly claim: Claim;
  readonly authenticate: Authenticate;
  readonly audit: Audit;
  readonly auditHistory: AuditHistory;
};

export type PeopleDeps = {
  readonly config: Config;
  readonly storage: Pick<Storage, 'users' | 'sessions' | 'apiTokens' | 'audit' | 'history' | 'homeViews'>;
  readonly clock: Clock;
  readonly hubClock: Omit<OpenHubClock, 'stop'>;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  readonly announceClaimCode: (code: string) => void;
  readonly identity: HubIdentity;
  readonly events: Pick<EventLog, 'append' | 'markView'>;
  readonly newId: () => string;
  /** Called when a person's rights change, so that what is under way is checked again. */
  readonly onRightsChanged: () => void;
  /** Deletes what automations kept of the presence of people. */
  readonly forgetTraces: ForgetPersonDeps['forgetTraces'];
};

/** Reads the people from the storage, and adds the undo of each started part to the stop list. */
export async function openPeople(deps: PeopleDeps, stops: StopList): Promise<People> {
  const { storage, hubClock, random, log, identity, events, newId } = deps;
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
  const auditHistory = createAuditHistory({ store: storage.audit, hubClock });
  const keys = await openKeys(files, { random, log });
  const sessions = await openSessions({
    store: storage.sessions,
    tokens: createRefreshTokens(keys.refresh, random),
    hubClock,
    newId,
    log,
    onRevoked: (sessionId, userId) => events.append({ type: 'session.revoked', sessionId, userId }),
  });
  stops.add('sessions', sessions.upkeep);
  const hasher = createPasswordHasher({ random });
  const hubNames = (): string[] => [hostname(), identity.identity().name];
  const apiTokens = await openApiTokens({
    store: storage.apiTokens,
    hubClock,
    random,
    newId,
    log,
    onRevoked: (tokenId, userId) => events.append({ type: 'api_token.revoked', tokenId, userId }),
  });
  stops.add('API tokens', apiTokens.upkeep);
  const users = {
    store: storage.users,
    hubNames,
    onTokensEnded: apiTokens.forgetTokensOf,
    onRightsChanged: ({ id }: User) => {
      events.markView(id);
      deps.onRightsChanged();
    },
    onEnded: (userId: UserId) => void audit.record({ type: 'user.ended', peer: null, userId }),
  };
  const accounts = forgetPresence(await openAccounts({ ...users, sessions, hasher, hubClock, newId, log }), deps);
  // The time of a person may have come while the hub was off.
  await accounts.endOver();
  stops.add(
    'the watch for people whose time is over',
    repeat(deps.startTimer, END_CHECK_MS, () => void accounts.endOver()),
  );
  const { monotonicMs } = deps.clock;
  const claimDeps = { files, random, log, monotonicMs, announce: deps.announceClaimCode };
  const claim = await openClaim({ ...claimDeps, isClaimed: accounts.hasOwner });
  const accessTokens = createAccessTokens({ key: keys.access, hubId: identity.identity().id, hubClock, random });
  const nameHub = (name: string): Promise<void> => identity.update({ name });
  const throttle = createLoginThrottle({ monotonicMs, random });
  const guard = createSignInGuard({ throttle, audit, monotonicMs, log });
  const way = { accounts, sessions, accessTokens, hasher, claim, hubClock, log, nameHub };
  const signIn = createSignIn({ ...way, guard, audit });
  const authenticate = createAuthenticate({ accessTokens, sessions, accounts, apiTokens, hubClock });
  const homeViews = await openHomeViews(storage.homeViews);
  return {
    homeViews,
    accounts,
    sessions,
    apiTokens,
    signIn,
    signInGuard: guard,
    claim,
    authenticate,
    audit,
    auditHistory,
  };
}

/** Where a person has been goes with the person. */
function forgetPresence(accounts: Accounts, { storage, hubClock, log, forgetTraces }: PeopleDeps): Accounts {
  return {
    ...accounts,
    removeUser: async (id, given) => {
      await accounts.removeUser(id, given);
      await forgetPerson({ ...storage, forgetTraces }, id, hubClock.nowMs()).catch((cause: unknown) => {
        log.warn('the presence of a removed person is deleted within an hour', { cause });
      });
    },
  };
}
