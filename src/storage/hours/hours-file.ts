import type { DayOfSeries } from '#core/past/hour/hour-store.ts';
import type { TimeSpan } from '#core/past/hour/time-span.ts';
import type { Database } from '#storage/engine/database.ts';
import type { MonthShelf } from '#storage/shelf/month-shelf.ts';
import { decodeDay, encodeDay } from './day-codec.ts';

/**
 * The hours of a year, whole in themselves: the file names its series. A day of all series is written at once and lies
 * together, because pages cost more than bytes: by series, each day would change a page of every series. `span` has the days
 * that are complete; rows of others are not shown.
 */
export const HOURS_MIGRATIONS: readonly string[] = [
  `
CREATE TABLE about (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE series (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  unit TEXT
) STRICT;

CREATE TABLE span (
  from_ms INTEGER PRIMARY KEY,
  to_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE day (
  from_ms INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series (number),
  data BLOB NOT NULL,
  PRIMARY KEY (from_ms, series)
) STRICT, WITHOUT ROWID;
`,
];

export type HoursFile = string;

const DAY_MS = 86_400_000;

/** The year that UTC has at the noon of the day. */
export function hoursFileOf(dayFromMs: number): HoursFile {
  return `hours-${String(new Date(dayFromMs + DAY_MS / 2).getUTCFullYear()).padStart(4, '0')}`;
}

/** The files that may have days in this range. */
export function isYearWithin(file: HoursFile, range: TimeSpan): boolean {
  const { fromMs, toMs } = finite(range);
  return file >= hoursFileOf(fromMs - 2 * DAY_MS) && file <= hoursFileOf(toMs + DAY_MS);
}

/** The year 9000: dates have an end. */
const MAX_MS = 221_845_305_600_000;

function finite({ fromMs, toMs }: TimeSpan): TimeSpan {
  return { fromMs: Math.max(0, fromMs), toMs: Math.min(MAX_MS, toMs) };
}

export type PackedDay = Pick<DayOfSeries, 'name' | 'kind' | 'unit' | 'fromMs'> & {
  /** `null` if nothing is known of the series on this day. */
  readonly data: Uint8Array | null;
};

/** Inside the caller's transaction. */
export function putDays(file: Database, days: readonly PackedDay[]): void {
  for (const { name, kind, unit, fromMs, data } of days) {
    if (data === null) {
      const series = findSeriesNumber(file, name);
      if (series !== undefined) file.run('DELETE FROM day WHERE from_ms = ? AND series = ?', [fromMs, series]);
      continue;
    }
    file.run(
      `INSERT INTO series (name, kind, unit) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, unit = excluded.unit
       WHERE kind IS NOT excluded.kind OR unit IS NOT excluded.unit`,
      [JSON.stringify(name), kind, unit],
    );
    file.run('INSERT OR REPLACE INTO day (from_ms, series, data) VALUES (?, ?, ?)', [
      fromMs,
      findSeriesNumber(file, name) ?? 0,
      data,
    ]);
  }
}

/** Inside the caller's transaction. */
export function putSpan(file: Database, { fromMs, toMs }: TimeSpan): void {
  file.run('INSERT OR REPLACE INTO span (from_ms, to_ms) VALUES (?, ?)', [fromMs, toMs]);
}

function findSeriesNumber(file: Database, name: string): number | undefined {
  const row = file.get('SELECT number FROM series WHERE name = ?', [JSON.stringify(name)]);
  return row === undefined ? undefined : Number(row['number']);
}

/** The complete days that touch the range. */
export function listSpans(file: Database, range: TimeSpan): TimeSpan[] {
  const { fromMs, toMs } = finite(range);
  return file
    .all('SELECT from_ms, to_ms FROM span WHERE to_ms > ? AND from_ms < ? ORDER BY from_ms', [fromMs, toMs])
    .map((row) => ({ fromMs: Number(row['from_ms']), toMs: Number(row['to_ms']) }));
}

type ReadDay = Pick<DayOfSeries, 'fromMs' | 'kind' | 'hours' | 'gaps'>;

/** Reads the complete days of a series that touch the range. A damaged day is `undefined`. */
export function readDays(file: Database, name: string, range: TimeSpan): ReadonlyMap<number, ReadDay | undefined> {
  const { fromMs, toMs } = finite(range);
  const series = findSeriesNumber(file, name);
  if (series === undefined) return new Map();
  const rows = file.all(
    `SELECT day.from_ms AS from_ms, data FROM span JOIN day ON day.from_ms = span.from_ms AND day.series = ?
     WHERE span.to_ms > ? AND span.from_ms < ? ORDER BY span.from_ms`,
    [series, fromMs, toMs],
  );
  return new Map(
    rows.map(({ from_ms: from, data }) => {
      const decoded = data instanceof Uint8Array ? decodeDay(Number(from), data) : undefined;
      return [Number(from), decoded && { fromMs: Number(from), ...decoded }];
    }),
  );
}

/** Deletes the hours of a series that the range touches, and overwrites what they took, also in the backups. */
export function deleteHours(years: MonthShelf, name: string, range: TimeSpan): void {
  for (const year of years.list().filter((file) => isYearWithin(file, range))) {
    const days = [...(years.read(year, (file) => readDays(file, name, range)) ?? [])];
    const isTouched = ({ fromMs, toMs }: TimeSpan): boolean => fromMs < range.toMs && toMs > range.fromMs;
    const touched = days.filter(([, day]) => day === undefined || [...day.hours, ...day.gaps].some(isTouched));
    if (touched.length === 0) continue;
    years.write(year, (file) => {
      file.all('PRAGMA secure_delete=ON');
      file.transaction(() => {
        for (const [fromMs, day] of touched) {
          const series = findSeriesNumber(file, name) ?? 0;
          const hours = day?.hours.filter((hour) => !isTouched(hour)) ?? [];
          const gaps = day?.gaps.filter((gap) => !isTouched(gap)) ?? [];
          if (day === undefined || hours.length + gaps.length === 0) {
            file.run('DELETE FROM day WHERE from_ms = ? AND series = ?', [fromMs, series]);
          } else {
            const data = encodeDay(fromMs, { ...day, hours, gaps });
            file.run('UPDATE day SET data = ? WHERE from_ms = ? AND series = ?', [data, fromMs, series]);
          }
        }
      });
    });
    years.keepCopy(year);
  }
}
