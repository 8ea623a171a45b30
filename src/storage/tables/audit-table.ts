import type { AuditKind, AuditQuery, AuditRecord, AuditType, NumberedAuditRecord } from '#auth/audit/audit-entry.ts';
import type { Database, SqlValue } from '#storage/engine/database.ts';

/** A row takes some 300 bytes: 4 MB in all. */
const MAX_ROWS: Record<AuditKind, number> = { change: 3_000, command: 3_000, session: 3_000, refusal: 4_000 };
const ROWS_AT_ONCE = 500;

const COLUMNS = [
  'kind',
  'party',
  'type',
  'peer',
  'user_id',
  'actor_id',
  'session',
  'api_token',
  'detail',
  'count',
  'first_at_ms',
  'at_ms',
  'epoch',
  'wall_ms',
] as const;
const INSERT = `INSERT INTO audit (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/** The audit log: what `AuditStore` asks, synchronously. */
export function createAuditTable(database: Database) {
  return {
    insertAudit: (records: readonly AuditRecord[]): void =>
      database.transaction(() => {
        for (const record of records) database.run(INSERT, valuesOf(record));
        for (const kind of new Set(records.map((record) => record.kind))) trim(database, kind);
      }),
    loadAudit: ({ types, before, limit }: AuditQuery): NumberedAuditRecord[] =>
      database
        .all(
          `SELECT * FROM audit WHERE number < ? AND (? OR type IN (SELECT value FROM json_each(?)))
           ORDER BY number DESC LIMIT ?`,
          [before ?? Number.MAX_SAFE_INTEGER, types === undefined ? 1 : 0, JSON.stringify(types ?? []), limit],
        )
        .map((row) => recordFromRow(row as AuditRow)),
    countAudit: (types?: readonly AuditType[]): number =>
      Number(
        database.get('SELECT count(*) AS n FROM audit WHERE ? OR type IN (SELECT value FROM json_each(?))', [
          types === undefined ? 1 : 0,
          JSON.stringify(types ?? []),
        ])?.['n'],
      ),
  };
}

/** Puts the log of one database in the place of another's: what happened has happened, whatever is restored. */
export function carryAudit(from: Database, to: Database): void {
  to.run('DELETE FROM audit');
  for (let after = 0; ;) {
    const rows = from.all('SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?', [after, ROWS_AT_ONCE]);
    to.transaction(() => {
      for (const row of rows)
        to.run(
          INSERT,
          COLUMNS.map((column) => row[column] ?? null),
        );
    });
    after = Number(rows.at(-1)?.['number']);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** The oldest of who has the most goes first: nobody can wash out what is known of another. */
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

type AuditRow = {
  readonly number: number;
  readonly kind: AuditKind;
  readonly party: string;
  readonly type: AuditType;
  readonly peer: string | null;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly session: string | null;
  readonly api_token: string | null;
  readonly detail: string | null;
  readonly count: number;
  readonly first_at_ms: number;
  readonly at_ms: number;
  readonly epoch: string;
  readonly wall_ms: number | null;
};

function valuesOf(record: AuditRecord): SqlValue[] {
  return [
    record.kind,
    record.party,
    record.type,
    record.peer,
    record.userId,
    record.actorId,
    record.session,
    record.apiToken,
    record.detail,
    record.count,
    record.firstAtMs,
    record.atMs,
    record.epoch,
    record.wallMs,
  ];
}

function recordFromRow(row: AuditRow): NumberedAuditRecord {
  return {
    number: row.number,
    kind: row.kind,
    party: row.party,
    type: row.type,
    peer: row.peer,
    userId: row.user_id,
    actorId: row.actor_id,
    session: row.session,
    apiToken: row.api_token,
    detail: row.detail,
    count: row.count,
    firstAtMs: row.first_at_ms,
    atMs: row.at_ms,
    epoch: row.epoch,
    wallMs: row.wall_ms,
  };
}
