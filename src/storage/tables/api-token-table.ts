import type { ApiToken, ApiTokenId, ApiTokenUse } from '#auth/token/api-token.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { UserId } from '#core/person/user.ts';
import type { Database } from '#storage/engine/database.ts';

/** How many revoked tokens a database knows at most. A row takes some 150 bytes: 1.5 MB in all. */
export const MAX_REVOKED = 10_000;

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

/** Ends API tokens for good, inside the caller's transaction. */
export function revokeApiTokenRows(database: Database, ids: readonly ApiTokenId[]): void {
  for (const id of ids) {
    database.run(
      'INSERT OR IGNORE INTO revoked_api_token (id, user_id) SELECT id, user_id FROM api_token WHERE id = ?',
      [id],
    );
    database.run('DELETE FROM api_token WHERE id = ?', [id]);
  }
  trim(database);
}

/** The same for all of a person's. */
export function revokeApiTokenRowsOf(database: Database, userId: UserId): void {
  const rows = database.all('SELECT id FROM api_token WHERE user_id = ?', [userId]);
  revokeApiTokenRows(
    database,
    rows.map(({ id }) => id as ApiTokenId),
  );
}

/** What one database knows to be revoked is revoked in another too; ids of another hub are nobody's there. */
export function carryRevokedApiTokens(from: Database, to: Database): void {
  const rows = from.all('SELECT id, user_id FROM revoked_api_token ORDER BY number');
  to.transaction(() => {
    for (const { id = null, user_id: userId = null } of rows) {
      to.run('INSERT OR IGNORE INTO revoked_api_token (id, user_id) VALUES (?, ?)', [id, userId]);
    }
    to.run('DELETE FROM api_token WHERE id IN (SELECT id FROM revoked_api_token)');
    trim(to);
  });
}

/** The oldest of who has the most goes first: nobody can wash out what others revoked. */
function trim(database: Database): void {
  const excess = countRevokedApiTokens(database) - MAX_REVOKED;
  if (excess <= 0) return;
  database.run(
    `DELETE FROM revoked_api_token WHERE number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER (PARTITION BY user_id ORDER BY number DESC) AS place FROM revoked_api_token
       ) ORDER BY place DESC, number LIMIT ?)`,
    [excess],
  );
}

export function countRevokedApiTokens(database: Database): number {
  return Number(database.get('SELECT count(*) AS n FROM revoked_api_token')?.['n']);
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
