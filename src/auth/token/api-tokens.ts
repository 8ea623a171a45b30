import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { UserId } from '#core/person/user.ts';
import { limit } from '#words/limits.ts';
import {
  API_TOKEN_PREFIX,
  type ApiToken,
  type ApiTokenId,
  type ApiTokenStore,
  hashApiToken,
  type ApiTokenUse,
} from './api-token.ts';
import type { TokenGrant } from '#auth/caller.ts';
import { createNetworkMatcher, type IsInNetworks } from './peer-networks.ts';

export type NewApiToken = Pick<
  ApiToken,
  'userId' | 'name' | 'scopes' | 'roomIds' | 'deviceIds' | 'networks' | 'provider' | 'isMade' | 'kind'
> & {
  /** `null` if it is valid until it is revoked. */
  readonly expiresInS: number | null;
};

type TakenUse = { readonly userId: UserId; readonly grant: TokenGrant };

/** All API tokens, in memory. What must outlive a restart goes through the store. */
export type ApiTokens = Awaited<ReturnType<typeof openApiTokens>>;

type ApiTokensDeps = {
  readonly store: ApiTokenStore;
  readonly hubClock: HubClock;
  readonly random: Random;
  readonly newId: () => string;
  readonly log: Log;
  /** Called once the end is on disk, or the write has failed: the token has ended either way. */
  readonly onRevoked: (id: ApiTokenId, userId: UserId) => void;
};

const MAX_PER_USER = 64;
const SECRET_BYTES = 32;

/** Loads the tokens from the store. */
export async function openApiTokens(deps: ApiTokensDeps) {
  const { store, hubClock, random, onRevoked, log } = deps;
  const table = createApiTokenTable(await store.loadApiTokens());
  /** Ended, but not yet on disk. Tried again, so that no restart brings them back. */
  const pending = new Map<ApiTokenId, ApiToken>();
  const endPending = async (): Promise<void> => {
    const ids = [...pending.keys()];
    if (ids.length > 0) await store.deleteApiTokens(ids);
    for (const id of ids) pending.delete(id);
  };

  return {
    /** A token that has ended, but is still on disk. */
    findEnding: (id: ApiTokenId): ApiToken | undefined => pending.get(id),
    /** In the order in which they were created, with all times in the hub's present time. */
    tokens: (): readonly ApiToken[] => table.all().map((token) => inHubTime(token, hubClock)),
    /** Only this answer has the text. Throws HubError LIMIT_REACHED, and what `authorize` throws. */
    addToken: async (
      fresh: NewApiToken,
      terms: Pick<ChangeTerms, 'authorize'> = {},
    ): Promise<{ readonly token: ApiToken; readonly text: string }> => {
      if (table.tokensOf(fresh.userId).length >= MAX_PER_USER) {
        const reason = limit('most', { most: MAX_PER_USER });
        throw new HubError('LIMIT_REACHED', `A person can have at most ${MAX_PER_USER} API tokens.`, { reason });
      }
      const text = API_TOKEN_PREFIX + random(SECRET_BYTES).toString('base64url');
      const token = createToken(fresh, text, deps);
      terms.authorize?.();
      await store.insertApiToken(token);
      table.put(token);
      return { token, text };
    },
    /**
     * Ends the token at once. Rejects if the write fails: the same call then tries again. False if there is no such
     * token.
     */
    endToken: async (id: ApiTokenId): Promise<boolean> => {
      const token = table.remove(id);
      if (token !== undefined) pending.set(id, token);
      if (!pending.has(id)) return false;
      try {
        await endPending();
      } finally {
        if (token !== undefined) onRevoked(id, token.userId);
      }
      return true;
    },
    /** For a user whose removal is already on disk. */
    forgetTokensOf: (userId: UserId): void => {
      for (const { id } of table.tokensOf(userId)) if (table.remove(id) !== undefined) onRevoked(id, userId);
    },
    /**
     * Records one use. `undefined` if this is no token, and a promise of it if the token has expired: it resolves once
     * the expiry is on disk, so that no power cut revives the token. Throws HubError NETWORK_REFUSED.
     */
    takeUse: (text: string, peer: string): TakenUse | undefined | Promise<undefined> => {
      const entry = table.findByHash(hashApiToken(text));
      if (entry === undefined) return undefined;
      const { token, grant, isAllowedFrom } = entry;
      const nowMs = hubClock.nowInEpochMs(token.epoch);
      const { epoch, expiresAtMs } = token;
      // A token that never expires needs no clock: it stays valid on another machine, which has other epochs.
      if (expiresAtMs !== null && nowMs === undefined) return undefined;
      if (expiresAtMs !== null && nowMs !== undefined && nowMs >= expiresAtMs) {
        return hubClock.confirmPast(epoch, expiresAtMs).then(() => undefined);
      }
      if (!isAllowedFrom(peer)) {
        throw new HubError('NETWORK_REFUSED', `This API token may not be used from the address ${peer}.`);
      }
      table.touch({ id: token.id, lastUsedAtMs: nowMs ?? hubClock.nowMs(), lastAddress: peer });
      return { userId: token.userId, grant };
    },
    /** What a live token may do. `undefined` once it was revoked or has expired. Records no use. */
    findGrant: (id: ApiTokenId): TokenGrant | undefined => {
      const entry = table.find(id);
      const expiresAtMs = entry?.token.expiresAtMs ?? null;
      if (entry === undefined || expiresAtMs === null) return entry?.grant;
      const nowMs = hubClock.nowInEpochMs(entry.token.epoch);
      return nowMs !== undefined && nowMs < expiresAtMs ? entry.grant : undefined;
    },
    /** Writes last uses. To be called about hourly, and before the store closes. */
    upkeep: async (): Promise<void> => {
      try {
        await endPending();
      } catch (cause) {
        log.warn('the end of API tokens is not on disk yet', { tokens: pending.size, cause });
      }
      const touched = table.takeTouched();
      if (touched.length > 0) await store.touchApiTokens(touched);
    },
  };
}

function createToken({ expiresInS, ...fresh }: NewApiToken, text: string, deps: ApiTokensDeps): ApiToken {
  const nowMs = deps.hubClock.nowMs();
  return {
    ...fresh,
    id: deps.newId() as ApiTokenId,
    createdAtMs: nowMs,
    expiresAtMs: expiresInS === null ? null : nowMs + expiresInS * 1000,
    epoch: deps.hubClock.epoch(),
    lastUsedAtMs: null,
    lastAddress: null,
    tokenHash: hashApiToken(text),
  };
}

function inHubTime(token: ApiToken, hubClock: HubClock): ApiToken {
  const shiftMs = hubTimeShiftMs(hubClock, token.epoch);
  const moved = (ms: number | null): number | null => (ms === null ? null : ms + shiftMs);
  return {
    ...token,
    createdAtMs: token.createdAtMs + shiftMs,
    expiresAtMs: moved(token.expiresAtMs),
    lastUsedAtMs: moved(token.lastUsedAtMs),
  };
}

/** A live token with what each use needs of it, computed once. */
type ApiTokenEntry = {
  readonly token: ApiToken;
  readonly grant: TokenGrant;
  readonly isAllowedFrom: IsInNetworks;
};

/** The live tokens by id and by hash. Last uses are stored beside them, so that a request copies no token. */
function createApiTokenTable(loaded: readonly ApiToken[]) {
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
    /** In the order in which they were added. */
    all,
    tokensOf: (userId: UserId): readonly ApiToken[] => all().filter((token) => token.userId === userId),
    find: (id: ApiTokenId): ApiTokenEntry | undefined => byId.get(id),
    findByHash: (hash: Uint8Array): ApiTokenEntry | undefined => byHash.get(hashKey(hash)),
    put,
    /** Returns what was removed. */
    remove: (id: ApiTokenId): ApiToken | undefined => {
      const entry = byId.get(id);
      if (entry === undefined) return undefined;
      byId.delete(id);
      byHash.delete(hashKey(entry.token.tokenHash));
      uses.delete(id);
      touched.delete(id);
      return entry.token;
    },
    touch: (use: ApiTokenUse): void => {
      uses.set(use.id, use);
      touched.add(use.id);
    },
    /** Uses since the last call. */
    takeTouched: (): readonly ApiTokenUse[] => {
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
