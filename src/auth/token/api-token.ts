import { createHash } from 'node:crypto';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { UserId } from '#core/person/user.ts';
import type { TokenScope } from '#auth/scope.ts';

declare const apiTokenId: unique symbol;
export type ApiTokenId = string & { readonly [apiTokenId]: never };

/** A key that a person gave to a script. All times are milliseconds in the token's own clock epoch. */
export type ApiToken = {
  readonly id: ApiTokenId;
  /** The token's owner. It can never do what that person cannot do. */
  readonly userId: UserId;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The rooms and devices that it covers, together. Both `null`: the whole home. */
  readonly roomIds: readonly RoomId[] | null;
  readonly deviceIds: readonly DeviceId[] | null;
  /** Subnets from which it may be used. `null`: from wherever the hub may be used. */
  readonly networks: readonly string[] | null;
  /** The provider for which a script with it may speak, if it has the right `device:provide`. */
  readonly provider: string | null;
  /** The hub made it for an integration: it goes when no integration names it. */
  readonly isMade?: true;
  /** A screen on the wall asked for it. */
  readonly kind?: 'wall';
  readonly createdAtMs: number;
  /** `null` if it is valid until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Clock epoch in which it was created. */
  readonly epoch: string;
  readonly lastUsedAtMs: number | null;
  /** Socket address of the last use. */
  readonly lastAddress: string | null;
  /** SHA-256 of its text. The text itself is not stored. */
  readonly tokenHash: Uint8Array;
};

export type ApiTokenUse = Pick<ApiToken, 'id'> & { readonly lastUsedAtMs: number; readonly lastAddress: string };

/** The store keeps the API tokens. A resolved promise means: on disk, safe from a power cut. */
export type ApiTokenStore = {
  /** In the order in which they were created. */
  readonly loadApiTokens: () => Promise<readonly ApiToken[]>;
  readonly insertApiToken: (token: ApiToken) => Promise<void>;
  readonly deleteApiTokens: (ids: readonly ApiTokenId[]) => Promise<void>;
  /** Does nothing for tokens that are gone. */
  readonly touchApiTokens: (uses: readonly ApiTokenUse[]) => Promise<void>;
};

/** Lets people, and tools that search for leaked secrets, recognise a token. */
export const API_TOKEN_PREFIX = 'hat_';

/** 256 bits need neither salt nor a slow hash. */
export function hashApiToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
