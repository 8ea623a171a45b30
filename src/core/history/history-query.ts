import { type Bucket, type BucketEdges, createBucketEdges } from './bucket-edges.ts';
import {
  bucketStarts,
  createEventTotals,
  createGaugeTotals,
  createStateTotals,
  type EventBucket,
  type GaugeBucket,
  type StateBucket,
} from './bucket-totals.ts';
import { type Count, counterWarmUpMs, createDailyCounterReader } from './counter.ts';
import type { HistoryStore as WholeStore, SampleRange } from './history-store.ts';
import { createM4, type Point } from './m4.ts';
import { type GapReason, isGap, type Sample, type SampleValue, type SeriesKind } from './sample.ts';
import { createStepLine, knownValue, type Piece } from './step-line.ts';
import type { TimeZone } from '#base/time/time-zone.ts';

type HistoryStore = Pick<WholeStore, 'findBefore' | 'readSlice'>;

export type SeriesQuery = {
  readonly series: string;
  readonly kind: SeriesKind;
  readonly fromMs: number;
  readonly toMs: number;
  readonly detail: Detail;
};

export type Detail =
  /** Every sample after `afterMs`, at most `limit` of them. */
  | { readonly type: 'raw'; readonly afterMs: number | null; readonly limit: number }
  /** As many points at most as a chart shows. */
  | { readonly type: 'points'; readonly points: number; readonly zone: TimeZone }
  | { readonly type: 'buckets'; readonly bucket: Bucket; readonly zone: TimeZone };

export type Gap = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: GapReason;
  readonly isUncertain: boolean;
};

export type CounterBucket = Omit<Count, 'atMs' | 'sinceMs'> &
  Pick<GaugeBucket, 'atMs' | 'knownMs' | 'min' | 'max' | 'samples'>;

export type Rows =
  | { readonly type: 'values'; readonly points: readonly Point[] }
  | { readonly type: 'gauge'; readonly buckets: readonly GaugeBucket[] }
  | { readonly type: 'counter'; readonly buckets: readonly CounterBucket[] }
  | { readonly type: 'state'; readonly buckets: readonly StateBucket[] }
  | { readonly type: 'event'; readonly buckets: readonly EventBucket[] };

export type Summary = {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly knownMs: number;
  readonly changes: number;
};

export type SeriesHistory = {
  readonly rows: Rows;
  /** The value that held before the range began; `null` if none was known. */
  readonly before: Point | null;
  readonly gaps: readonly Gap[];
  /** Of the part that was read; counters have no mean. */
  readonly summary: Summary;
  /** The `afterMs` of the next part of raw samples; `null` after the last one. */
  readonly nextMs: number | null;
};

/** More gaps than this in one answer join into one at the end: nobody looks at each of them. */
const MAX_GAPS = 1_000;

/**
 * Reads one series. Samples cross from the storage's thread slice by slice, so that other calls run in between. The end
 * of the range must not be in the future.
 */
export async function readHistory(store: HistoryStore, query: SeriesQuery): Promise<SeriesHistory> {
  const { series, toMs, detail } = query;
  const fromMs = detail.type === 'raw' && detail.afterMs !== null ? detail.afterMs : query.fromMs;
  const before = await store.findBefore(series, query.fromMs);
  const held = fromMs === query.fromMs ? before : await store.findBefore(series, fromMs);
  const sink = createRows(query, await findLastKnown(store, query, before));
  const summary = createSummary();
  const gaps = createGaps();
  const line = createStepLine({ fromMs, toMs }, held, (piece) => {
    summary.add(piece);
    gaps.add(piece);
    sink.addPiece(piece);
  });
  if (sink.warmUp !== undefined) await warmUp(store, query, sink.warmUp);
  const nextMs = await eachSample(store, { series, fromMs, toMs }, (sample) => {
    if (!sink.addSample(sample)) return false;
    line.add(sample);
    return true;
  });
  line.end(nextMs ?? toMs);
  // A press is over at once: it holds for no time.
  const isHeld = query.kind !== 'event';
  const last = isHeld && before !== null && !isGap(before.value) ? { atMs: before.atMs, value: before.value } : null;
  const { knownMs, ...others } = summary.end();
  return {
    rows: sink.end(),
    before: last,
    gaps: gaps.end(),
    summary: { ...others, mean: query.kind === 'counter' ? null : others.mean, knownMs: isHeld ? knownMs : 0 },
    nextMs,
  };
}

/** More gaps in a row than this are those of a device that was off for very long. */
const MAX_GAPS_BACK = 20;

/** The last value before the range, behind the gaps after it: whether a state changes does not depend on where a range begins. */
async function findLastKnown(
  store: HistoryStore,
  { series, kind, detail }: SeriesQuery,
  before: Sample | null,
): Promise<SampleValue | undefined> {
  if (kind !== 'state' || detail.type !== 'buckets') return undefined;
  let found = before;
  for (let tries = 0; found !== null && isGap(found.value) && tries < MAX_GAPS_BACK; tries += 1) {
    found = await store.findBefore(series, found.atMs);
  }
  return found === null || isGap(found.value) ? undefined : found.value;
}

/** Calls `take` with each sample until it returns false; then returns the time of that sample, else `null`. */
export async function eachSample(
  store: HistoryStore,
  range: SampleRange,
  take: (sample: Sample) => boolean,
): Promise<number | null> {
  let after: number | null = null;
  do {
    const slice = await store.readSlice(range, after);
    for (const [index, value] of slice.values.entries()) {
      const atMs = slice.timesMs[index] ?? range.fromMs;
      const known = value ?? slice.gaps.get(index);
      if (known !== undefined && !take({ atMs, value: known })) return atMs;
    }
    after = slice.next;
  } while (after !== null);
  return null;
}

/** A counter counts from what it read before the range. */
export async function warmUp(
  store: HistoryStore,
  { series, fromMs }: Pick<SeriesQuery, 'series' | 'fromMs'>,
  read: (sample: Sample) => void,
): Promise<void> {
  const beginMs = counterWarmUpMs(fromMs);
  const first = await store.findBefore(series, beginMs);
  if (first !== null) read(first);
  await eachSample(store, { series, fromMs: beginMs, toMs: fromMs }, (sample) => {
    read(sample);
    return true;
  });
}

type RowSink = {
  /** False if the answer is full: then the sample is the first of the next one. */
  readonly addSample: (sample: Sample) => boolean;
  readonly addPiece: (piece: Piece) => void;
  /** Only of counters: reads a sample from before the range. */
  readonly warmUp?: (sample: Sample) => void;
  readonly end: () => Rows;
};

function createRows(query: SeriesQuery, lastKnown: SampleValue | undefined): RowSink {
  const { detail, kind, fromMs, toMs } = query;
  if (detail.type === 'raw') return rawRows(detail.limit);
  if (detail.type === 'points') return pointRows(query, detail.points);
  const edges = createBucketEdges(detail.bucket, detail.zone);
  const starts = bucketStarts(edges, fromMs, toMs);
  const take = { addSample: () => true };
  if (kind === 'gauge') {
    const totals = createGaugeTotals(edges);
    return { ...take, addPiece: totals.add, end: () => ({ type: 'gauge', buckets: starts.map(totals.bucketAt) }) };
  }
  if (kind === 'event') return eventRows(edges, starts);
  const states = createStateTotals(edges, lastKnown);
  if (kind !== 'counter') {
    return { ...take, addPiece: states.add, end: () => ({ type: 'state', buckets: starts.map(states.bucketAt) }) };
  }
  return counterRows(edges, starts);
}

function rawRows(limit: number): RowSink {
  const points: Point[] = [];
  return {
    addPiece: () => undefined,
    addSample: ({ atMs, value }) => {
      // Samples of the same moment stay together: the next part begins after that moment.
      if (points.length >= limit && points.at(-1)?.atMs !== atMs) return false;
      if (!isGap(value)) points.push({ atMs, value });
      return true;
    },
    end: () => ({ type: 'values', points }),
  };
}

function pointRows({ fromMs, toMs }: SeriesQuery, points: number): RowSink {
  const thinned = createM4(fromMs, toMs, Math.max(1, Math.floor(points / 4)));
  return {
    addPiece: () => undefined,
    addSample: ({ atMs, value }) => {
      if (!isGap(value)) thinned.add({ atMs, value });
      return true;
    },
    end: () => ({ type: 'values', points: thinned.end() }),
  };
}

function eventRows(edges: BucketEdges, starts: readonly number[]): RowSink {
  const totals = createEventTotals(edges);
  return {
    addPiece: () => undefined,
    addSample: (sample) => {
      totals.add(sample);
      return true;
    },
    end: () => ({ type: 'event', buckets: starts.map(totals.bucketAt) }),
  };
}

function counterRows(edges: BucketEdges, starts: readonly number[]): RowSink {
  const reader = createDailyCounterReader();
  const counted = new Map<number, Omit<Count, 'atMs' | 'sinceMs'>>();
  const known = createGaugeTotals(edges);
  const nothing = { increase: 0, inGap: 0, resets: 0 };
  return {
    addPiece: known.add,
    warmUp: (sample) => void reader.read(sample),
    addSample: (sample) => {
      const count = reader.read(sample);
      if (count === undefined) return true;
      const start = edges.startOf(sample.atMs);
      const { increase, inGap, resets } = counted.get(start) ?? nothing;
      counted.set(start, {
        increase: increase + count.increase,
        inGap: inGap + count.inGap,
        resets: resets + count.resets,
      });
      return true;
    },
    end: () => ({
      type: 'counter',
      buckets: starts.map((atMs) => {
        const { knownMs, min, max, samples } = known.bucketAt(atMs);
        return { atMs, knownMs, min, max, samples, ...(counted.get(atMs) ?? nothing) };
      }),
    }),
  };
}

function createSummary(): { readonly add: (piece: Piece) => void; readonly end: () => Summary } {
  let knownMs = 0;
  let changes = 0;
  let min = Infinity;
  let max = -Infinity;
  let area = 0;
  let numberMs = 0;
  return {
    add: (piece) => {
      const value = knownValue(piece);
      if (value === undefined) return;
      const lengthMs = piece.toMs - piece.fromMs;
      knownMs += lengthMs;
      if (piece.isSample) changes += 1;
      if (typeof value !== 'number' || (lengthMs === 0 && !piece.isSample)) return;
      min = Math.min(min, value);
      max = Math.max(max, value);
      area += value * lengthMs;
      numberMs += lengthMs;
    },
    end: () => {
      const isNumber = min <= max;
      const mean = numberMs === 0 ? null : Math.min(max, Math.max(min, area / numberMs));
      return { min: isNumber ? min : null, max: isNumber ? max : null, mean, knownMs, changes };
    },
  };
}

function createGaps(): { readonly add: (piece: Piece) => void; readonly end: () => readonly Gap[] } {
  const gaps: Gap[] = [];
  return {
    add: ({ fromMs, toMs, value }) => {
      if (!isGap(value) || fromMs === toMs) return;
      const { gap: reason, isUncertain = false } = value;
      const last = gaps.at(-1);
      const isSame = last !== undefined && last.toMs === fromMs && last.reason === reason;
      if (last !== undefined && (isSame || gaps.length >= MAX_GAPS)) gaps[gaps.length - 1] = { ...last, toMs };
      else gaps.push({ fromMs, toMs, reason, isUncertain });
    },
    end: () => gaps,
  };
}
