import type { Session, SessionId } from '#auth/session/session.ts';
import { isNumber, listOf } from '#core/records/record-check.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';
import { columnsOf, flag, insertSql, json, plain, updateSql } from '#storage/tables/columns.ts';
import { defer, read, write } from '#storage/tables/operation.ts';
import type { NounDeps, RestoreKeep, SessionTouch, StoredNoun } from '#storage/tables/stored-noun.ts';

const COLUMNS = columnsOf<Session>({
  id: plain('id'),
  userId: plain('user_id'),
  clientName: plain('client_name'),
  address: plain('address'),
  createdAtMs: plain('created_at_ms'),
  lastUsedAtMs: plain('last_used_at_ms'),
  expiresAtMs: plain('expires_at_ms'),
  epoch: plain('epoch'),
  rotating: flag('rotating'),
  generation: plain('generation'),
  tokenHash: plain('token_hash'),
  nextTokenHash: plain('next_token_hash'),
  spentAtMs: json('spent_at_ms'),
});
const INSERT = insertSql('session', COLUMNS.names);
const UPDATE = updateSql('session', COLUMNS.names);

/** Their ids sort in the order of creation. */
const MAX_REUSED = 1_000;

/** The logins. A restore keeps none from the file. */
export const sessionTable = {
  open: openSessions,
  checks: [
    {
      since: 1,
      table: 'session',
      integers: ['generation'],
      json: { spent_at_ms: listOf(isNumber) },
      isOfLoading: true,
    },
  ],
  carryOver: carrySessions,
} satisfies StoredNoun;

function openSessions({ database, later, sound }: NounDeps) {
  return {
    loadSessions: read((): Session[] => sound('session', loadSessionRows(database)).map(COLUMNS.fromRow)),
    loadReusedSessions: read(() => loadReusedRows(database)),
    insertReusedSession: write((id: SessionId): void => insertReusedRow(database, id)),
    insertSession: write((session: Session): void => insertSessionRow(database, session)),
    updateSession: write((session: Session): void => {
      database.run(UPDATE, [...COLUMNS.valuesOf(session), session.id]);
      // A touch that waits is older than this write and must not follow it.
      later.forgetTouches([session.id]);
    }),
    deleteSessions: write((ids: readonly SessionId[]): void =>
      database.transaction(() => deleteSessionRows(database, ids)),
    ),
    touchSessions: defer((touches: readonly SessionTouch[]): void => later.addTouches(touches)),
  };
}

/** Ends sessions inside the caller's transaction. */
export function deleteSessionRows(database: Database, ids: readonly SessionId[]): void {
  for (const id of ids) database.run('DELETE FROM session WHERE id = ?', [id]);
}

/** Ends every session there is. */
export function deleteAllSessionRows(database: Database): void {
  database.run('DELETE FROM session');
}

/** Notes a use inside the caller's transaction. One older than the last known use changes nothing. */
export function touchSessionRow(database: Database, touch: SessionTouch): void {
  database.run('UPDATE session SET last_used_at_ms = ?1, address = ?2 WHERE id = ?3 AND last_used_at_ms < ?1', [
    touch.lastUsedAtMs,
    touch.address,
    touch.id,
  ]);
}

function loadSessionRows(database: Database): SqlRow[] {
  return database.all('SELECT * FROM session ORDER BY id');
}

function insertSessionRow(database: Database, session: Session): void {
  database.run(INSERT, COLUMNS.valuesOf(session));
}

function loadReusedRows(database: Database): SessionId[] {
  return database.all('SELECT id FROM reused_session ORDER BY id').map((row) => row['id'] as SessionId);
}

function insertReusedRow(database: Database, id: SessionId): void {
  database.transaction(() => {
    database.run('INSERT OR IGNORE INTO reused_session (id) VALUES (?)', [id]);
    database.run(
      'DELETE FROM reused_session WHERE id NOT IN (SELECT id FROM reused_session ORDER BY id DESC LIMIT ?)',
      [MAX_REUSED],
    );
  });
}

/** Every login ends but the one that is kept, if its user is in the restored database. */
function carrySessions(live: Database, restored: Database, keep: RestoreKeep): void {
  for (const id of loadReusedRows(live)) insertReusedRow(restored, id);
  const row = loadSessionRows(live).find(({ id }) => id === keep.session);
  deleteAllSessionRows(restored);
  if (row === undefined) return;
  const session = COLUMNS.fromRow(row);
  const isKnown = restored.get('SELECT id FROM user WHERE id = ?', [session.userId]) !== undefined;
  if (isKnown) insertSessionRow(restored, session);
}
