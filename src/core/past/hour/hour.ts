import type { Rows } from '#core/past/history/history-query.ts';
import type { SampleValue, SeriesKind } from '#core/past/history/sample.ts';

/**
 * One series did this in one hour of local time. An hour begins at a whole hour of the clock on the wall; where that
 * clock is set forward or back, one may be shorter.
 */
export type Hour = {
  [Kind in SeriesKind]: HourSpan & { readonly kind: Kind } & HourContents[Kind];
}[SeriesKind];
export type HourOf<Kind extends SeriesKind> = Extract<Hour, { readonly kind: Kind }>;

export type HourSpan = {
  readonly fromMs: number;
  readonly toMs: number;
  /** For how long a value was known. 0 of events, which hold for no time. */
  readonly knownMs: number;
  /** How many values were reported. */
  readonly samples: number;
};

type HourContents = {
  readonly gauge: {
    readonly min: number;
    readonly max: number;
    /** Weighted by the time in which each value held. */
    readonly mean: number;
    readonly first: number;
    readonly last: number;
  };
  readonly counter: {
    /** In the unit of the counter; negative where it takes back what was counted before an old count returned. */
    readonly increase: number;
    readonly resets: number;
    /** Counted somewhere in a gap that ended in this hour. */
    readonly inGap: number;
    /** The least and the greatest reading. */
    readonly min: number | null;
    readonly max: number | null;
  };
  readonly state: {
    /** How long each value held. The values may last for less than `knownMs` together: of very many, some are left out. */
    readonly heldMs: ReadonlyMap<SampleValue, number>;
    readonly changes: number;
  };
  readonly event: { readonly counts: ReadonlyMap<SampleValue, number> };
};

/** The hours among buckets of an hour, in a range. Hours of which nothing is known are left out: they are not 0. */
export function hoursFromRows(
  rows: Rows,
  endOf: (startMs: number) => number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly Hour[] {
  const spanOf = (atMs: number) => ({ fromMs: Math.max(fromMs, atMs), toMs: Math.min(toMs, endOf(atMs)) });
  switch (rows.type) {
    case 'gauge':
      return rows.buckets.flatMap(({ atMs, min, max, mean, first, last, ...others }): HourOf<'gauge'>[] =>
        min === null || max === null || mean === null || first === null || last === null
          ? []
          : [{ kind: 'gauge', ...spanOf(atMs), ...others, min, max, mean, first, last }],
      );
    case 'counter':
      return rows.buckets
        .filter(({ knownMs, inGap, resets }) => knownMs > 0 || inGap > 0 || resets > 0)
        .map(({ atMs, ...counted }): HourOf<'counter'> => ({ kind: 'counter', ...spanOf(atMs), ...counted }));
    case 'state':
      return rows.buckets.flatMap(({ atMs, heldMs, ...others }): HourOf<'state'>[] =>
        heldMs === null ? [] : [{ kind: 'state', ...spanOf(atMs), heldMs, ...others }],
      );
    case 'event':
      return rows.buckets
        .filter(({ counts }) => counts.size > 0)
        .map(({ atMs, counts }): HourOf<'event'> => {
          const samples = [...counts.values()].reduce((sum, count) => sum + count, 0);
          return { kind: 'event', ...spanOf(atMs), knownMs: 0, samples, counts };
        });
    default:
      throw new Error('points are no hours');
  }
}
