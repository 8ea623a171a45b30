import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { HubClock } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { User } from '#core/person/user.ts';
import type { AccessTokens } from '#auth/session/access-token.ts';
import { wrongPassword, type Accounts, type UserChange } from '#auth/account/accounts.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { SessionCaller } from '#auth/caller.ts';
import type { Claim } from './claim.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { readRefreshToken, type RefreshToken } from '#auth/session/refresh-token.ts';
import type { Session } from '#auth/session/session.ts';
import type { NewSession, Sessions } from '#auth/session/sessions.ts';
import { sessionOfClient, type SignInGuard } from './sign-in-guard.ts';
import { faultWords } from '#words/faults.ts';

export type LogInRequest = {
  readonly email: string;
  readonly password: string;
  readonly clientName: string | null;
  readonly rotating: boolean;
  /** An earlier refresh token of this user, by which the throttle recognises the client. */
  readonly clientToken: string | null;
};
type SetUpRequest = Pick<LogInRequest, 'email' | 'password' | 'clientName' | 'rotating'> & {
  readonly claimCode: string;
  readonly name: string;
  /** `null` leaves the hub's name as it is. */
  readonly hubName: string | null;
};
export type SignedIn = {
  readonly user: User;
  readonly session: Session;
  readonly accessToken: string;
  readonly refreshToken: string;
};
type Refreshed = {
  readonly session: Session;
  readonly accessToken: string;
  /** `null` if the presented one stays valid. */
  readonly refreshToken: string | null;
  /** Whole seconds until the refresh token expires. */
  readonly refreshExpiresInS: number;
};

/**
 * The ways to get tokens, and the changes that need a password. Failures are HubErrors; TOO_MANY_REQUESTS if secrets
 * are tried too often. `peer` is the socket address of the client.
 */
export type SignIn = ReturnType<typeof createSignIn>;

type SignInDeps = {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
  readonly hasher: PasswordHasher;
  readonly claim: Claim;
  readonly guard: SignInGuard;
  readonly audit: Audit;
  readonly hubClock: HubClock;
  readonly log: Log;
  readonly nameHub: (name: string) => Promise<void>;
};

export function createSignIn(deps: SignInDeps) {
  const { accounts, hasher, claim, guard, audit } = deps;
  const confirmPassword = async (caller: SessionCaller, password: string, peer: string): Promise<void> => {
    const { user, sessionId } = caller;
    const check = (): Promise<boolean> => hasher.verifyKnown(user.passwordHash, password, user.id);
    if (!(await guard.tryPassword({ peer, user, sessionId }, check))) throw wrongPassword();
  };
  return {
    /**
     * Throws INVALID_CREDENTIALS for a wrong password as for an unknown e-mail address and for a person whose time is
     * over, after the same work.
     */
    logIn: (request: LogInRequest, peer: string): Promise<SignedIn> => logIn(request, peer, deps),
    refresh: (refreshToken: string, peer: string): Promise<Refreshed> => refresh(refreshToken, peer, deps),
    /** Creates the first owner. Throws ALREADY_CLAIMED, INVALID_CLAIM_CODE, WEAK_PASSWORD. */
    setUp: ({ claimCode, hubName, clientName, rotating, ...owner }: SetUpRequest, peer: string): Promise<SignedIn> =>
      guard.tryClaim(peer, () =>
        claim.redeem(claimCode, async () => {
          // The name goes first: if writing it fails, the hub is still unclaimed and the same request can be repeated.
          if (hubName !== null) await deps.nameHub(hubName);
          const user = await accounts.addFirstOwner(owner, { peer, pointer: '/password' });
          const started = await startSession(user, { clientName, address: peer, rotating }, deps);
          await audit.record({ type: 'hub.claimed', peer, userId: user.id, sessionId: started.session.id });
          return started;
        }),
      ),
    /** Also ends every other session of the caller. Throws WRONG_PASSWORD, WEAK_PASSWORD. */
    changePassword: async (
      caller: SessionCaller,
      change: { readonly currentPassword: string; readonly newPassword: string },
      peer: string,
    ): Promise<void> => {
      const { id, passwordHash } = caller.user;
      await confirmPassword(caller, change.currentPassword, peer);
      await accounts.setPassword(
        id,
        {
          password: change.newPassword,
          keep: caller.sessionId,
          ifHash: passwordHash,
          authorize: () => void caller.current(),
        },
        { peer, pointer: '/new_password' },
      );
      await audit.record({ type: 'password.changed', peer, userId: id, sessionId: caller.sessionId });
    },
    /**
     * Changes the caller's own account. A new e-mail address needs the current password, because the address serves to
     * log in: an attacker at an open session must not be able to take over the account. Throws VALIDATION_FAILED,
     * WRONG_PASSWORD, EMAIL_TAKEN.
     */
    changeOwnAccount: async (
      caller: SessionCaller,
      {
        currentPassword,
        email,
        ...change
      }: Pick<UserChange, 'name' | 'email'> & { readonly currentPassword: string | undefined },
      peer: string,
    ): Promise<User> => {
      const { id, passwordHash } = caller.user;
      if (email === undefined || email === caller.user.email) {
        return accounts.updateUser(id, change, { authorize: () => void caller.current() });
      }
      if (currentPassword === undefined) throw passwordNeeded();
      await confirmPassword(caller, currentPassword, peer);
      const authorize = (now: User): void => {
        caller.current();
        if (now.passwordHash !== passwordHash) throw wrongPassword();
      };
      return accounts.updateUser(id, { ...change, email }, { authorize });
    },
  };
}

function passwordNeeded(): HubError {
  return validationFailed(
    [fieldError('/current_password', 'REQUIRED', ...faultWords('needed_for_email'))],
    'A change of the e-mail address needs the current password.',
  );
}

async function logIn(request: LogInRequest, peer: string, deps: SignInDeps): Promise<SignedIn> {
  const { accounts, sessions, hasher } = deps;
  const { email, password, clientToken } = request;
  const known = accounts.findUserByEmail(email);
  const phc = known?.passwordHash ?? hasher.dummyPhc;
  const token = clientToken === null ? undefined : readRefreshToken(clientToken);
  const sessionId = sessionOfClient(token, known, sessions);
  const fits = await deps.guard.tryLogin({ peer, email, user: known, sessionId }, async (isKnown) => {
    const isRight =
      isKnown && known !== undefined
        ? await hasher.verifyKnown(phc, password, known.id)
        : await hasher.verify(phc, password, peer);
    // Inside of the try, so that its right password counts as a wrong one everywhere: nobody learns that it is right.
    return isRight && !isClosed(known, accounts);
  });
  if (known === undefined || !fits) {
    throw new HubError('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong.');
  }
  // The password may have changed while it was being verified: the new session must not outlive that change.
  const started = await accounts.inTurn(async () => {
    const user = accounts.findUser(known.id);
    if (user?.passwordHash !== phc || accounts.isOver(user)) return undefined;
    const { clientName, rotating } = request;
    return startSession(user, { clientName, address: peer, rotating }, deps);
  });
  if (started === undefined) return logIn(request, peer, deps);
  const { user, session } = started;
  await deps.audit.record({ type: 'login.succeeded', peer, userId: user.id, sessionId: session.id });
  if (hasher.isOutdated(phc)) await rehash(user, password, { ...deps, peer });
  return started;
}

function isClosed(known: User | undefined, { findUser, isOver }: Accounts): boolean {
  const user = known && findUser(known.id);
  return user !== undefined && isOver(user);
}

/** Hashes the password again if its hash has less than today's cost. The login succeeds even if this fails. */
async function rehash(user: User, password: string, deps: SignInDeps & { readonly peer: string }): Promise<void> {
  try {
    await deps.accounts.replaceHash(user.id, await deps.hasher.hash(password, deps.peer), user.passwordHash);
  } catch (cause) {
    deps.log.warn('a password hash keeps its old cost until the next login', { user: user.id, cause });
  }
}

/** Signs the access token while the session is written to disk. Returns once both are done. */
async function startSession(
  user: User,
  client: Omit<NewSession, 'userId'>,
  { sessions, accessTokens }: SignInDeps,
): Promise<SignedIn> {
  const { session, token, onDisk } = sessions.startSession({ userId: user.id, ...client });
  const [accessToken] = await Promise.all([accessTokens.issue(session, session.generation), onDisk]);
  return { user, session, accessToken, refreshToken: token.text };
}

async function refresh(text: string, peer: string, deps: SignInDeps): Promise<Refreshed> {
  const presented = readRefreshToken(text);
  const userId = presented && deps.sessions.findSession(presented.sessionId)?.userId;
  const isOver = userId !== undefined && isClosed(deps.accounts.findUser(userId), deps.accounts);
  const outcome = presented === undefined || isOver ? undefined : await deps.sessions.refresh(presented, peer);
  if (outcome?.kind === 'reused') {
    const sessionId = presented?.sessionId;
    await deps.audit.record({ type: 'token.reused', peer, userId: outcome.userId, sessionId });
  }
  if (outcome?.kind !== 'granted') {
    if (outcome?.kind !== 'reused' && !isOwnToken(presented, deps)) deps.guard.noteForeignToken(peer);
    throw new HubError('INVALID_REFRESH_TOKEN', 'The refresh token is unknown, expired or revoked: log in again.');
  }
  const { session, token } = outcome;
  const nowMs = deps.hubClock.nowInEpochMs(session.epoch) ?? session.expiresAtMs;
  return {
    session,
    accessToken: await deps.accessTokens.issue(session, token.generation),
    refreshToken: session.rotating ? token.text : null,
    refreshExpiresInS: Math.floor((session.expiresAtMs - nowMs) / 1000),
  };
}

/** This hub issued the token, and it or its session has ended: not a guess. */
function isOwnToken(token: RefreshToken | undefined, { accounts, sessions }: SignInDeps): boolean {
  return token !== undefined && accounts.users().some((user) => sessions.isGenuine(token, user.id));
}
