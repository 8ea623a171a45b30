import type { ApiToken, ApiTokenId, ApiTokenUse } from '#auth/token/api-token.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { UserId } from '#core/person/user.ts';
import type { Database } from '#storage/engine/database.ts';
import { revokeApiTokenRows } from './revoked-api-tokens.ts';

/** The API tokens: what `ApiTokenStore` asks, synchronously. Their ids sort in the order of making. */
export function createApiTokenTable(database: Database) {
  return {
    loadApiTokens: (): ApiToken[] =>
      database.all('SELECT * FROM api_token ORDER BY id').map((row) => tokenFromRow(row as ApiTokenRow)),
    insertApiToken: ({ id, userId, tokenHash, lastUsedAtMs, lastAddress, ...record }: ApiToken): void => {
      database.run(
        `INSERT INTO api_token (id, user_id, token_hash, record, last_used_at_ms, last_address)
         VALUES (?, ?, ?, ?, ?, ?)`,
        [id, userId, tokenHash, JSON.stringify(record), lastUsedAtMs, lastAddress],
      );
    },
    deleteApiTokens: (ids: readonly ApiTokenId[]): void =>
      database.transaction(() => revokeApiTokenRows(database, ids)),
    touchApiTokens: (uses: readonly ApiTokenUse[]): void =>
      database.transaction(() => {
        for (const { id, lastUsedAtMs, lastAddress } of uses) {
          database.run('UPDATE api_token SET last_used_at_ms = ?, last_address = ? WHERE id = ?', [
            lastUsedAtMs,
            lastAddress,
            id,
          ]);
        }
      }),
  };
}

/** Whether a record from a file of unknown origin is one that the hub can live with. */
export function isApiTokenRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { name, scopes, roomIds, deviceIds, networks, createdAtMs, expiresAtMs, epoch } = record;
  return (
    typeof name === 'string' &&
    typeof epoch === 'string' &&
    typeof createdAtMs === 'number' &&
    (expiresAtMs === null || typeof expiresAtMs === 'number') &&
    isTexts(scopes) &&
    (networks === null || isTexts(networks)) &&
    [roomIds, deviceIds].every((ids) => ids === null || isTexts(ids, isUuid))
  );
}

function isTexts(value: JsonValue | undefined, isGood: (text: string) => boolean = () => true): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isGood(item));
}

type ApiTokenRow = {
  readonly id: ApiTokenId;
  readonly user_id: UserId;
  readonly token_hash: Uint8Array;
  readonly record: string;
  readonly last_used_at_ms: number | null;
  readonly last_address: string | null;
};

function tokenFromRow(row: ApiTokenRow): ApiToken {
  const record = JSON.parse(row.record) as Omit<ApiToken, 'id' | 'userId' | 'tokenHash' | 'lastUsedAtMs'>;
  return {
    ...record,
    id: row.id,
    userId: row.user_id,
    tokenHash: row.token_hash,
    lastUsedAtMs: row.last_used_at_ms,
    lastAddress: row.last_address,
  };
}
