import type { JsonValue } from '#base/json.ts';
import type { SqlValue } from '#storage/engine/database.ts';

/** The JSON of a column, which a check has read already. */
export class ReadJson {
  readonly value: JsonValue;
  constructor(value: JsonValue) {
    this.value = value;
  }
}

/** A row that passed its checks. */
export type SoundRow = Readonly<Record<string, SqlValue | ReadJson>>;
export type Stored = SqlValue | ReadJson | undefined;

/** Returns the JSON of a column; a check may have read it already. */
export function jsonOf(stored: Stored): JsonValue {
  return stored instanceof ReadJson ? stored.value : (JSON.parse(String(stored)) as JsonValue);
}

/** One column and how it stores a field. */
type Column<Value> = {
  readonly name: string;
  readonly toSql: (value: Value) => SqlValue;
  readonly fromSql: (stored: SqlValue | ReadJson) => Value;
};

/** Stores the value as it is. Tables are STRICT, so reading gives the type that was written. */
export function plain<Value extends SqlValue>(name: string): Column<Value> {
  return { name, toSql: (value) => value, fromSql: (stored) => stored as Value };
}

/** Stores a value that may be left out, which reads as `null`. */
export function optional<Value extends SqlValue>(name: string): Column<Value | null | undefined> {
  return { name, toSql: (value) => value ?? null, fromSql: (stored) => stored as Value | null };
}

export function flag(name: string): Column<boolean> {
  return { name, toSql: (value) => (value ? 1 : 0), fromSql: (stored) => stored === 1 };
}

/** Stores JSON text, which may contain any character, unlike the package's own text. */
export function json<Value>(name: string): Column<Value> {
  return { name, toSql: (value) => JSON.stringify(value), fromSql: (stored) => jsonOf(stored) as Value };
}

/** The columns of a table, and the one mapping between its rows and entries, in both directions. */
type Columns<Entry> = {
  readonly names: readonly string[];
  /** In the order of `names`. */
  readonly valuesOf: (entry: Entry) => SqlValue[];
  readonly fromRow: (row: SoundRow) => Entry;
};

/** For entries with a column for each field. */
export function columnsOf<Entry extends object>(fields: {
  readonly [Key in keyof Entry]-?: Column<Entry[Key]>;
}): Columns<Entry> {
  const columns = Object.entries(fields) as [keyof Entry & string, Column<unknown>][];
  return {
    names: columns.map(([, { name }]) => name),
    valuesOf: (entry) => columns.map(([key, { toSql }]) => toSql(entry[key])),
    fromRow: (row) =>
      Object.fromEntries(columns.map(([key, { name, fromSql }]) => [key, fromSql(row[name] ?? null)])) as Entry,
  };
}

/** For entries with columns for a few fields. The last column, `record`, holds the others as JSON. */
export function recordColumnsOf<Entry extends object>(fields: {
  readonly [Key in keyof Entry]?: Column<Entry[Key]>;
}): Columns<Entry> {
  const columns = columnsOf<Partial<Entry>>(fields as Parameters<typeof columnsOf<Partial<Entry>>>[0]);
  const record = json<Partial<Entry>>('record');
  return {
    names: [...columns.names, record.name],
    valuesOf: (entry) => {
      const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !(key in fields)));
      return [...columns.valuesOf(entry), record.toSql(rest as Partial<Entry>)];
    },
    fromRow: (row) => ({ ...record.fromSql(row[record.name] ?? null), ...columns.fromRow(row) }) as Entry,
  };
}

export function insertSql(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

/** Inserts, or replaces the row of the same id. */
export function saveSql(table: string, names: readonly string[]): string {
  const changed = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  return `${insertSql(table, names)} ON CONFLICT (id) DO UPDATE SET ${changed.join(', ')}`;
}

/** Takes the values of all columns, then the id once more. */
export function updateSql(table: string, names: readonly string[]): string {
  return `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
}
