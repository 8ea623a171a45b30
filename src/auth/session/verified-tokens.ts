import type { AccessClaims } from './access-token.ts';

/** The claims of access tokens that were verified lately, so that each is verified once and not at every request. */
type VerifiedTokens = {
  readonly find: (authorization: string) => AccessClaims | undefined;
  readonly keep: (authorization: string, token: string, claims: AccessClaims) => void;
};

const MAX_HALF = 512;

/**
 * Keyed by the whole Authorization header, not by its SHA-256: a look-up costs a tenth, and nothing leaks. Only
 * verified tokens get in, and an attacker who reads this memory reads the signing key as well. Signature and claims
 * never change; what may change, lifetime and session, the caller checks at every use.
 *
 * Keeps about the last thousand tokens in two halves: when the young half is full, the old one is dropped.
 */
export function createVerifiedTokens(): VerifiedTokens {
  let young = new Map<string, AccessClaims>();
  let old = new Map<string, AccessClaims>();
  const put = (authorization: string, claims: AccessClaims): void => {
    if (young.size >= MAX_HALF) {
      old = young;
      young = new Map();
    }
    young.set(authorization, claims);
  };
  return {
    find: (authorization) => {
      const recent = young.get(authorization);
      if (recent !== undefined) return recent;
      const older = old.get(authorization);
      if (older !== undefined) put(authorization, older);
      return older;
    },
    keep: (authorization, token, claims) => {
      // One spelling per token only: otherwise a client could fill the memory with many spellings of its own token.
      if (authorization === `Bearer ${token}`) put(authorization, claims);
    },
  };
}
