import type { Database } from '#storage/engine/database.ts';
import type { Month } from './segment.ts';

/** What a month's file has of a series in one epoch. */
export type Extent = {
  readonly series: number;
  readonly month: Month;
  readonly epoch: string;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
  readonly bytes: number;
};

/** What the files of months have, so that most questions open none of them. It is kept in the journal's file. */
export type Catalog = {
  /** Inside the caller's transaction. A closed month that gets more is no longer closed. */
  readonly add: (extents: readonly Extent[]) => void;
  /** Forgets a month and takes what it has now instead. */
  readonly replaceMonth: (month: Month, extents: readonly Extent[]) => void;
  /** Notes that the file of a month is gone: what it had stays known as lost, whatever a new file gets. */
  readonly lose: (month: Month) => void;
  /** The same for one series of the month. */
  readonly replaceSeries: (month: Month, series: number, extents: readonly Extent[]) => void;
  readonly ofSeries: (series: number) => readonly Extent[];
  readonly ofMonth: (month: Month) => readonly Extent[];
  readonly months: () => readonly Month[];
  /** What the months have of an epoch, of all series together. */
  readonly ofEpoch: (epoch: string) => readonly Omit<Extent, 'series' | 'epoch' | 'bytes'>[];
  readonly series: () => readonly number[];
  /** A closed month is packed as small as it gets, and never written again. */
  readonly isClosed: (month: Month) => boolean;
  readonly setClosed: (month: Month) => void;
};

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
    replaceSeries: (month, series, extents) => {
      file.run('DELETE FROM extent WHERE month = ? AND series = ?', [month, series]);
      file.run('DELETE FROM closed_month WHERE month = ?', [month]);
      add(extents);
    },
    lose: (month) => {
      const lost = `lost-${month}`;
      file.transaction(() => {
        add(load('month', month).map((extent) => ({ ...extent, month: lost, bytes: 0 })));
        file.run('DELETE FROM extent WHERE month = ?', [month]);
        file.run('DELETE FROM closed_month WHERE month = ?', [month]);
      });
    },
    ofSeries: (series) => load('series', series),
    ofMonth: (month) => load('month', month),
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
  };
}
