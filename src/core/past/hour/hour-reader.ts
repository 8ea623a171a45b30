import type { TimeZone } from '#base/time/time-zone.ts';
import { createBucketEdges } from '#core/past/history/bucket-edges.ts';
import type { SeriesDescription, SeriesKind } from '#core/past/history/sample.ts';
import type { HourOf } from './hour.ts';
import { type HourPartsDeps, readHourParts } from './hour-parts.ts';
import type { TimeSpan } from './time-span.ts';

export type HourReader = {
  /**
   * The hours of a series that begin in the range, in order; those in which nothing was known are left out. The range is
   * widened to the beginning of its first hour. Its end must not be in the future; an hour that it cuts ends there.
   */
  readonly readHours: <Kind extends SeriesKind>(
    series: SeriesOfKind<Kind>,
    range: TimeSpan,
  ) => Promise<readonly HourOf<Kind>[]>;
};

type SeriesOfKind<Kind extends SeriesKind> = SeriesDescription & { readonly kind: Kind };

type HourReaderDeps = HourPartsDeps & { readonly timeZone: () => TimeZone };

export function createHourReader(deps: HourReaderDeps): HourReader {
  return {
    readHours: async <Kind extends SeriesKind>(
      { name: series, kind, unit }: SeriesOfKind<Kind>,
      { fromMs, toMs }: TimeSpan,
    ): Promise<readonly HourOf<Kind>[]> => {
      const zone = deps.timeZone();
      const beginMs = createBucketEdges('1h', zone).startOf(fromMs);
      if (beginMs >= toMs) return [];
      const { hours } = await readHourParts(deps, { series, kind, unit, zone, fromMs: beginMs, toMs });
      // A feature that changed its type has hours of both.
      return hours.filter((hour): hour is HourOf<Kind> => hour.kind === kind);
    },
  };
}
