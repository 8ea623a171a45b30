import { type Bucket, type BucketEdges, createBucketEdges } from './bucket-edges.ts';
import { type ChartRange, chartSlice, createGaps, createM4, createSummary, type Summary } from './chart.ts';
import {
  bucketStarts,
  createEventTotals,
  createGaugeTotals,
  createStateTotals,
  type EventBucket,
  type GaugeBucket,
  type StateBucket,
} from './bucket-totals.ts';
import { type Count, maxPerHourOf } from '#core/past/history/counter/counter.ts';
import { createDailyCounterReader, warmUp } from '#core/past/history/counter/daily-counter.ts';
import { eachSample, type Gap, type HistoryStore as WholeStore } from './history-store.ts';
import { isGap, type Point, type Sample, type SampleValue, type SeriesDescription } from './sample.ts';
import { createStepLine, type Piece } from './step-line.ts';
import type { TimeZone } from '#base/time/time-zone.ts';

type HistoryStore = Pick<WholeStore, 'findBefore' | 'readSlice'>;

/** The unit says how much of it a counter can count in an hour. */
export type SeriesQuery = Pick<SeriesDescription, 'kind' | 'unit'> & {
  readonly series: string;
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

type CounterBucket = Omit<Count, 'atMs' | 'sinceMs'> &
  Pick<GaugeBucket, 'atMs' | 'knownMs' | 'min' | 'max' | 'samples'>;

export type Rows =
  | { readonly type: 'values'; readonly points: readonly Point[] }
  | { readonly type: 'gauge'; readonly buckets: readonly GaugeBucket[] }
  | { readonly type: 'counter'; readonly buckets: readonly CounterBucket[] }
  | { readonly type: 'state'; readonly buckets: readonly StateBucket[] }
  | { readonly type: 'event'; readonly buckets: readonly EventBucket[] };

export type SeriesHistory = {
  readonly rows: Rows;
  /** The value that held before the range began; `null` if none was known. */
  readonly before: Point | null;
  readonly gaps: readonly Gap[];
  /** The summary of the part that was read; counters have no mean. */
  readonly summary: Summary;
  /** The `afterMs` of the next part of raw samples; `null` after the last one. */
  readonly nextMs: number | null;
};

/**
 * Reads one series. Samples cross from the storage's thread slice by slice, so that other calls run in between. The end
 * of the range must not be in the future.
 */
export async function readHistory(store: HistoryStore, query: SeriesQuery): Promise<SeriesHistory> {
  const { series, toMs, detail } = query;
  if (detail.type === 'points') return readPoints(store, query, detail.points);
  const fromMs = detail.type === 'raw' && detail.afterMs !== null ? detail.afterMs : query.fromMs;
  const before = await store.findBefore(series, query.fromMs);
  const held = fromMs === query.fromMs ? before : await store.findBefore(series, fromMs);
  const sink = createRows({ ...query, detail }, await findLastKnown(store, query, before));
  const summary = createSummary();
  const gaps = createGaps();
  const line = createStepLine({ fromMs, toMs }, held, (piece) => {
    summary.addPiece(piece);
    gaps.addPiece(piece);
    sink.addPiece(piece);
  });
  if (sink.warmUp !== undefined) await warmUp(store, query, sink.warmUp);
  const nextMs = await eachSample(store, { series, fromMs, toMs }, (sample) => {
    if (!sink.addSample(sample)) return false;
    line.add(sample);
    return true;
  });
  line.end(nextMs ?? toMs);
  return { rows: sink.end(), gaps: gaps.end(), nextMs, ...aboutKind(query, before, summary.end()) };
}

/** A press is over at once, so that it holds for no time; a counter has no mean. */
function aboutKind({ kind }: SeriesQuery, before: Sample | null, { knownMs, ...others }: Summary) {
  const isHeld = kind !== 'event';
  const last = isHeld && before !== null && !isGap(before.value) ? { atMs: before.atMs, value: before.value } : null;
  const mean = kind === 'counter' ? null : others.mean;
  return { before: last, summary: { ...others, mean, knownMs: isHeld ? knownMs : 0 } };
}

async function readPoints(store: HistoryStore, query: SeriesQuery, points: number): Promise<SeriesHistory> {
  const { series, fromMs, toMs } = query;
  const range: ChartRange = { series, fromMs, toMs, columns: Math.max(1, Math.floor(points / 4)) };
  const before = await store.findBefore(series, fromMs);
  const thinned = createM4(fromMs, toMs, range.columns);
  const summary = createSummary();
  const gaps = createGaps();
  let [held, after]: [Sample | null, number | null] = [before, null];
  do {
    const part = chartSlice(await store.readSlice(range, after), range, held);
    for (const point of part.points) thinned.add(point);
    for (const gap of part.gaps) gaps.add(gap);
    summary.add(part.amounts);
    held = part.held;
    after = part.next;
  } while (after !== null);
  return {
    rows: { type: 'values', points: thinned.end() },
    gaps: gaps.end(),
    nextMs: null,
    ...aboutKind(query, before, summary.end()),
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

type SampledQuery = SeriesQuery & { readonly detail: Exclude<Detail, { readonly type: 'points' }> };

type RowSink = {
  /** False if the answer is full: then the sample is the first of the next one. */
  readonly addSample: (sample: Sample) => boolean;
  readonly addPiece: (piece: Piece) => void;
  /** Only of counters: reads a sample from before the range. */
  readonly warmUp?: (sample: Sample) => void;
  readonly end: () => Rows;
};

function createRows(query: SampledQuery, lastKnown: SampleValue | undefined): RowSink {
  const { detail, kind, unit, fromMs, toMs } = query;
  if (detail.type === 'raw') return rawRows(detail.limit);
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
  return counterRows(edges, starts, maxPerHourOf(unit));
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

function counterRows(edges: BucketEdges, starts: readonly number[], maxPerHour: number): RowSink {
  const reader = createDailyCounterReader({ maxPerHour });
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
