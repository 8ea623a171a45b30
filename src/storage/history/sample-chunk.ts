import type { GapMark, SampleValue } from '#core/history/sample.ts';
import type { Segment } from './segment.ts';

/** Samples of one series in one segment, in order of their ticks; both lists have the same length. */
export type Samples = { readonly ticks: readonly number[]; readonly values: readonly (SampleValue | GapMark)[] };

/** A part of a series that can be read as a whole: a block of a file, or what waits in memory. */
export type SampleChunk = {
  readonly segment: Segment;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
  readonly read: () => Samples;
};
