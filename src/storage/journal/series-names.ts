import type { SeriesDescription, SeriesKind } from '#core/past/history/sample.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';

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
  /** The same as long as the journal has few series: each new one costs some pages. */
  readonly takeOfFew: (name: string) => SeriesRow | undefined;
  readonly find: (name: string) => SeriesRow | undefined;
  readonly byNumber: (number: number) => SeriesRow | undefined;
  /** The series after this name, as many at most, and the name to go on from: sorted by their JSON in UTF-8. */
  readonly page: (
    after: string | null,
    limit: number,
  ) => { readonly rows: readonly SeriesRow[]; readonly next: string | null };
  readonly describe: (descriptions: readonly SeriesDescription[]) => void;
  readonly isDirty: () => boolean;
  /** Writes what is new inside the caller's transaction; call `noteWritten` once it is committed. */
  readonly write: () => void;
  readonly noteWritten: () => void;
};

/** More than a home has; a hostile broker can invent a hundred thousand. */
const FEW = 4_000;

/** The series of the journal. New ones are written with the next flush. */
export function openSeriesNames(database: Database): SeriesNames {
  const cached = { byName: new Map<string, SeriesRow>(), byNumber: new Map<number, SeriesRow>() };
  const dirty = { byName: new Map<string, SeriesRow>(), byNumber: new Map<number, SeriesRow>() };
  let last = Number(database.get('SELECT max(number) AS last FROM series')?.['last'] ?? 0);

  const put = (into: typeof cached, row: SeriesRow): SeriesRow => {
    into.byName.set(row.name, row);
    into.byNumber.set(row.number, row);
    return row;
  };
  const remember = (row: SqlRow | undefined): SeriesRow | undefined => {
    if (row === undefined) return undefined;
    if (cached.byName.size >= FEW) forgetAll(cached);
    return put(cached, seriesFromRow(row));
  };
  const find = (name: string): SeriesRow | undefined =>
    dirty.byName.get(name) ??
    cached.byName.get(name) ??
    remember(database.get('SELECT number, name, kind, unit FROM series WHERE name = ?', [textFromName(name)]));
  const take = (name: string): SeriesRow => {
    const known = find(name);
    if (known !== undefined) return known;
    last += 1;
    return put(dirty, { number: last, name, kind: null, unit: null });
  };
  return {
    take,
    takeOfFew: (name) => (last < FEW ? take(name) : find(name)),
    find,
    byNumber: (number) =>
      dirty.byNumber.get(number) ??
      cached.byNumber.get(number) ??
      remember(database.get('SELECT number, name, kind, unit FROM series WHERE number = ?', [number])),
    page: (after, limit) => {
      const stored = database.all('SELECT number, name, kind, unit FROM series WHERE name > ? ORDER BY name LIMIT ?', [
        after === null ? '' : textFromName(after),
        limit,
      ]);
      const bytesOf = ({ name }: SeriesRow): Buffer => Buffer.from(textFromName(name));
      const afterBytes = Buffer.from(after === null ? '' : textFromName(after));
      const fresh = [...dirty.byNumber.values()].filter((row) => Buffer.compare(bytesOf(row), afterBytes) > 0);
      const byName = new Map([...stored.map(seriesFromRow), ...fresh].map((row) => [row.name, row]));
      const rows = [...byName.values()]
        .toSorted((left, right) => Buffer.compare(bytesOf(left), bytesOf(right)))
        .slice(0, limit);
      return { rows, next: rows.length < limit ? null : (rows.at(-1)?.name ?? null) };
    },
    describe: (descriptions) => {
      for (const { name, kind, unit } of descriptions) {
        const known = take(name);
        if (known.kind !== kind || known.unit !== unit) put(dirty, { ...known, kind, unit });
      }
    },
    isDirty: () => dirty.byNumber.size > 0,
    write: () => {
      for (const { number, name, kind, unit } of dirty.byNumber.values()) {
        database.run(
          `INSERT INTO series (number, name, kind, unit) VALUES (?, ?, ?, ?)
           ON CONFLICT (number) DO UPDATE SET kind = excluded.kind, unit = excluded.unit`,
          [number, textFromName(name), kind, unit],
        );
      }
    },
    noteWritten: () => {
      for (const row of dirty.byNumber.values()) {
        if (cached.byName.size >= FEW) forgetAll(cached);
        put(cached, row);
      }
      forgetAll(dirty);
    },
  };
}

function forgetAll({ byName, byNumber }: { byName: Map<string, SeriesRow>; byNumber: Map<number, SeriesRow> }): void {
  byName.clear();
  byNumber.clear();
}

/** As JSON, which may contain any character, unlike the package's own text. */
function textFromName(name: string): string {
  return JSON.stringify(name);
}

function seriesFromRow(row: SqlRow): SeriesRow {
  return {
    number: Number(row['number']),
    name: JSON.parse(String(row['name'])) as string,
    kind: row['kind'] as SeriesKind | null,
    unit: row['unit'] as string | null,
  };
}
