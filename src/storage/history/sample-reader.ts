import type { SampleRange, SampleSlice } from '#core/past/history/history-store.ts';
import { bytesOf, isGap, type GapMark, type Sample, type SampleValue } from '#core/past/history/sample.ts';
import { TICK_MS, type Segment, type SampleChunk } from '#storage/samples/segment.ts';

/** The reader takes samples from here. */
export type SampleSource = {
  /** The parts of a series that may have samples with `fromMs <= atMs < toMs`, in any order. */
  readonly chunksOf: (series: string, range: Omit<SampleRange, 'series'>) => readonly SampleChunk[];
  /** Times at which parts of a series begin, in any order: where to look for what came before a moment. */
  readonly startsOf: (series: string) => readonly number[];
  readonly shiftOf: (epoch: string) => number;
};

/** A slice ends with the chunk that reaches it: about 4 ms here, and 20 ms on a slow computer. */
const SLICE_SAMPLES = 20_000;
/** As those take if they are numbers. */
const SLICE_BYTES = 16 * SLICE_SAMPLES;

const LOST: GapMark = { gap: 'lost' };

type Timed = { readonly atMs: number; readonly value: SampleValue | GapMark };

/** A slice of at most this many samples, and the rest of a chunk. */
export type SlicePlace = { readonly afterMs: number | null; readonly samples?: number };

export function readSlice(source: SampleSource, range: SampleRange, place: SlicePlace): SampleSlice {
  const { afterMs, samples = SLICE_SAMPLES } = place;
  const { series, toMs } = range;
  const fromMs = Math.max(range.fromMs, afterMs ?? -Infinity);
  const found = createColumns();
  let isWhole = true;
  for (const group of groupChunks(source, source.chunksOf(series, { fromMs, toMs }))) {
    isWhole = found.count() < samples && found.bytes() < SLICE_BYTES;
    if (!isWhole) break;
    readGroup(source, group, (atMs, value) => {
      if (atMs >= fromMs && atMs !== afterMs && atMs < toMs) found.add(atMs, value);
    });
  }
  return { ...found.end(), next: isWhole ? null : found.lastMs() };
}

/** Goes back from part to part, so that it usually opens one file at most. */
export function findBefore(source: SampleSource, series: string, atMs: number): Sample | null {
  const starts = source.startsOf(series).filter((startMs) => startMs < atMs);
  for (const fromMs of starts.toSorted((left, right) => right - left)) {
    const groups = groupChunks(source, source.chunksOf(series, { fromMs, toMs: atMs }));
    for (const group of groups.toReversed()) {
      let last: Timed | undefined;
      readGroup(source, group, (ofGroupMs, value) => {
        if (ofGroupMs < atMs) last = { atMs: ofGroupMs, value };
      });
      if (last !== undefined) return last;
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

type TakeSample = (atMs: number, value: SampleValue | GapMark) => void;

/** In order of time. A month of a meter has 200,000 samples: no object is made of each. */
function readGroup(source: SampleSource, group: readonly SampleChunk[], take: TakeSample): void {
  const [only] = group;
  if (only !== undefined && group.length === 1) return eachOf(source, only, take);
  const samples: Timed[] = [];
  for (const chunk of group) eachOf(source, chunk, (atMs, value) => void samples.push({ atMs, value }));
  for (const { atMs, value } of samples.toSorted((left, right) => left.atMs - right.atMs)) take(atMs, value);
}

function eachOf({ shiftOf }: SampleSource, { segment, read }: SampleChunk, take: TakeSample): void {
  const { ticks, values } = read();
  const shiftMs = shiftOf(segment.epoch);
  for (let index = 0; index < ticks.length; index += 1) {
    take((ticks[index] ?? 0) * TICK_MS + shiftMs, values[index] ?? LOST);
  }
}

function timeOf({ shiftOf }: SampleSource, { epoch }: Segment, tick: number): number {
  return tick * TICK_MS + shiftOf(epoch);
}

/** Collects samples as the columns of a slice. */
export function createColumns() {
  const times: number[] = [];
  const values: (SampleValue | null)[] = [];
  const gaps = new Map<number, GapMark>();
  let bytes = 0;
  return {
    add: (atMs: number, value: SampleValue | GapMark): void => {
      times.push(atMs);
      bytes += bytesOf(value);
      if (isGap(value)) gaps.set(values.push(null) - 1, value);
      else values.push(value);
    },
    count: (): number => times.length,
    bytes: (): number => bytes,
    lastMs: (): number | null => times.at(-1) ?? null,
    end: (): Omit<SampleSlice, 'next'> => ({ timesMs: new Float64Array(times), values, gaps }),
  };
}
