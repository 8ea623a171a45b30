import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import type { HubClock } from '#base/time/hub-clock.ts';
import type { Random } from '#base/random.ts';
import type { UserId } from '#core/person/user.ts';
import type { Session, SessionId } from './session.ts';

/** The claims of a token of this hub, after its signature, type, issuer, audience and lifetime were checked. */
export type AccessClaims = {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly generation: number;
  readonly epoch: string;
  /** In the time of that epoch. */
  readonly expiresAtMs: number;
};

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export const ACCESS_TOKEN_S = 86_400;

const ALGORITHM = 'HS256';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const TYPE = 'at+jwt';
const AUDIENCE = 'hearthd';
const REQUIRED = ['sub', 'sid', 'jti', 'iat', 'exp', 'epoch'];

/** JWTs as RFC 9068 defines them, with one key, one algorithm and one type (RFC 8725 §3.1, §3.11). */
export function createAccessTokens(deps: {
  readonly key: Uint8Array;
  readonly hubId: string;
  readonly hubClock: HubClock;
  readonly random: Random;
}) {
  const { hubClock, random } = deps;
  // Imported once: given the raw key, jose would import it for each token, which takes as long as signing.
  const imported = crypto.subtle.importKey('raw', deps.key, HMAC, false, ['sign', 'verify']);
  const issuer = `urn:uuid:${deps.hubId}`;

  return {
    issue: async (session: Pick<Session, 'id' | 'userId'>, generation: number): Promise<string> => {
      // Whole seconds, which every JWT reader understands. Rounding down makes the lifetime shorter, never longer.
      const issuedAtS = Math.floor(hubClock.nowMs() / 1000);
      return new SignJWT({ sid: session.id, epoch: hubClock.epoch() })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(session.userId)
        .setJti(`${generation}.${random(12).toString('base64url')}`)
        .setIssuedAt(issuedAtS)
        .setExpirationTime(issuedAtS + ACCESS_TOKEN_S)
        .sign(await imported);
    },
    /** `undefined` unless this is an unexpired token of this hub. Does not check whether its session is alive. */
    verify: async (token: string): Promise<AccessClaims | undefined> => {
      if (!isCanonical(token)) return undefined;
      let epoch = '';
      try {
        // Read before the signature is checked, only to choose the clock for that check.
        epoch = textOf(decodeJwt(token)['epoch']);
        const nowMs = hubClock.nowInEpochMs(epoch);
        if (nowMs === undefined) return undefined;
        const { payload } = await jwtVerify(token, await imported, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer,
          audience: AUDIENCE,
          requiredClaims: REQUIRED,
          currentDate: new Date(nowMs),
        });
        return {
          sessionId: textOf(payload['sid']) as SessionId,
          userId: textOf(payload.sub) as UserId,
          generation: Number.parseInt(textOf(payload.jti), 10),
          epoch,
          expiresAtMs: (payload.exp ?? 0) * 1000,
        };
      } catch (cause) {
        if (!(cause instanceof errors.JOSEError)) throw cause;
        // jose checks the signature first, so a token that it calls expired is one of this hub.
        if (cause instanceof errors.JWTExpired) await hubClock.confirmPast(epoch, (cause.payload.exp ?? 0) * 1000);
        return undefined;
      }
    },
  };
}

/** Several base64url texts decode to one signature (RFC 4648 section 3.5). The hub issues only the canonical one. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** A claim that is no string becomes one that names nothing. */
function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
