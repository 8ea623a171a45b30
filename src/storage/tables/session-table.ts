import type { Session, SessionId } from '#auth/session/session.ts';
import type { UserId } from '#core/person/user.ts';
import type { Database, SqlValue } from '#storage/engine/database.ts';

export type SessionTouch = Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>;

const COLUMNS = [
  'id',
  'user_id',
  'client_name',
  'address',
  'created_at_ms',
  'last_used_at_ms',
  'expires_at_ms',
  'epoch',
  'rotating',
  'generation',
  'token_hash',
  'next_token_hash',
  'spent_at_ms',
] as const;
const INSERT = `INSERT INTO session (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const UPDATE = `UPDATE session SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

/** Their ids sort in the order of making. */
const MAX_REUSED = 1_000;

/** The logins: what `SessionStore` asks, synchronously; touches are written by the value writer. */
export function createSessionTable(database: Database) {
  return {
    loadSessions: (): Session[] =>
      database.all('SELECT * FROM session ORDER BY id').map((row) => sessionFromRow(row as SessionRow)),
    loadReusedSessions: (): SessionId[] =>
      database.all('SELECT id FROM reused_session ORDER BY id').map((row) => row['id'] as SessionId),
    insertReusedSession: (id: SessionId): void =>
      database.transaction(() => {
        database.run('INSERT OR IGNORE INTO reused_session (id) VALUES (?)', [id]);
        database.run(
          'DELETE FROM reused_session WHERE id NOT IN (SELECT id FROM reused_session ORDER BY id DESC LIMIT ?)',
          [MAX_REUSED],
        );
      }),
    insertSession: (session: Session): void => void database.run(INSERT, valuesOf(session)),
    updateSession: (session: Session): void => void database.run(UPDATE, [...valuesOf(session), session.id]),
    deleteSessions: (ids: readonly SessionId[]): void => database.transaction(() => deleteSessionRows(database, ids)),
  };
}

/** Ends sessions inside the caller's transaction. */
export function deleteSessionRows(database: Database, ids: readonly SessionId[]): void {
  for (const id of ids) database.run('DELETE FROM session WHERE id = ?', [id]);
}

/** Notes a use inside the caller's transaction; one that is older than what is known changes nothing. */
export function touchSessionRow(database: Database, touch: SessionTouch): void {
  database.run('UPDATE session SET last_used_at_ms = ?1, address = ?2 WHERE id = ?3 AND last_used_at_ms < ?1', [
    touch.lastUsedAtMs,
    touch.address,
    touch.id,
  ]);
}

type SessionRow = {
  readonly id: SessionId;
  readonly user_id: UserId;
  readonly client_name: string | null;
  readonly address: string;
  readonly created_at_ms: number;
  readonly last_used_at_ms: number;
  readonly expires_at_ms: number;
  readonly epoch: string;
  readonly rotating: 0 | 1;
  readonly generation: number;
  readonly token_hash: Uint8Array;
  readonly next_token_hash: Uint8Array | null;
  readonly spent_at_ms: string;
};

function valuesOf(session: Session): SqlValue[] {
  return [
    session.id,
    session.userId,
    session.clientName,
    session.address,
    session.createdAtMs,
    session.lastUsedAtMs,
    session.expiresAtMs,
    session.epoch,
    session.rotating ? 1 : 0,
    session.generation,
    session.tokenHash,
    session.nextTokenHash,
    JSON.stringify(session.spentAtMs),
  ];
}

function sessionFromRow(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    clientName: row.client_name,
    address: row.address,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    expiresAtMs: row.expires_at_ms,
    epoch: row.epoch,
    rotating: row.rotating === 1,
    generation: row.generation,
    tokenHash: row.token_hash,
    nextTokenHash: row.next_token_hash,
    spentAtMs: JSON.parse(row.spent_at_ms) as number[],
  };
}
