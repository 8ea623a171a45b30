import type { Gap } from '#core/past/history/history-store.ts';
import type { SeriesDescription } from '#core/past/history/sample.ts';
import type { Hour } from './hour.ts';
import type { TimeSpan } from './time-span.ts';

/** A series did this on one day of local time. A day without anything known is not kept. */
export type DayOfSeries = SeriesDescription & {
  readonly fromMs: number;
  readonly hours: readonly Hour[];
  /** Cut at the ends of the day. */
  readonly gaps: readonly Gap[];
};

/** Keeps the hours of days that are over. They outlive the samples, and are made from them. */
export type HourStore = {
  /** Which days in a range have to be made. */
  readonly readDue: (range: TimeSpan) => Promise<HoursDue>;
  /** Keeps days until `finishDays` shows them. False if samples came for them since `readDue`: then begin anew. */
  readonly putDays: (days: readonly DayOfSeries[], version: number) => Promise<boolean>;
  /** Says that all series of these days are there now. False as above. */
  readonly finishDays: (spans: readonly TimeSpan[], version: number) => Promise<boolean>;
  /** Earlier samples of the series were removed, so that only hours tell of that time. */
  readonly readSamplesFrom: (series: string) => Promise<number>;
  /** The hours of a series that begin in the range, in order. Go on with `next` as `fromMs` until it is `null`. */
  readonly readHours: (series: string, range: TimeSpan) => Promise<HourSlice>;
};

export type HoursDue = {
  /** The first sample of all; `null` if there is none. */
  readonly firstMs: number | null;
  /** Earlier samples were removed: what was made of them cannot be made again. */
  readonly wholeFromMs: number;
  /** The days in the range that are made, in order. */
  readonly made: readonly TimeSpan[];
  /** Samples came for these times after they were made. */
  readonly late: readonly TimeSpan[];
  /** Changes with each of those. */
  readonly version: number;
};

export type HourSlice = Pick<DayOfSeries, 'hours' | 'gaps'> & {
  /** The parts of the slice of which all hours are known here, in order: of the rest only the samples know. */
  readonly made: readonly TimeSpan[];
  readonly next: number | null;
};
