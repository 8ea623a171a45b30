import type { UserId } from '#core/person/user.ts';
import type { ApiToken, ApiTokenId, ApiTokenUse } from './api-token.ts';
import type { TokenGrant } from '#auth/caller.ts';
import { createNetworkMatcher, type IsInNetworks } from './peer-networks.ts';

/** A live token with what each use needs of it, computed once. */
type ApiTokenEntry = {
  readonly token: ApiToken;
  readonly grant: TokenGrant;
  readonly isAllowedFrom: IsInNetworks;
};

/** The live tokens by id and by hash. Last uses are stored beside them, so that a request copies no token. */
type ApiTokenTable = {
  /** In the order in which they were added. */
  readonly all: () => readonly ApiToken[];
  readonly tokensOf: (userId: UserId) => readonly ApiToken[];
  readonly find: (id: ApiTokenId) => ApiTokenEntry | undefined;
  readonly findByHash: (hash: Uint8Array) => ApiTokenEntry | undefined;
  readonly put: (token: ApiToken) => void;
  /** Returns what was removed. */
  readonly remove: (id: ApiTokenId) => ApiToken | undefined;
  readonly touch: (use: ApiTokenUse) => void;
  /** Uses since the last call. */
  readonly takeTouched: () => readonly ApiTokenUse[];
};

export function createApiTokenTable(loaded: readonly ApiToken[]): ApiTokenTable {
  const byId = new Map<ApiTokenId, ApiTokenEntry>();
  const byHash = new Map<string, ApiTokenEntry>();
  const uses = new Map<ApiTokenId, ApiTokenUse>();
  const touched = new Set<ApiTokenId>();

  const put = (token: ApiToken): void => {
    const entry = entryFrom(token);
    byId.set(token.id, entry);
    byHash.set(hashKey(token.tokenHash), entry);
  };
  const all = (): ApiToken[] => [...byId.values()].map(({ token }) => ({ ...token, ...uses.get(token.id) }));
  for (const token of loaded) put(token);

  return {
    all,
    tokensOf: (userId) => all().filter((token) => token.userId === userId),
    find: (id) => byId.get(id),
    findByHash: (hash) => byHash.get(hashKey(hash)),
    put,
    remove: (id) => {
      const entry = byId.get(id);
      if (entry === undefined) return undefined;
      byId.delete(id);
      byHash.delete(hashKey(entry.token.tokenHash));
      uses.delete(id);
      touched.delete(id);
      return entry.token;
    },
    touch: (use) => {
      uses.set(use.id, use);
      touched.add(use.id);
    },
    takeTouched: () => {
      const taken = [...touched].flatMap((id) => uses.get(id) ?? []);
      touched.clear();
      return taken;
    },
  };
}

function entryFrom(token: ApiToken): ApiTokenEntry {
  const { id, scopes, roomIds, deviceIds, networks, provider } = token;
  const isLimited = roomIds !== null || deviceIds !== null;
  const limits = isLimited ? { rooms: new Set(roomIds), devices: new Set(deviceIds) } : undefined;
  return {
    token,
    grant: { id, scopes: new Set(scopes), limits, provider },
    isAllowedFrom: networks === null ? () => true : createNetworkMatcher(networks),
  };
}

function hashKey(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
