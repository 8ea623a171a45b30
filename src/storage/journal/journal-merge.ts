import type { SessionId } from '#auth/session/session.ts';
import type { DeviceId, StoredValue } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';
import { putMetaRow } from '#storage/tables/meta-table.ts';
import { touchSessionRow } from '#storage/tables/people/session-table.ts';
import type { SessionTouch } from '#storage/tables/stored-noun.ts';
import type { StoredRow } from './journal-tables.ts';
import type { SeriesNames } from './series-names.ts';
import { mergeValues } from '#storage/tables/devices/value-merge.ts';

/**
 * The database has taken over these parts of the journal up to a row: last values and uses, and entries of meta, which
 * are also written by themselves, so that those of earlier rows are older.
 */
type MarkKey = 'values' | 'meta';

/** The id of the file, and that of the hub's history, which a new journal takes over from one that is lost. */
type JournalIds = { readonly journalId: string; readonly historyId: string };

/** Collects what rows of the journal hold for the database, and keeps the last of each. */
export type MergeLoad = {
  readonly add: (stored: StoredRow) => void;
  /** Moves all into the database in one transaction, unless there is nothing. */
  readonly merge: () => void;
};

/** A row of the journal. Rows of another journal count for nothing. */
export type Mark = { readonly journalId: string; readonly row: number };

export function createMergeLoad(
  database: Database,
  series: Pick<SeriesNames, 'byNumber'>,
  { journalId, historyId }: JournalIds,
): MergeLoad {
  const mergedTo = readMark(database, 'values', journalId);
  const metaTo = readMark(database, 'meta', journalId);
  const values = new Map<string, StoredValue>();
  const touches = new Map<SessionId, SessionTouch>();
  const meta = new Map<string, string>();
  let row = 0;
  return {
    add: ({ number, row: { values: added, touches: touched, meta: noted } }) => {
      if (number > mergedTo) {
        for (const { series: named, ...times } of added) {
          const name = typeof named === 'string' ? named : series.byNumber(named)?.name;
          const place = placeFromName(name ?? '');
          if (name !== undefined && place !== undefined) values.set(name, { ...place, ...times });
        }
        for (const touch of touched) touches.set(touch.id, touch);
        row = number;
      }
      if (number <= metaTo) return;
      for (const [key, value] of noted) meta.set(key, value);
      row = number;
    },
    merge: () => {
      if (values.size === 0 && touches.size === 0 && meta.size === 0) return;
      database.transaction(() => {
        mergeValues(database, values.values());
        for (const touch of touches.values()) touchSessionRow(database, touch);
        for (const [key, value] of meta) putMetaRow(database, key, value);
        putMarks(database, { journalId, row }, ['values', 'meta']);
        noteHistory(database, historyId);
      });
    },
  };
}

/** Notes, inside the caller's transaction, that no row up to this one has anything that the database does not have. */
export function putMarks(database: Database, { journalId, row }: Mark, keys: readonly MarkKey[]): void {
  for (const key of keys) {
    database.run('INSERT OR REPLACE INTO journal_mark (key, journal, row) VALUES (?, ?, ?)', [key, journalId, row]);
  }
}

/** The id of the hub's history, beside the journal in case that one is lost. */
export function knownHistory(database: Database): string | undefined {
  return database.get("SELECT journal FROM journal_mark WHERE key = 'history'")?.['journal'] as string | undefined;
}

function noteHistory(database: Database, historyId: string): void {
  if (knownHistory(database) === historyId) return;
  database.run("INSERT OR REPLACE INTO journal_mark (key, journal, row) VALUES ('history', ?, 0)", [historyId]);
}

function readMark(database: Database, key: MarkKey, journalId: string): number {
  const row = database.get('SELECT journal, row FROM journal_mark WHERE key = ?', [key]);
  return row?.['journal'] === journalId ? Number(row['row']) : 0;
}

/** Last values are series named `<device id>/<key>`. */
export function seriesNameOf({ deviceId, key }: Pick<StoredValue, 'deviceId' | 'key'>): string {
  return `${deviceId}/${key}`;
}

function placeFromName(name: string): Pick<StoredValue, 'deviceId' | 'key'> | undefined {
  const slash = name.indexOf('/');
  return slash < 0 ? undefined : { deviceId: name.slice(0, slash) as DeviceId, key: name.slice(slash + 1) };
}
