import type { TimeZone } from '#base/time/time-zone.ts';
import { createBucketEdges } from '#core/history/bucket-edges.ts';
import { readHistory } from '#core/history/history-query.ts';
import type { HistoryStore } from '#core/history/history-store.ts';
import type { SeriesKind } from '#core/history/sample.ts';
import { type HourOf, hoursFromRows } from './hour.ts';

export type HourReader = {
  /**
   * The hours of a series that begin in the range, in order; those in which nothing was known are left out. The range is
   * widened to the beginning of its first hour. Its end must not be in the future; an hour that it cuts ends there.
   */
  readonly readHours: <Kind extends SeriesKind>(
    series: { readonly name: string; readonly kind: Kind },
    range: { readonly fromMs: number; readonly toMs: number },
  ) => Promise<readonly HourOf<Kind>[]>;
};

export type HourReaderDeps = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly timeZone: () => TimeZone;
};

export function createHourReader({ history, timeZone }: HourReaderDeps): HourReader {
  return {
    readHours: async <Kind extends SeriesKind>(
      { name, kind }: { readonly name: string; readonly kind: Kind },
      { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    ): Promise<readonly HourOf<Kind>[]> => {
      const zone = timeZone();
      const edges = createBucketEdges('1h', zone);
      const range = { fromMs: edges.startOf(fromMs), toMs };
      if (range.fromMs >= toMs) return [];
      const { rows } = await readHistory(history, {
        series: name,
        kind,
        ...range,
        detail: { type: 'buckets', bucket: '1h', zone },
      });
      return hoursFromRows(rows, edges.endOf, range) as readonly HourOf<Kind>[];
    },
  };
}
