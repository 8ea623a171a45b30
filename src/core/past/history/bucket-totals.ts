import type { BucketEdges } from './bucket-edges.ts';
import { isGap, type Sample, type SampleValue } from './sample.ts';
import { knownValue, type Piece } from './step-line.ts';

/** All but the first two are `null` where nothing is known in the bucket: never 0, never interpolated. */
export type GaugeBucket = {
  readonly atMs: number;
  readonly knownMs: number;
  readonly min: number | null;
  readonly max: number | null;
  /** Weighted by the time in which each value held. */
  readonly mean: number | null;
  readonly first: number | null;
  readonly last: number | null;
  /** How many values were reported in it. */
  readonly samples: number;
};

export type StateBucket = {
  readonly atMs: number;
  readonly knownMs: number;
  /** How long each value held; `null` where nothing is known. */
  readonly heldMs: ReadonlyMap<SampleValue, number> | null;
  /** How often the value became another one; a value after a gap counts only if it differs from the last known. */
  readonly changes: number;
  readonly samples: number;
};

/** How often each thing happened. A time in which the hub was off looks the same as one in which nothing happened. */
export type EventBucket = { readonly atMs: number; readonly counts: ReadonlyMap<SampleValue, number> };

/** A part of a piece lies in one bucket. */
export type Part = Pick<Piece, 'fromMs' | 'toMs' | 'isSample'> & { readonly bucketMs: number };

/** The parts of a piece in each bucket, in order. */
export function cutAtEdges(piece: Piece, edges: BucketEdges, take: (part: Part) => void): void {
  let bucketMs = edges.startOf(piece.fromMs);
  let { fromMs, isSample } = piece;
  do {
    const endMs = edges.endOf(bucketMs);
    const toMs = Math.min(endMs, piece.toMs);
    take({ fromMs, toMs, isSample, bucketMs });
    fromMs = toMs;
    bucketMs = endMs;
    isSample = false;
  } while (fromMs < piece.toMs);
}

/** A value from before the range that another one replaces at its very beginning. */
function isOver({ fromMs, toMs, isSample }: Piece): boolean {
  return fromMs === toMs && !isSample;
}

/** Every bucket that begins in the range, or in which it begins. */
export function bucketStarts(edges: BucketEdges, fromMs: number, toMs: number): readonly number[] {
  const starts: number[] = [];
  for (let at = edges.startOf(fromMs); at < toMs; at = edges.endOf(at)) starts.push(at);
  return starts;
}

/**
 * Values times milliseconds are added up in this scale: those of the greatest numbers, over ten years, are numbers in it. It
 * is a power of two, so that no digit is lost.
 */
export const AREA_SCALE = 2 ** -40;

/** The mean of values that add up to this area above the least of them. */
export function meanAbove(
  area: number,
  { min, max, knownMs }: { readonly min: number; readonly max: number; readonly knownMs: number },
): number {
  return Math.min(max, Math.max(min, (min * AREA_SCALE + area / knownMs) / AREA_SCALE));
}

type GaugeTotal = Pick<HeldTotal, 'knownMs' | 'samples'> & Record<'area' | 'min' | 'max' | 'first' | 'last', number>;

type HeldTotal = { knownMs: number; samples: number; changes: number; heldMs: Map<SampleValue, number> };

const UNKNOWN = { knownMs: 0, min: null, max: null, mean: null, first: null, last: null, samples: 0 };

function newTotal(value: number): GaugeTotal {
  return { knownMs: 0, samples: 0, area: 0, min: value, max: value, first: value, last: value };
}

/** Numbers count, other values are as unknown: a feature may have changed its type. */
export function createGaugeTotals(edges: BucketEdges): {
  readonly add: (piece: Piece) => void;
  readonly bucketAt: (startMs: number) => GaugeBucket;
} {
  const totals = new Map<number, GaugeTotal>();
  return {
    add: (piece) => {
      const value = knownValue(piece);
      if (typeof value !== 'number' || isOver(piece)) return;
      cutAtEdges(piece, edges, ({ bucketMs, fromMs, toMs, isSample }) => {
        const total = totals.get(bucketMs) ?? newTotal(value);
        totals.set(bucketMs, total);
        if (isSample) total.samples += 1;
        total.knownMs += toMs - fromMs;
        // Differences from the least value, so that small changes of a great one keep their digits.
        total.area += (value * AREA_SCALE - total.min * AREA_SCALE) * (toMs - fromMs);
        if (value < total.min) {
          total.area += (total.min * AREA_SCALE - value * AREA_SCALE) * total.knownMs;
          total.min = value;
        }
        total.max = Math.max(total.max, value);
        total.last = value;
      });
    },
    bucketAt: (atMs) => {
      const total = totals.get(atMs);
      if (total === undefined) return { atMs, ...UNKNOWN };
      const { area, ...others } = total;
      const { knownMs, last } = total;
      return { atMs, ...others, mean: knownMs === 0 ? last : meanAbove(area, total) };
    },
  };
}

/** `lastKnown` is the last value before the range, even if it did not hold until then. */
export function createStateTotals(
  edges: BucketEdges,
  lastKnown?: SampleValue,
): {
  readonly add: (piece: Piece) => void;
  readonly bucketAt: (startMs: number) => StateBucket;
} {
  const totals = new Map<number, HeldTotal>();
  let last = lastKnown;
  return {
    add: (piece) => {
      const value = knownValue(piece);
      if (value === undefined) return;
      const addPart = ({ bucketMs, fromMs, toMs, isSample }: Part): void => {
        const total = totals.get(bucketMs) ?? { knownMs: 0, heldMs: new Map(), changes: 0, samples: 0 };
        totals.set(bucketMs, total);
        total.knownMs += toMs - fromMs;
        total.heldMs.set(value, (total.heldMs.get(value) ?? 0) + toMs - fromMs);
        if (isSample) total.samples += 1;
        if (isSample && last !== undefined && last !== value) total.changes += 1;
      };
      if (!isOver(piece)) cutAtEdges(piece, edges, addPart);
      last = value;
    },
    bucketAt: (atMs) => {
      const { knownMs = 0, heldMs = null, changes = 0, samples = 0 } = totals.get(atMs) ?? {};
      return { atMs, knownMs, heldMs, changes, samples };
    },
  };
}

export function createEventTotals(edges: BucketEdges): {
  readonly add: (sample: Sample) => void;
  readonly bucketAt: (startMs: number) => EventBucket;
} {
  const totals = new Map<number, Map<SampleValue, number>>();
  return {
    add: ({ atMs, value }) => {
      if (isGap(value)) return;
      const startMs = edges.startOf(atMs);
      const counts = totals.get(startMs) ?? new Map<SampleValue, number>();
      totals.set(startMs, counts.set(value, (counts.get(value) ?? 0) + 1));
    },
    bucketAt: (atMs) => ({ atMs, counts: totals.get(atMs) ?? new Map<SampleValue, number>() }),
  };
}
