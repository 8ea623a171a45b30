import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { UserId } from '#core/person/user.ts';
import type { Database } from '#storage/engine/database.ts';

/** How many of them a database knows at most. A row takes some 150 bytes: 1.5 MB in all. */
export const MAX_REVOKED = 10_000;

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
