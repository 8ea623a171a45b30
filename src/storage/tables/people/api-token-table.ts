import type { ApiToken, ApiTokenId, ApiTokenUse } from '#auth/token/api-token.ts';
import {
  ifThere,
  isFlag,
  isId,
  isNumber,
  isText,
  listOf,
  oneOf,
  orNull,
  recordOf,
} from '#core/records/record-check.ts';
import type { UserId } from '#core/person/user.ts';
import type { Database } from '#storage/engine/database.ts';
import { insertSql, plain, recordColumnsOf } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

/** How many revoked tokens a database knows at most. A row takes some 150 bytes: 1.5 MB in all. */
const MAX_REVOKED = 10_000;

const COLUMNS = recordColumnsOf<ApiToken>({
  id: plain('id'),
  userId: plain('user_id'),
  tokenHash: plain('token_hash'),
  lastUsedAtMs: plain('last_used_at_ms'),
  lastAddress: plain('last_address'),
  provider: plain('provider'),
});
const INSERT = insertSql('api_token', COLUMNS.names);

const isApiTokenRecord = recordOf<ApiToken>({
  name: isText,
  epoch: isText,
  createdAtMs: isNumber,
  expiresAtMs: orNull(isNumber),
  scopes: listOf(isText),
  networks: orNull(listOf(isText)),
  roomIds: orNull(listOf(isId)),
  deviceIds: orNull(listOf(isId)),
  isMade: ifThere(isFlag),
  kind: ifThere(oneOf(['wall'])),
});

/** The API tokens, whose ids sort in the order of creation, and which of them were revoked. */
export const apiTokenTable = {
  open: openApiTokens,
  checks: [
    { since: 5, table: 'api_token', json: { record: isApiTokenRecord } },
    { since: 6, table: 'revoked_api_token', findFault: findTooManyRevoked },
  ],
  carryOver: carryRevoked,
} satisfies StoredNoun;

function openApiTokens({ database, sound }: NounDeps) {
  return {
    loadApiTokens: read((): ApiToken[] =>
      sound('api_token', database.all('SELECT * FROM api_token ORDER BY id')).map(COLUMNS.fromRow),
    ),
    insertApiToken: write((token: ApiToken): void => void database.run(INSERT, COLUMNS.valuesOf(token))),
    deleteApiTokens: write((ids: readonly ApiTokenId[]): void =>
      database.transaction(() => revokeApiTokenRows(database, ids)),
    ),
    touchApiTokens: write((uses: readonly ApiTokenUse[]): void =>
      database.transaction(() => {
        for (const { id, lastUsedAtMs, lastAddress } of uses) {
          database.run('UPDATE api_token SET last_used_at_ms = ?, last_address = ? WHERE id = ?', [
            lastUsedAtMs,
            lastAddress,
            id,
          ]);
        }
      }),
    ),
  };
}

/** Ends API tokens for good, inside the caller's transaction. */
function revokeApiTokenRows(database: Database, ids: readonly ApiTokenId[]): void {
  for (const id of ids) {
    database.run(
      'INSERT OR IGNORE INTO revoked_api_token (id, user_id) SELECT id, user_id FROM api_token WHERE id = ?',
      [id],
    );
    database.run('DELETE FROM api_token WHERE id = ?', [id]);
  }
  trim(database);
}

/** Ends all API tokens of a person, inside the caller's transaction. */
export function revokeApiTokenRowsOf(database: Database, userId: UserId): void {
  const rows = database.all('SELECT id FROM api_token WHERE user_id = ?', [userId]);
  revokeApiTokenRows(
    database,
    rows.map(({ id }) => id as ApiTokenId),
  );
}

/** Tokens revoked since the backup stay revoked. The backup may be of another hub: ids that it does not know do no harm. */
function carryRevoked(live: Database, restored: Database): void {
  const rows = live.all('SELECT id, user_id FROM revoked_api_token ORDER BY number');
  restored.transaction(() => {
    for (const { id = null, user_id: userId = null } of rows) {
      restored.run('INSERT OR IGNORE INTO revoked_api_token (id, user_id) VALUES (?, ?)', [id, userId]);
    }
    restored.run('DELETE FROM api_token WHERE id IN (SELECT id FROM revoked_api_token)');
    trim(restored);
  });
}

/** Drops the oldest entries of the people with the most, so that nobody can push out what others revoked. */
function trim(database: Database): void {
  const excess = countRevoked(database) - MAX_REVOKED;
  if (excess <= 0) return;
  database.run(
    `DELETE FROM revoked_api_token WHERE number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER (PARTITION BY user_id ORDER BY number DESC) AS place FROM revoked_api_token
       ) ORDER BY place DESC, number LIMIT ?)`,
    [excess],
  );
}

function countRevoked(database: Database): number {
  return Number(database.get('SELECT count(*) AS n FROM revoked_api_token')?.['n']);
}

/** The file's are merged with the live ones: a hub of ours never has more, and a long list would hold up each trim. */
function findTooManyRevoked(database: Database): string | undefined {
  return countRevoked(database) > MAX_REVOKED ? 'It knows too many API tokens.' : undefined;
}
