import type { GapMark, SampleValue } from '#core/past/history/sample.ts';

/** Length of a tick: the times of samples are kept in whole ticks since 1970. */
export const TICK_MS = 100;

/** Numbers of one tick: more samples in one tick than a hub can take. */
const RANKS = 65_536;

/**
 * A stretch of samples whose times never go back, as one epoch of the hub clock counts them. In it, the number of a sample
 * follows from its tick and its rank among the samples of that tick, so no block needs to store numbers.
 */
export type Segment = {
  readonly number: number;
  readonly epoch: string;
  /** The number that the first sample in `firstTick` has. */
  readonly base: number;
  readonly firstTick: number;
};

export function numberOf({ base, firstTick }: Segment, tick: number, rank = 0): number {
  return base + (tick - firstTick) * RANKS + Math.min(rank, RANKS - 1);
}

/** The tick that has this number, and the rank in it. */
export function placeOf(
  { base, firstTick }: Segment,
  number: number,
): { readonly tick: number; readonly rank: number } {
  const since = Math.max(0, number - base);
  return { tick: firstTick + Math.floor(since / RANKS), rank: since % RANKS };
}

/** The segment after another one, of which `lastTick` was the last tick. */
export function nextSegment(
  last: { readonly segment: Segment; readonly lastTick: number } | undefined,
  epoch: string,
  firstTick: number,
): Segment {
  // Numbers follow the time where they can: a hub that lost its journal does not give the same numbers again.
  const base = Math.max(firstTick * RANKS, last === undefined ? 0 : numberOf(last.segment, last.lastTick + 1));
  return { number: (last?.segment.number ?? 0) + 1, epoch, base, firstTick };
}

/** A month as in `2026-11`: the name of its file. */
export type Month = string;

/** The month of a tick in UTC, as its epoch's shift is known at the moment, and the first tick that is in a later one. */
export function monthAt(tick: number, shiftMs: number): { readonly month: Month; readonly endTick: number } {
  const at = new Date(Math.max(0, tick * TICK_MS + shiftMs));
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  return { month: at.toISOString().slice(0, 7), endTick: Math.ceil((endMs - shiftMs) / TICK_MS) };
}

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
