import type { AuditKind, AuditQuery, AuditRecord, AuditType, NumberedAuditRecord } from '#auth/audit/audit-entry.ts';
import type { Database } from '#storage/engine/database.ts';
import { columnsOf, insertSql, plain, type SoundRow } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

/** A row takes some 300 bytes: 4 MB in all. */
const MAX_ROWS: Record<AuditKind, number> = { change: 3_000, command: 3_000, session: 3_000, refusal: 4_000 };
const ROWS_AT_ONCE = 500;

const COLUMNS = columnsOf<AuditRecord>({
  kind: plain('kind'),
  party: plain('party'),
  type: plain('type'),
  peer: plain('peer'),
  userId: plain('user_id'),
  actorId: plain('actor_id'),
  session: plain('session'),
  apiToken: plain('api_token'),
  detail: plain('detail'),
  count: plain('count'),
  firstAtMs: plain('first_at_ms'),
  atMs: plain('at_ms'),
  epoch: plain('epoch'),
  wallMs: plain('wall_ms'),
});
const INSERT = insertSql('audit', COLUMNS.names);

export const auditTable = {
  open: openAudit,
  checks: [{ since: 3, table: 'audit', integers: ['number', 'count'] }],
  carryOver: carryAudit,
} satisfies StoredNoun;

function openAudit({ database, sound }: NounDeps) {
  return {
    insertAudit: write((records: readonly AuditRecord[]): void =>
      database.transaction(() => {
        for (const record of records) database.run(INSERT, COLUMNS.valuesOf(record));
        for (const kind of new Set(records.map((record) => record.kind))) trim(database, kind);
      }),
    ),
    loadAudit: read(({ types, before, limit }: AuditQuery): NumberedAuditRecord[] =>
      sound(
        'audit',
        database.all(
          `SELECT * FROM audit WHERE number < ? AND (? OR type IN (SELECT value FROM json_each(?)))
           ORDER BY number DESC LIMIT ?`,
          [before ?? Number.MAX_SAFE_INTEGER, types === undefined ? 1 : 0, JSON.stringify(types ?? []), limit],
        ),
      ).map(numberedFromRow),
    ),
    countAudit: read((types?: readonly AuditType[]): number =>
      Number(
        database.get('SELECT count(*) AS n FROM audit WHERE ? OR type IN (SELECT value FROM json_each(?))', [
          types === undefined ? 1 : 0,
          JSON.stringify(types ?? []),
        ])?.['n'],
      ),
    ),
  };
}

function numberedFromRow(row: SoundRow): NumberedAuditRecord {
  return { number: Number(row['number']), ...COLUMNS.fromRow(row) };
}

/** The live log replaces the backup's: a restore does not undo what happened. */
function carryAudit(live: Database, restored: Database): void {
  restored.run('DELETE FROM audit');
  for (let after = 0; ;) {
    const rows = live.all('SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?', [after, ROWS_AT_ONCE]);
    restored.transaction(() => {
      for (const row of rows)
        restored.run(
          INSERT,
          COLUMNS.names.map((column) => row[column] ?? null),
        );
    });
    after = Number(rows.at(-1)?.['number']);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Drops the oldest entries of the party with the most, so that no party can push out the entries of another. */
function trim(database: Database, kind: AuditKind): void {
  for (;;) {
    const excess =
      Number(database.get('SELECT count(*) AS n FROM audit WHERE kind = ?', [kind])?.['n']) - MAX_ROWS[kind];
    if (excess <= 0) return;
    database.run(
      `DELETE FROM audit WHERE number IN (
         SELECT number FROM audit WHERE kind = ?1 AND party = (
           SELECT party FROM audit WHERE kind = ?1 GROUP BY party ORDER BY count(*) DESC, min(number) LIMIT 1
         ) ORDER BY number LIMIT ?2)`,
      [kind, Math.min(excess, 16)],
    );
  }
}
