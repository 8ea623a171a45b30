import type { Database, SqlRow, SqlValue } from '#storage/engine/database.ts';

/** A record that the hub does not use, and keeps for a person or a later version. */
export type AsideRecord = {
  /** As its table is called. */
  readonly noun: string;
  readonly id: string;
  /** In words. */
  readonly reason: string;
  readonly atMs: number;
};

type FaultyRow = {
  readonly table: string;
  /** All of its columns. */
  readonly row: SqlRow;
  readonly reason: string;
  /** What it becomes in its place, instead of being moved away. */
  readonly mended?: SqlRow | undefined;
};

type Moving = {
  readonly atMs: number;
  /** The number of the row that takes this one along. */
  readonly partOf?: number | null;
};

const ADD = 'INSERT INTO set_aside (part_of, noun, id, reason, at_ms, content) VALUES (?, ?, ?, ?, ?, ?)';

/**
 * Moves a row into the table `set_aside`, and the rows that the database would delete with it. Inside the caller's
 * transaction.
 */
export function moveRow(database: Database, faulty: FaultyRow, { atMs, partOf = null }: Moving): AsideRecord {
  const { table, row, reason, mended } = faulty;
  const key = keyOf(database, table, row);
  const record = { noun: table, id: nameOf(row, key), reason, atMs };
  database.run(ADD, [partOf, record.noun, record.id, reason, atMs, JSON.stringify(row, inJson)]);
  const where = Object.keys(key)
    .map((name) => `${name} IS ?`)
    .join(' AND ');
  if (mended !== undefined) {
    const columns = Object.keys(mended)
      .map((name) => `${name} = ?`)
      .join(', ');
    database.run(`UPDATE ${table} SET ${columns} WHERE ${where}`, [...Object.values(mended), ...Object.values(key)]);
    return record;
  }
  const number = Number(database.get('SELECT last_insert_rowid() AS number')?.['number']);
  for (const { child, column, parent } of childrenOf(database, table)) {
    const rows = database.all(`SELECT * FROM ${child} WHERE ${column} = ?`, [storable(row[parent])]);
    const why = `goes with its ${table}`;
    for (const one of rows) moveRow(database, { table: child, row: one, reason: why }, { atMs, partOf: number });
  }
  database.run(`DELETE FROM ${table} WHERE ${where}`, Object.values(key));
  return record;
}

/** The columns of the row's primary key. A key may be missing: only a table without row numbers refuses that. */
export function keyOf(database: Database, table: string, row: SqlRow): SqlRow {
  const columns = database.all('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', [table]);
  return Object.fromEntries(columns.map(({ name }) => [String(name), storable(row[String(name)])]));
}

/** As people and the API call the row, as far as it has such a name. */
export function nameOf(row: SqlRow, key: SqlRow): string {
  return String(row['id'] ?? Object.values(key).join('/'));
}

/** Tables whose rows are deleted with those of this one. */
function childrenOf(database: Database, table: string): { child: string; column: string; parent: string }[] {
  const sql = `SELECT sqlite_schema.name AS child, "from" AS own, "to" AS parent
    FROM sqlite_schema, pragma_foreign_key_list(sqlite_schema.name)
    WHERE type = 'table' AND "table" = ? AND on_delete = 'CASCADE' AND "table" <> sqlite_schema.name`;
  return database.all(sql, [table]).map(({ child, own, parent }) => ({
    child: String(child),
    column: String(own),
    parent: String(parent),
  }));
}

/** An integer beyond those of JavaScript cannot be given to SQLite, but its digits find the same row. */
function storable(value: SqlValue | undefined): SqlValue {
  return typeof value === 'bigint' ? String(value) : (value ?? null);
}

/** Bytes as hex; integers beyond those of JavaScript as text. */
function inJson(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'bigint' ? String(value) : value;
}
