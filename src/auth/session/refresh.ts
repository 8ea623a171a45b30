import type { UserId } from '#core/person/user.ts';
import { hashRefreshToken, isTokenOfHash, type RefreshToken, type RefreshTokens } from './refresh-token.ts';
import type { Session } from './session.ts';

/** The result of presenting a refresh token. `session` must be on disk before the answer is sent. */
export type RefreshOutcome =
  | { readonly kind: 'granted'; readonly session: Session; readonly token: RefreshToken }
  | { readonly kind: 'refused' }
  /** A token that was replaced long ago came back, so a copy of it exists. */
  | { readonly kind: 'reused'; readonly userId: UserId };

/** A second tab may still hold the token that the first tab has just replaced. */
const GRACE_MS = 60_000;
const MAX_KEPT_SPENT = 16;

/** Applies the rules for sessions with and without rotation. `nowMs` is in the session's epoch. */
export function refreshSession(
  session: Session,
  token: RefreshToken,
  deps: { readonly tokens: RefreshTokens; readonly nowMs: number },
): RefreshOutcome {
  const { tokens, nowMs } = deps;
  if (nowMs >= session.expiresAtMs) return { kind: 'refused' };
  if (!session.rotating) {
    return isTokenOfHash(token, session.tokenHash) ? { kind: 'granted', session, token } : { kind: 'refused' };
  }
  if (token.generation < session.generation) return refreshWithSpent(session, token, deps);
  const current = token.generation === session.generation ? session : spendToken(session, token.generation, nowMs);
  if (current === undefined || !isTokenOfHash(token, current.tokenHash)) return { kind: 'refused' };
  const successor = tokens.successorOf(token, session.userId);
  return { kind: 'granted', session: { ...current, nextTokenHash: hashRefreshToken(successor) }, token: successor };
}

/**
 * The session after the first use of its pending successor, or of an access token issued with that (`generation`): the
 * successor becomes current, the token before it spent. `undefined` if `generation` is not the pending one.
 */
export function spendToken(session: Session, generation: number, nowMs: number): Session | undefined {
  if (session.nextTokenHash === null || generation !== session.generation + 1) return undefined;
  const inGrace = session.spentAtMs.filter((spentAtMs) => nowMs - spentAtMs < GRACE_MS);
  return {
    ...session,
    generation,
    tokenHash: session.nextTokenHash,
    nextTokenHash: null,
    spentAtMs: [nowMs, ...inGrace].slice(0, MAX_KEPT_SPENT),
  };
}

/** Within its grace a spent token yields the current one: the hub derives the same successors again. */
function refreshWithSpent(
  session: Session,
  token: RefreshToken,
  deps: { readonly tokens: RefreshTokens; readonly nowMs: number },
): RefreshOutcome {
  if (!deps.tokens.isGenuine(token, session.userId)) return { kind: 'refused' };
  const spentAtMs = session.spentAtMs[session.generation - 1 - token.generation];
  if (spentAtMs === undefined || deps.nowMs - spentAtMs >= GRACE_MS) return { kind: 'reused', userId: session.userId };
  let successor = token;
  while (successor.generation < session.generation) successor = deps.tokens.successorOf(successor, session.userId);
  if (!isTokenOfHash(successor, session.tokenHash)) return { kind: 'refused' };
  return { kind: 'granted', session, token: successor };
}
