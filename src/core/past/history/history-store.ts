import { createStepSlices } from '#base/work-slices.ts';
import type { GapMark, GapReason, Sample, SampleValue, SeriesDescription } from './sample.ts';

/** Samples whose times the same epoch of the hub clock counts. */
export type SampleBatch = {
  readonly epoch: string;
  /** In the order of their times, and not before those of the last batch of this epoch. */
  readonly samples: readonly NewSample[];
};

export type NewSample = Sample & { readonly series: string };

/** A sample that came late got another time than its own, because its place was written or read already. In hub time. */
export type MovedSample = { readonly series: string; readonly fromMs: number; readonly toMs: number };

/** Keeps samples. All times that it returns are hub time, corrected by the shift of their epoch. */
export type HistoryStore = {
  /** What series are; the last description counts. A series without one is a gauge if its first value is a number, else a state. */
  readonly describeSeries: (descriptions: readonly SeriesDescription[]) => void;
  /**
   * Adds samples of the past, sorted by time, in hub time; on disk when it resolves. They must not be there already. What
   * was deleted stays deleted: samples of such times are left out. Resolves with how many were added. What the hub takes for
   * its last sample stays what it was.
   */
  readonly importSamples: (
    descriptions: readonly SeriesDescription[],
    samples: readonly NewSample[],
  ) => Promise<number>;
  /** On disk within 30 s. Until then a power cut may lose them; reading includes them at once. */
  readonly append: (batch: SampleBatch) => void;
  /** Writes everything that waits, last values too, within this time instead. */
  readonly flushWithin: (withinMs: number) => void;
  /** Resolves when everything that waits is on disk; rejects if the disk does not take it. */
  readonly flush: () => Promise<void>;
  /** Corrects all samples of an epoch, past and future: the time that was learned minus the time that the epoch counts. */
  readonly noteShift: (epoch: string, shiftMs: number) => Promise<void>;
  /** The epochs that have samples, with the shifts that are noted. */
  readonly listEpochs: () => Promise<readonly { readonly epoch: string; readonly shiftMs: number }[]>;
  /** `null` if nothing is kept under this name. */
  readonly findSeries: (name: string) => Promise<SeriesSummary | null>;
  /** The series after this name, in an order of names. */
  readonly listSeries: (after: string | null) => Promise<SeriesPage>;
  /**
   * The samples of one series with `fromMs <= atMs < toMs`, in order of time. A slice takes about 20 ms of the storage's
   * thread: go on with `next` until it is `null`. The end of a range must not move while it is read.
   */
  readonly readSlice: (range: SampleRange, afterMs: number | null) => Promise<SampleSlice>;
  /** The last sample of a series before this moment: the value that holds there, or why none is known. */
  readonly findBefore: (series: string, atMs: number) => Promise<Sample | null>;
  /**
   * The samples of all series with this number or a higher one, in the order of their numbers. A part may be empty although
   * more follow: go on with `next` until `isEnd`.
   */
  readonly readNumbered: (from: number) => Promise<NumberedSamples>;
  /** The numbers from which to read what happened from this moment on; `Infinity` for what is still to come. */
  readonly locate: (atMs: number) => Promise<NumberPlace>;
  /**
   * Deletes the samples with `fromMs <= atMs < toMs` of each series, all or nothing, also for those who read by number. A gap
   * `deleted` takes their place, unless the range has no beginning; what held at its end goes on there.
   */
  readonly deleteSamples: (ranges: readonly DeletionRange[]) => Promise<void>;
  /**
   * Overwrites the next part of what was deleted, in the months and in their copies, and resolves with whether there is more.
   * What a power cut leaves is found again.
   */
  readonly eraseDeleted: () => Promise<boolean>;
  /** Overwrites what the files of the journal and the months do not use any more. */
  readonly scrub: () => Promise<void>;
  /** Removes whole months beyond the limits, and resolves with their names, such as `2026-11`. */
  readonly forgetMonths: (limits: HistoryLimits) => Promise<readonly string[]>;
  readonly readUsage: () => Promise<HistoryUsage>;
  /** What the month of this moment takes on disk. What waits in the journal for its file is no part of it. */
  readonly readMonthUse: (atMs: number) => Promise<MonthUse>;
};

export type MonthUse = {
  readonly bytes: number;
  /** What samples of devices take of it, by the id of each that has any. */
  readonly ofDevices: ReadonlyMap<string, number>;
  /** The same by integration, with devices that were removed, as long as the hub remembers them. */
  readonly ofIntegrations: ReadonlyMap<string, number>;
};

export type DeletionRange = SampleRange & {
  /** Nothing holds at its end: the series is over. */
  readonly isEnd?: true;
  /**
   * Its time is over, and nobody wished it gone: `samples` keeps the hours that are made of them, `all` nothing. No hours of
   * other series are made again for it. Where some are still to be made, the samples stay until the next time.
   */
  readonly retires?: 'samples' | 'all';
};

export type HistoryLimits = {
  /** A month whose last sample is older goes. */
  readonly keepFromMs: number;
  /** All months together may take this; the oldest go first, the newest stays. */
  readonly maxBytes: number;
  /** Removes nothing, and says what would go. */
  readonly isTrial?: true;
};

export type HistoryUsage = {
  readonly months: readonly {
    readonly month: string;
    readonly bytes: number;
    /** Over, and packed as small as it gets. */
    readonly isClosed: boolean;
  }[];
  /** All months together take this. */
  readonly bytes: number;
  /** Samples that are in no month yet. */
  readonly waitingSamples: number;
  /** Hub time of the sample that came last; `null` if none ever came. */
  readonly lastSampleMs: number | null;
  /** Since when samples are dropped, because too many wait for a disk that takes none; `null` if none are. */
  readonly pausedSinceMs: number | null;
  /** Files that are there and left alone. Until a person acts, what they have is a gap, and nothing is added to them. */
  readonly unusable: readonly UnusableFile[];
};

/** `not_permitted`: the rights of the file do not let the hub use it. */
export const UNUSABLE_REASONS = ['not_permitted', 'other_hub', 'newer_version'] as const;

export type UnusableFile = {
  /** A month such as `2026-11`, a year of hours such as `hours-2026`, or `history` for the whole folder. */
  readonly file: string;
  readonly reason: (typeof UNUSABLE_REASONS)[number];
};

export type SampleRange = { readonly series: string; readonly fromMs: number; readonly toMs: number };

/** The columns have the same length. */
export type SampleSlice = {
  readonly timesMs: Float64Array;
  /** `null` where a gap begins. */
  readonly values: readonly (SampleValue | null)[];
  /** The gaps by their index. */
  readonly gaps: ReadonlyMap<number, GapMark>;
  /** The `afterMs` of the next slice; `null` after the last one. */
  readonly next: number | null;
};

export type Gap = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: GapReason;
  readonly isUncertain: boolean;
};

export type SeriesSummary = SeriesDescription & {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  /** What its samples take on disk. */
  readonly bytes: number;
};

export type SeriesPage = { readonly series: readonly SeriesSummary[]; readonly next: string | null };

/**
 * Every sample has a number: later samples have higher ones, and there are holes between them. The number of a sample stays
 * the same for ever, except that deleting samples may lower the numbers of others within the same tenth of a second.
 */
export type NumberedSample = NewSample & { readonly number: number };

export type NumberedSamples = {
  readonly samples: readonly NumberedSample[];
  /** The number to go on from. */
  readonly next: number;
  /** Everything below is on disk. Keep no position beyond it: after a power cut other samples may get those numbers. */
  readonly safe: number;
  /** Nothing with `next` or a higher number exists yet. */
  readonly isEnd: boolean;
  /** The numbers end below the asked one, because the history was lost: who had come so far goes on from `next`. */
  readonly isCutBack?: true;
  /** Samples of this part that somebody deleted, whose bytes are still there. */
  readonly hidden: number;
  /** What went before its time for a reader that had not come so far, in the order of the numbers. */
  readonly forgotten: readonly ForgottenSamples[];
};

/** A month that was removed or lost, or a deletion whose bytes are gone: samples below the number `to` may be missing since. */
export type ForgottenSamples = { readonly to: number; readonly samples: number };

export type NumberPlace = {
  /**
   * Nothing from the moment on has a lower number. Some of what was before it has a higher one, where a clock was wrong, or
   * where the newest samples are not on disk yet.
   */
  readonly from: number;
  /** No sample has this number or a higher one yet. */
  readonly end: number;
};

/** About a millisecond. */
const STEPS_AT_ONCE = 4_096;

/** Calls `take` with each sample until it returns false; then returns the time of that sample, else `null`. */
export async function eachSample(
  store: Pick<HistoryStore, 'readSlice'>,
  range: SampleRange,
  take: (sample: Sample) => boolean,
): Promise<number | null> {
  let after: number | null = null;
  const slices = createStepSlices(STEPS_AT_ONCE);
  do {
    const slice = await store.readSlice(range, after);
    const { timesMs, values, gaps } = slice;
    for (let index = 0; index < values.length; index += 1) {
      const atMs = timesMs[index] ?? range.fromMs;
      const known = values[index] ?? gaps.get(index);
      if (known !== undefined && !take({ atMs, value: known })) return atMs;
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    after = slice.next;
  } while (after !== null);
  return null;
}
