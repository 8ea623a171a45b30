import { createHash } from 'node:crypto';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { UserId } from '#core/person/user.ts';
import type { TokenScope } from '#auth/scope.ts';

declare const apiTokenId: unique symbol;
export type ApiTokenId = string & { readonly [apiTokenId]: never };

/** A key that a person gave to a script. All times are milliseconds as the token's own clock epoch counts them. */
export type ApiToken = {
  readonly id: ApiTokenId;
  /** Whose it is: it can never do what that person cannot. */
  readonly userId: UserId;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Rooms and devices that it is good for, together; both `null` for the whole home. */
  readonly roomIds: readonly RoomId[] | null;
  readonly deviceIds: readonly DeviceId[] | null;
  /** Subnets from which it may be used; `null` for all from which the hub may be. */
  readonly networks: readonly string[] | null;
  readonly createdAtMs: number;
  /** `null` for one that is good until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Clock epoch in which it was made. */
  readonly epoch: string;
  readonly lastUsedAtMs: number | null;
  /** Socket address of the last use. */
  readonly lastAddress: string | null;
  /** SHA-256 of its text, which is nowhere. */
  readonly tokenHash: Uint8Array;
};

export type ApiTokenUse = Pick<ApiToken, 'id'> & { readonly lastUsedAtMs: number; readonly lastAddress: string };

/** What the API tokens need kept. A resolved promise means: on disk, safe from a power cut. */
export type ApiTokenStore = {
  /** In the order in which they were made. */
  readonly loadApiTokens: () => Promise<readonly ApiToken[]>;
  readonly insertApiToken: (token: ApiToken) => Promise<void>;
  readonly deleteApiTokens: (ids: readonly ApiTokenId[]) => Promise<void>;
  /** Does nothing for those that are gone. */
  readonly touchApiTokens: (uses: readonly ApiTokenUse[]) => Promise<void>;
};

/** By which people, and tools that look for leaked secrets, know one. */
export const API_TOKEN_PREFIX = 'hat_';

/** 256 bits need neither salt nor a slow hash. */
export function hashApiToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
