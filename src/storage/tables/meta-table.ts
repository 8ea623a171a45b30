import type { Database } from '#storage/engine/database.ts';
import { post, read, write } from './operation.ts';
import type { NounDeps, RestoreKeep, StoredNoun } from './stored-noun.ts';

/** A few facts about the hub (its id, its name, marks of its clock) by key. */
export const metaTable = {
  open: openMeta,
  checks: [],
  carryOver: carryMeta,
} satisfies StoredNoun;

function openMeta({ database, later }: NounDeps) {
  return {
    loadMeta: read((): ReadonlyMap<string, string> => new Map([...loadMetaRows(database), ...later.ridingMeta()])),
    putMeta: write((entries: ReadonlyMap<string, string>): void => {
      // Entries of the journal are older than this write and must not follow it.
      database.transaction(() => {
        later.settleMeta();
        for (const [key, value] of entries) putMetaRow(database, key, value);
      });
      later.forgetRidingMeta();
    }),
    addMeta: post((entries: ReadonlyMap<string, string>): void => later.addMeta(entries)),
  };
}

/** Inside the caller's transaction. */
export function putMetaRow(database: Database, key: string, value: string): void {
  database.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
    key,
    value,
  ]);
}

function loadMetaRows(database: Database): ReadonlyMap<string, string> {
  return new Map(database.all('SELECT key, value FROM meta').map((row) => [String(row['key']), String(row['value'])]));
}

function putMetaRows(database: Database, entries: ReadonlyMap<string, string>): void {
  database.transaction(() => {
    for (const [key, value] of entries) putMetaRow(database, key, value);
  });
}

function carryMeta(live: Database, restored: Database, { meta }: RestoreKeep): void {
  putMetaRows(restored, new Map([...loadMetaRows(live)].filter(([key]) => meta.includes(key))));
}
