import type { HubClock } from '#base/time/hub-clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { AccessClaims, AccessTokens } from '#auth/session/access-token.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { User, UserId } from '#core/person/user.ts';
import { API_TOKEN_PREFIX, type ApiTokenId } from '#auth/token/api-token.ts';
import type { ApiTokens } from '#auth/token/api-tokens.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';
import type { Caller, SessionCaller, TokenCaller } from './caller.ts';

/**
 * Finds the caller from the raw values of the Authorization header. Throws or rejects with a HubError. Returns at once,
 * without a promise, for a token that was seen before.
 */
export type Authenticate = (authorization: readonly string[], peer: string) => Caller | Promise<Caller>;

const MAX_HEADER_LENGTH = 1024;
const CREDENTIALS = /^bearer +([\w.~+/-]+=*) *$/i;
/** The same for known and unknown paths; who is just logging in may have a wrong one. */
const NO_TOKEN =
  'This call needs an access token. Without one the hub does not say whether there is anything at this path.';
const MAX_VERIFIED_HALF = 512;

/**
 * RFC 6750 §3.1: several headers are a malformed request (400, `invalid_request`); no header, another scheme or
 * `Bearer` without a token carry no bearer token at all (401 without an error code); a token that is too long, of wrong
 * syntax, expired, revoked or foreign is `invalid_token` (401). So 401 always means: get a new token. An API token used
 * from a network that it does not allow gets 403: a new token would not help.
 */
export function createAuthenticate(deps: {
  readonly accessTokens: AccessTokens;
  readonly sessions: Sessions;
  readonly accounts: Pick<Accounts, 'findUser' | 'isOver' | 'endOver'>;
  readonly apiTokens: Pick<ApiTokens, 'takeUse' | 'findGrant'>;
  readonly hubClock: HubClock;
}): Authenticate {
  const { accessTokens, sessions, accounts, apiTokens, hubClock } = deps;
  const verified = createVerifiedTokens();

  const liveUser = (id: UserId): User => {
    const user = accounts.findUser(id);
    if (user === undefined || accounts.isOver(user)) throw invalidToken();
    return user;
  };
  /** Ends what the person has first, so that no power cut brings it back after the refusal. */
  const refuseIfOver = (id: UserId): Promise<never> | undefined => {
    const user = accounts.findUser(id);
    if (user === undefined || user.hasEnded || !accounts.isOver(user)) return undefined;
    return accounts.endOver().then(() => Promise.reject(invalidToken()));
  };
  const sessionCaller = (sessionId: SessionId, userId: UserId): SessionCaller => {
    const user = liveUser(userId);
    if (sessions.findSession(sessionId) === undefined) throw invalidToken();
    return { kind: 'session', sessionId, user, current: () => sessionCaller(sessionId, userId) };
  };
  const tokenCaller = (id: ApiTokenId, userId: UserId): TokenCaller => {
    const user = liveUser(userId);
    const grant = apiTokens.findGrant(id);
    if (grant === undefined) throw invalidToken();
    return { kind: 'api_token', grant, user, current: () => tokenCaller(id, userId) };
  };

  const refuseExpired = async ({ epoch, expiresAtMs }: AccessClaims): Promise<never> => {
    await hubClock.confirmPast(epoch, expiresAtMs);
    throw invalidToken();
  };
  const callerOf = (claims: AccessClaims, peer: string): Caller | Promise<never> => {
    const nowMs = hubClock.nowInEpochMs(claims.epoch);
    if (nowMs === undefined || accounts.findUser(claims.userId) === undefined) throw invalidToken();
    if (nowMs >= claims.expiresAtMs) return refuseExpired(claims);
    const refused = refuseIfOver(claims.userId);
    if (refused !== undefined) return refused;
    if (!sessions.noteUse(claims.sessionId, claims.generation, peer)) throw invalidToken();
    return sessionCaller(claims.sessionId, claims.userId);
  };
  const scriptOf = (token: string, peer: string): Caller | Promise<never> => {
    const use = apiTokens.takeUse(token, peer);
    if (use instanceof Promise) return use.then(() => Promise.reject(invalidToken()));
    if (use === undefined) throw invalidToken();
    return refuseIfOver(use.userId) ?? tokenCaller(use.grant.id, use.userId);
  };
  const verify = async (header: string, token: string, peer: string): Promise<Caller> => {
    const claims = await accessTokens.verify(token);
    if (claims === undefined) throw invalidToken();
    const caller = await callerOf(claims, peer);
    verified.keep(header, token, claims);
    return caller;
  };

  return (authorization, peer) => {
    const [header = '', ...others] = authorization;
    if (others.length > 0) throw severalHeaders();
    const claims = verified.find(header);
    if (claims !== undefined) return callerOf(claims, peer);
    if (!/^bearer +[^ ]/i.test(header)) throw noToken();
    const token = header.length > MAX_HEADER_LENGTH ? undefined : CREDENTIALS.exec(header)?.[1];
    if (token === undefined) throw invalidToken();
    return token.startsWith(API_TOKEN_PREFIX) ? scriptOf(token, peer) : verify(header, token, peer);
  };
}

function noToken(): HubError {
  return new HubError('UNAUTHORIZED', NO_TOKEN, {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd"' },
  });
}

function invalidToken(): HubError {
  return new HubError('INVALID_TOKEN', 'The access token has expired, was revoked, or belongs to another hub.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="invalid_token"' },
  });
}

function severalHeaders(): HubError {
  return new HubError('MALFORMED_REQUEST', 'There is more than one Authorization header.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="invalid_request"' },
  });
}

/**
 * The claims of access tokens that were verified lately, so that each is verified once and not at every request.
 * Keyed by the whole Authorization header, not by its SHA-256: a look-up costs a tenth, and nothing leaks. Only
 * verified tokens get in, and an attacker who reads this memory reads the signing key as well. Signature and claims
 * never change; what may change, lifetime and session, the caller checks at every use.
 *
 * Keeps about the last thousand tokens in two halves: when the young half is full, the old one is dropped.
 */
function createVerifiedTokens() {
  let young = new Map<string, AccessClaims>();
  let old = new Map<string, AccessClaims>();
  const put = (authorization: string, claims: AccessClaims): void => {
    if (young.size >= MAX_VERIFIED_HALF) {
      old = young;
      young = new Map();
    }
    young.set(authorization, claims);
  };
  return {
    find: (authorization: string): AccessClaims | undefined => {
      const recent = young.get(authorization);
      if (recent !== undefined) return recent;
      const older = old.get(authorization);
      if (older !== undefined) put(authorization, older);
      return older;
    },
    keep: (authorization: string, token: string, claims: AccessClaims): void => {
      // One spelling per token only: otherwise a client could fill the memory with many spellings of its own token.
      if (authorization === `Bearer ${token}`) put(authorization, claims);
    },
  };
}
