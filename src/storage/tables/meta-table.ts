import type { Database } from '#storage/engine/database.ts';

/** The hub's own few words (its id, its name, marks of its clock) by key. */
export function createMetaTable(database: Database) {
  return {
    loadMeta: (): ReadonlyMap<string, string> =>
      new Map(database.all('SELECT key, value FROM meta').map((row) => [String(row['key']), String(row['value'])])),
    putMeta: (entries: ReadonlyMap<string, string>): void =>
      database.transaction(() => {
        for (const [key, value] of entries) putMetaRow(database, key, value);
      }),
  };
}

/** Inside the caller's transaction. */
export function putMetaRow(database: Database, key: string, value: string): void {
  database.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
    key,
    value,
  ]);
}
