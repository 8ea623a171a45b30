import { HubError } from '#base/hub-error.ts';
import { createLogTurn, type Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { User } from '#core/person/user.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { AuditType } from '#auth/audit/audit-entry.ts';
import type { Admission, LoginThrottle } from './login-throttle.ts';
import type { RefreshToken } from '#auth/session/refresh-token.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';

/** The peer that sends a password, and the user it is for. */
type PasswordTry = {
  readonly peer: string;
  readonly user: User | undefined;
  /** A session that the hub gave to this user. Its tries are counted separately. */
  readonly sessionId: SessionId | undefined;
};

/**
 * Allows tries of secrets as often as the throttle does, and records failures in the audit log. Throws
 * TOO_MANY_REQUESTS, before any work, for a try that is not allowed now.
 */
export type SignInGuard = {
  /** Returns the answer of the check. A try whose check throws is not counted. */
  readonly tryLogin: (login: PasswordTry & { readonly email: string }, check: PasswordCheck) => Promise<boolean>;
  /** As `tryLogin`, for a caller that already has a session. */
  readonly tryPassword: (own: PasswordTry & { readonly user: User }, check: () => Promise<boolean>) => Promise<boolean>;
  /**
   * As `tryPassword`, for the digits of a screen on the wall. Right ones take back this one try: they would else clear the
   * way for more passwords, and anybody can have digits of their own.
   */
  readonly tryDigits: (own: PasswordTry & { readonly user: User }, check: () => boolean) => Promise<boolean>;
  /** Returns the result of the task. Only INVALID_CLAIM_CODE counts as a failure. */
  readonly tryClaim: <Result>(peer: string, task: () => Promise<Result>) => Promise<Result>;
  readonly noteForeignToken: (peer: string) => void;
};

/** `isKnown`: the hub knows the client, whose check then runs before those of others. */
type PasswordCheck = (isKnown: boolean) => Promise<boolean>;

type Checked = {
  readonly failure: AuditType;
  readonly check: () => Promise<boolean>;
  readonly whenRight?: 'succeed' | 'cancel';
};

const MINUTE_MS = 60_000;

export function createSignInGuard(deps: {
  readonly throttle: LoginThrottle;
  readonly audit: Audit;
  readonly monotonicMs: () => number;
  readonly log: Log;
}): SignInGuard {
  const { throttle, audit, log } = deps;
  const inTurn = createTurnQueue();
  const takeTurn = createLogTurn(MINUTE_MS, deps.monotonicMs);
  const refuse = (retryAfterS: number, who: Pick<PasswordTry, 'peer'> & Partial<PasswordTry>): HubError => {
    const { peer, user } = who;
    void audit.record({ type: 'login.throttled', peer, userId: user?.id });
    const turn = takeTurn();
    if (turn !== undefined) {
      const more = turn.withheld === 0 ? {} : { refused_since_last_line: turn.withheld };
      log.warn('too many wrong passwords, codes or tokens: tries are slowed down', { peer, ...more });
    }
    const unit = retryAfterS === 1 ? 'second' : 'seconds';
    return new HubError('TOO_MANY_REQUESTS', `There were too many tries: try again in ${retryAfterS} ${unit}.`, {
      retryAfterS,
    });
  };
  const tryPassword = async (
    who: PasswordTry,
    admission: Admission,
    { failure, check, whenRight = 'succeed' }: Checked,
  ): Promise<boolean> => {
    if (admission.kind === 'refused') throw refuse(admission.retryAfterS, who);
    const { attempt } = admission;
    let fits: boolean;
    try {
      fits = await check();
    } catch (cause) {
      attempt.cancel();
      throw cause;
    }
    const { peer, user, sessionId } = who;
    if (fits) attempt[whenRight]();
    else void audit.record({ type: failure, peer, userId: user?.id, sessionId });
    return fits;
  };

  return {
    tryLogin: ({ email, ...who }, check) => {
      const client = clientOf(who);
      const admission =
        client === undefined ? throttle.admitLogin({ peer: who.peer, email }) : throttle.admitClient(client);
      return tryPassword(who, admission, { failure: 'login.failed', check: () => check(client !== undefined) });
    },
    tryPassword: (own, check) => {
      const client = clientOf(own) ?? own.user.id;
      return tryPassword(own, throttle.admitClient(client), { failure: 'password.refused', check });
    },
    tryDigits: (own, check) => {
      const admission = throttle.admitClient(clientOf(own) ?? own.user.id);
      const failure = 'wall_code.refused';
      return tryPassword(own, admission, { failure, check: async () => check(), whenRight: 'cancel' });
    },
    // One at a time, so that each of many parallel tries sees the result of those before it.
    tryClaim: (peer, task) =>
      inTurn(async () => {
        const admission = throttle.admitClaim(peer);
        if (admission.kind === 'refused') throw refuse(admission.retryAfterS, { peer });
        try {
          const result = await task();
          admission.attempt.succeed();
          return result;
        } catch (cause) {
          if (!(cause instanceof HubError) || cause.code !== 'INVALID_CLAIM_CODE') admission.attempt.cancel();
          else void audit.record({ type: 'claim.failed', peer });
          throw cause;
        }
      }),
    noteForeignToken: (peer) => {
      void audit.record({ type: 'token.refused', peer });
      const retryAfterS = throttle.noteForeignToken(peer);
      if (retryAfterS !== undefined) throw refuse(retryAfterS, { peer });
    },
  };
}

function clientOf({ user, sessionId }: Pick<PasswordTry, 'user' | 'sessionId'>): string | undefined {
  return user === undefined || sessionId === undefined ? undefined : `${user.id} ${sessionId}`;
}

/** The session of an earlier refresh token, sent at login so that the hub knows the client. */
export function sessionOfClient(
  token: RefreshToken | undefined,
  user: User | undefined,
  sessions: Pick<Sessions, 'isOfKnownClient'>,
): SessionId | undefined {
  if (token === undefined || user === undefined) return undefined;
  return sessions.isOfKnownClient(token, user.id) ? token.sessionId : undefined;
}
