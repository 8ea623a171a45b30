import type { SampleRange, SampleSlice } from '#core/history/history-store.ts';
import { isGap, type GapMark, type Sample, type SampleValue } from '#core/history/sample.ts';
import { TICK_MS, type Segment, type SampleChunk } from './segment.ts';

/** What the reader reads from. */
export type SampleSource = {
  /** The parts of a series that may have samples with `fromMs <= atMs < toMs`, in any order. */
  readonly chunksOf: (series: string, range: Omit<SampleRange, 'series'>) => readonly SampleChunk[];
  /** Times at which parts of a series begin, in any order: where to look for what came before a moment. */
  readonly startsOf: (series: string) => readonly number[];
  readonly shiftOf: (epoch: string) => number;
};

/** A slice ends with the chunk that reaches it: about 4 ms here, and 20 ms on a slow computer. */
const SLICE_SAMPLES = 20_000;

const LOST: GapMark = { gap: 'lost' };

type Timed = { readonly atMs: number; readonly value: SampleValue | GapMark };

export function readSlice(source: SampleSource, range: SampleRange, afterMs: number | null): SampleSlice {
  const { series, toMs } = range;
  const fromMs = Math.max(range.fromMs, afterMs ?? -Infinity);
  const found: Timed[] = [];
  let isWhole = true;
  for (const group of groupChunks(source, source.chunksOf(series, { fromMs, toMs }))) {
    isWhole = found.length < SLICE_SAMPLES;
    if (!isWhole) break;
    for (const sample of readGroup(source, group)) {
      if (sample.atMs >= fromMs && sample.atMs !== afterMs && sample.atMs < toMs) found.push(sample);
    }
  }
  return { ...columnsOf(found), next: isWhole ? null : (found.at(-1)?.atMs ?? null) };
}

/** Goes back from part to part, so that it usually opens one file at most. */
export function findBefore(source: SampleSource, series: string, atMs: number): Sample | null {
  const starts = source.startsOf(series).filter((startMs) => startMs < atMs);
  for (const fromMs of starts.toSorted((left, right) => right - left)) {
    const groups = groupChunks(source, source.chunksOf(series, { fromMs, toMs: atMs }));
    for (const group of groups.toReversed()) {
      const sample = readGroup(source, group).findLast((each) => each.atMs < atMs);
      if (sample !== undefined) return sample;
    }
  }
  return null;
}

/** Chunks whose times overlap, after the clock went back, are read together. Each group begins after the end of the one before. */
function groupChunks(source: SampleSource, chunks: readonly SampleChunk[]): SampleChunk[][] {
  const firstMs = (chunk: SampleChunk): number => timeOf(source, chunk.segment, chunk.firstTick);
  const sorted = chunks.toSorted(
    (left, right) => firstMs(left) - firstMs(right) || left.segment.number - right.segment.number,
  );
  const groups: SampleChunk[][] = [];
  let endMs = -Infinity;
  for (const chunk of sorted) {
    if (firstMs(chunk) > endMs) groups.push([]);
    groups.at(-1)?.push(chunk);
    endMs = Math.max(endMs, timeOf(source, chunk.segment, chunk.lastTick));
  }
  return groups;
}

function readGroup(source: SampleSource, group: readonly SampleChunk[]): Timed[] {
  const samples = group.flatMap(({ segment, read }) => {
    const { ticks, values } = read();
    return ticks.map((tick, index) => ({ atMs: timeOf(source, segment, tick), value: values[index] ?? LOST }));
  });
  return group.length === 1 ? samples : samples.toSorted((left, right) => left.atMs - right.atMs);
}

function timeOf({ shiftOf }: SampleSource, { epoch }: Segment, tick: number): number {
  return tick * TICK_MS + shiftOf(epoch);
}

/** The samples as the columns of a slice. */
export function columnsOf(samples: readonly Timed[]): Omit<SampleSlice, 'next'> {
  const gaps = new Map<number, GapMark>();
  const values = samples.map(({ value }, index) => {
    if (!isGap(value)) return value;
    gaps.set(index, value);
    return null;
  });
  return { timesMs: Float64Array.from(samples, ({ atMs }) => atMs), values, gaps };
}
