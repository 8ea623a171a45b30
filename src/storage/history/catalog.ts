import { parseJson } from '#base/json.ts';
import type { ForgottenSamples } from '#core/past/history/history-store.ts';
import type { Database } from '#storage/engine/database.ts';
import { loadSegments, putAbout, readAbout } from '#storage/journal/journal-tables.ts';
import { numberOf, type Month } from '#storage/samples/segment.ts';

/** The file of a month has so much of a series in one epoch. */
export type Extent = {
  readonly series: number;
  readonly month: Month;
  readonly epoch: string;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
  readonly bytes: number;
};

/**
 * The catalog lists what the files of months have, so that most questions open none of them. It is kept in the
 * journal's file.
 */
export type Catalog = {
  /** Inside the caller's transaction. A closed month that gets more is no longer closed. */
  readonly add: (extents: readonly Extent[]) => void;
  /** Forgets a month and takes what it has now instead. */
  readonly replaceMonth: (month: Month, extents: readonly Extent[]) => void;
  /** Notes that the file of a month is gone: what it had stays known as lost, whatever a new file gets. */
  readonly lose: (month: Month) => void;
  /** The same for one series of the month. */
  readonly replaceSeries: (
    of: { readonly month: Month; readonly series: number },
    extents: readonly Extent[],
    /** What went was before this tick of an epoch. */
    endTickOf: (epoch: string) => number,
  ) => void;
  readonly ofSeries: (series: number) => readonly Extent[];
  readonly ofMonth: (month: Month) => readonly Extent[];
  /** What the samples take in a month, by the first part of the names of series: the device of which they are. */
  readonly bytesByOwner: (month: Month) => ReadonlyMap<string, number>;
  readonly months: () => readonly Month[];
  /** What the months have of an epoch, of all series together. */
  readonly ofEpoch: (epoch: string) => readonly Omit<Extent, 'series' | 'epoch' | 'bytes'>[];
  readonly series: () => readonly number[];
  /** A closed month is packed as small as it gets, and never written again. */
  readonly isClosed: (month: Month) => boolean;
  readonly setClosed: (month: Month) => void;
  /** Inside the caller's transaction: the month was removed. */
  readonly forgetMonth: (month: Month) => void;
  /** The months that were removed or lost, in the order of their numbers. */
  readonly forgotten: () => readonly ForgottenSamples[];
};

const LOST = 'lost-';
const FORGOTTEN = 'forgotten';
/** Older ones count as one: who reads has not been there for two years. */
const KEPT_FORGOTTEN = 24;

export function openCatalog(file: Database): Catalog {
  const add = (extents: readonly Extent[]): void => {
    for (const { series, month, epoch, firstTick, lastTick, count, bytes } of extents) {
      file.run(
        `INSERT INTO extent (series, month, epoch, first_tick, last_tick, count, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (series, month, epoch) DO UPDATE SET first_tick = min(first_tick, excluded.first_tick),
           last_tick = max(last_tick, excluded.last_tick), count = count + excluded.count,
           bytes = bytes + excluded.bytes`,
        [series, month, epoch, firstTick, lastTick, count, bytes],
      );
    }
    for (const month of new Set(extents.map((extent) => extent.month))) {
      file.run('DELETE FROM closed_month WHERE month = ?', [month]);
    }
  };
  const load = (where: string, value: string | number): Extent[] =>
    file.all(`SELECT * FROM extent WHERE ${where} = ? ORDER BY month`, [value]).map((row) => ({
      series: Number(row['series']),
      month: String(row['month']),
      epoch: String(row['epoch']),
      firstTick: Number(row['first_tick']),
      lastTick: Number(row['last_tick']),
      count: Number(row['count']),
      bytes: Number(row['bytes']),
    }));
  return {
    add,
    replaceMonth: (month, extents) => {
      file.run('DELETE FROM extent WHERE month = ?', [month]);
      file.run('DELETE FROM closed_month WHERE month = ?', [month]);
      add(extents);
    },
    replaceSeries: ({ month, series }, extents, endTickOf) => {
      const before = load('month', month)
        .filter((extent) => extent.series === series)
        .map((extent) => ({ ...extent, lastTick: Math.min(extent.lastTick, endTickOf(extent.epoch)) }));
      // Readers that had not come so far count them, as of a month that was removed.
      noteForgotten(file, before, countOf(before) - countOf(extents));
      file.run('DELETE FROM extent WHERE month = ? AND series = ?', [month, series]);
      file.run('DELETE FROM closed_month WHERE month = ?', [month]);
      add(extents);
    },
    lose: (month) => {
      const lost = `${LOST}${month}`;
      file.transaction(() => {
        noteForgotten(file, load('month', month), countOf(load('month', month)));
        add(load('month', month).map((extent) => ({ ...extent, month: lost, bytes: 0 })));
        file.run('DELETE FROM extent WHERE month = ?', [month]);
        file.run('DELETE FROM closed_month WHERE month = ?', [month]);
      });
    },
    ofSeries: (series) => load('series', series),
    ofMonth: (month) => load('month', month),
    bytesByOwner: (month) => {
      // Names are stored as JSON.
      const sql = `SELECT substr(name, 2, instr(name, '/') - 2) AS owner, sum(bytes) AS bytes
        FROM extent JOIN series ON number = series WHERE month = ? GROUP BY owner`;
      return new Map(file.all(sql, [month]).map(({ owner, bytes }) => [String(owner), Number(bytes)]));
    },
    months: () => file.all('SELECT DISTINCT month FROM extent ORDER BY month').map((row) => String(row['month'])),
    ofEpoch: (epoch) => {
      const sql = `SELECT month, min(first_tick) AS first, max(last_tick) AS last, sum(count) AS count FROM extent
        WHERE epoch = ? GROUP BY month ORDER BY month`;
      return file.all(sql, [epoch]).map((row) => ({
        month: String(row['month']),
        firstTick: Number(row['first']),
        lastTick: Number(row['last']),
        count: Number(row['count']),
      }));
    },
    series: () => file.all('SELECT DISTINCT series FROM extent').map((row) => Number(row['series'])),
    isClosed: (month) => file.get('SELECT 1 FROM closed_month WHERE month = ?', [month]) !== undefined,
    setClosed: (month) => void file.run('INSERT OR IGNORE INTO closed_month (month) VALUES (?)', [month]),
    forgotten: () => readForgotten(file),
    forgetMonth: (month) => {
      // What is lost was counted when it was.
      if (!month.startsWith(LOST)) noteForgotten(file, load('month', month), countOf(load('month', month)));
      file.run('DELETE FROM extent WHERE month = ?', [month]);
      file.run('DELETE FROM closed_month WHERE month = ?', [month]);
    },
  };
}

function readForgotten(file: Database): readonly ForgottenSamples[] {
  const stored = readAbout(file, FORGOTTEN);
  return stored === undefined ? [] : ((parseJson(stored) as readonly ForgottenSamples[] | undefined) ?? []);
}

function countOf(extents: readonly Pick<Extent, 'count'>[]): number {
  return extents.reduce((sum, { count }) => sum + count, 0);
}

/** So many of the samples of these extents are gone. */
function noteForgotten(file: Database, extents: readonly Extent[], samples: number): void {
  if (samples <= 0) return;
  const segments = loadSegments(file).map(({ segment }) => segment);
  const ends = extents.flatMap(({ epoch, lastTick }) =>
    segments.flatMap((segment, index) =>
      segment.epoch === epoch && segment.firstTick <= lastTick
        ? [Math.min(numberOf(segment, lastTick + 1), segments[index + 1]?.base ?? Infinity)]
        : [],
    ),
  );
  if (ends.length === 0) return;
  const known = readForgotten(file);
  // Readers note the greatest number that they counted: what comes later must have a greater one.
  const leastTo = (known.at(-1)?.to ?? -1) + 1;
  const gone = { to: ends.reduce((most, end) => Math.max(most, end), leastTo), samples };
  const all = [...known, gone];
  const [first, second, ...rest] = all;
  const isMany = all.length > KEPT_FORGOTTEN && first !== undefined && second !== undefined;
  const kept = isMany ? [{ to: second.to, samples: first.samples + second.samples }, ...rest] : all;
  putAbout(file, FORGOTTEN, JSON.stringify(kept));
}
