import type { SeriesDescription, SeriesKind } from '#core/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';

export type SeriesRow = {
  readonly number: number;
  readonly name: string;
  /** `null` until it is described. */
  readonly kind: SeriesKind | null;
  readonly unit: string | null;
};

export type SeriesNames = {
  /** The series of this name, which gets a number if it has none. */
  readonly take: (name: string) => SeriesRow;
  readonly find: (name: string) => SeriesRow | undefined;
  readonly byNumber: (number: number) => SeriesRow | undefined;
  readonly describe: (descriptions: readonly SeriesDescription[]) => void;
  readonly isDirty: () => boolean;
  /** Writes what is new inside the caller's transaction; call `noteWritten` once it is committed. */
  readonly write: () => void;
  readonly noteWritten: () => void;
};

/** The series of the journal. New ones are written with the next flush. */
export function openSeriesNames(database: Database): SeriesNames {
  const byName = new Map<string, SeriesRow>();
  const byNumber = new Map<number, SeriesRow>();
  const dirty = new Set<number>();
  let last = 0;
  const put = (row: SeriesRow): SeriesRow => {
    byName.set(row.name, row);
    byNumber.set(row.number, row);
    last = Math.max(last, row.number);
    return row;
  };
  for (const row of database.all('SELECT number, name, kind, unit FROM series')) {
    put({
      number: Number(row['number']),
      name: String(row['name']),
      kind: row['kind'] as SeriesKind | null,
      unit: row['unit'] as string | null,
    });
  }
  const change = (row: SeriesRow): SeriesRow => {
    dirty.add(row.number);
    return put(row);
  };
  const take = (name: string): SeriesRow =>
    byName.get(name) ?? change({ number: last + 1, name, kind: null, unit: null });
  return {
    take,
    find: (name) => byName.get(name),
    byNumber: (number) => byNumber.get(number),
    describe: (descriptions) => {
      for (const { name, kind, unit } of descriptions) {
        const known = take(name);
        if (known.kind !== kind || known.unit !== unit) change({ ...known, kind, unit });
      }
    },
    isDirty: () => dirty.size > 0,
    write: () => {
      for (const number of dirty) {
        const row = byNumber.get(number);
        if (row === undefined) continue;
        database.run(
          `INSERT INTO series (number, name, kind, unit) VALUES (?, ?, ?, ?)
           ON CONFLICT (number) DO UPDATE SET kind = excluded.kind, unit = excluded.unit`,
          [row.number, row.name, row.kind, row.unit],
        );
      }
    },
    noteWritten: () => dirty.clear(),
  };
}
