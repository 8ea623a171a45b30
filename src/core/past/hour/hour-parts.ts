import type { TimeZone } from '#base/time/time-zone.ts';
import { createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { readHistory, type SeriesQuery } from '#core/past/history/history-query.ts';
import type { Gap, HistoryStore } from '#core/past/history/history-store.ts';
import { type Hour, hoursFromRows } from './hour.ts';
import type { HourStore } from './hour-store.ts';
import { type TimeSpan, without } from './time-span.ts';

export type HourPartsDeps = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly hours: Pick<HourStore, 'readHours' | 'readSamplesFrom'>;
};

type HourRange = TimeSpan & Pick<SeriesQuery, 'series' | 'kind' | 'unit'> & { readonly zone: TimeZone };

type HourParts = {
  /** In order. Those at the ends of the range end there, as long as there are samples. */
  readonly hours: readonly Hour[];
  readonly gaps: readonly Gap[];
  /** Whether any of them came from the files of hours. */
  readonly isFromHours: boolean;
  readonly samplesFromMs: number;
};

/** The hours of a range: of days that are made as they are kept, of the others and of cut hours from the samples. */
export async function readHourParts(deps: HourPartsDeps, query: HourRange): Promise<HourParts> {
  const { series, kind, unit, zone, fromMs, toMs } = query;
  const edges = createBucketEdges('1h', zone);
  const samplesFromMs = await deps.hours.readSamplesFrom(series);
  // A cut hour is read from the samples; without them it is shown whole.
  const firstMs = edges.startOf(fromMs);
  const lastMs = edges.startOf(toMs);
  const isFirstCut = firstMs < fromMs && fromMs >= samplesFromMs;
  const isLastCut = lastMs < toMs && lastMs >= samplesFromMs;
  const whole = { fromMs: isFirstCut ? edges.endOf(firstMs) : firstMs, toMs: isLastCut ? lastMs : toMs };
  const kept = await readKept(deps, series, whole);
  const found: Hour[] = [...kept.hours];
  const gaps: Gap[] = [...kept.gaps];
  const holes = kept.made.reduce<readonly TimeSpan[]>(without, [{ fromMs: Math.min(fromMs, firstMs), toMs }]);
  for (const hole of holes) {
    const range = { fromMs: Math.max(fromMs, hole.fromMs), toMs: hole.toMs };
    if (range.fromMs >= range.toMs) continue;
    const detail = { type: 'buckets', bucket: '1h', zone } as const;
    const read = await readHistory(deps.history, { series, kind, unit, ...range, detail });
    found.push(...hoursFromRows(read.rows, edges.endOf, range));
    gaps.push(...read.gaps);
  }
  return {
    hours: found.toSorted((left, right) => left.fromMs - right.fromMs),
    gaps: joinGaps(gaps, { fromMs, toMs }),
    isFromHours: kept.hours.length > 0,
    samplesFromMs,
  };
}

/** Reads whole hours from the files of hours. */
async function readKept({ hours }: HourPartsDeps, series: string, range: TimeSpan) {
  const found: Hour[] = [];
  const gaps: Gap[] = [];
  const made: TimeSpan[] = [];
  for (let next: number | null = range.fromMs; next !== null && next < range.toMs;) {
    const slice = await hours.readHours(series, { fromMs: next, toMs: range.toMs });
    const part = { fromMs: next, toMs: slice.next ?? range.toMs };
    for (const hour of slice.hours) found.push(hour);
    gaps.push(...cutGaps(slice.gaps, part));
    made.push(
      ...slice.made.map((span) => ({
        fromMs: Math.max(span.fromMs, part.fromMs),
        toMs: Math.min(span.toMs, part.toMs),
      })),
    );
    next = slice.next;
  }
  return { hours: found, gaps, made };
}

/** The parts of gaps within a span. */
export function cutGaps(gaps: readonly Gap[], { fromMs, toMs }: TimeSpan): readonly Gap[] {
  return gaps
    .map((gap) => ({ ...gap, fromMs: Math.max(gap.fromMs, fromMs), toMs: Math.min(gap.toMs, toMs) }))
    .filter((gap) => gap.fromMs < gap.toMs);
}

function joinGaps(gaps: readonly Gap[], range: TimeSpan): readonly Gap[] {
  const joined: Gap[] = [];
  for (const gap of cutGaps(gaps, range).toSorted((left, right) => left.fromMs - right.fromMs)) {
    const last = joined.at(-1);
    if (last !== undefined && last.toMs === gap.fromMs && last.reason === gap.reason) {
      joined[joined.length - 1] = { ...last, toMs: gap.toMs };
    } else joined.push(gap);
  }
  return joined;
}
