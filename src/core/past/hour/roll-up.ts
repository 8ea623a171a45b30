import type { Log } from '#base/log.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { type BucketEdges, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { readHistory } from '#core/past/history/history-query.ts';
import type { HistoryStore, SeriesSummary } from '#core/past/history/history-store.ts';
import { hoursFromRows } from './hour.ts';
import { cutGaps } from './hour-parts.ts';
import type { DayOfSeries, HoursDue, HourStore } from './hour-store.ts';
import type { TimeSpan } from './time-span.ts';

type RollUpDeps = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice' | 'listSeries'>;
  readonly hours: HourStore;
  readonly timeZone: () => TimeZone;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  readonly log: Log;
};

const DAY_MS = 86_400_000;
/** Late reports of a day come within this time. */
const SETTLE_MS = 300_000;
/** Older samples are none of a hub whose clock was right. */
const MAX_BACK_MS = 800 * DAY_MS;
/** Days that are read in one go. */
const DAYS_AT_ONCE = 16;
const SERIES_AT_ONCE = 20;

/**
 * Makes the hours of all days that are over, and again of those for which samples came late. Written once a day, the hours of
 * a home are some twenty pages; written each hour, they would be a page of every series each time. Until then they are read
 * from the samples. While the clock may be wrong, nobody knows which day it is.
 */
export async function rollUp(deps: RollUpDeps, signal?: AbortSignal): Promise<void> {
  const { hours, hubClock, timeZone, log } = deps;
  if (!hubClock.isSynced()) return;
  const nowMs = hubClock.nowMs();
  const range = { fromMs: nowMs - MAX_BACK_MS, toMs: nowMs - SETTLE_MS };
  const due = await hours.readDue(range);
  const zone = timeZone();
  const spans = spansToMake(due, createBucketEdges('1d', zone), range);
  for (const group of groupsOf(spans)) {
    if (signal?.aborted === true || !(await makeDays(deps, { zone, spans: group, version: due.version }))) return;
  }
  if (spans.length > 0) log.debug('the hours of days were made', { days: spans.length });
}

/** Days that are over and not made, and made ones with late samples. Only what the samples still tell is made. */
function spansToMake(due: HoursDue, edges: BucketEdges, range: TimeSpan): readonly TimeSpan[] {
  const { firstMs, wholeFromMs, made, late } = due;
  if (firstMs === null) return [];
  const spans: TimeSpan[] = [];
  const addDays = (fromMs: number, toMs: number): void => {
    for (let at = fromMs; at < toMs;) {
      const endMs = Math.min(edges.endOf(edges.startOf(at)), toMs);
      // A day that is not over.
      if (endMs > range.toMs) return;
      spans.push({ fromMs: at, toMs: endMs });
      at = endMs;
    }
  };
  let atMs = edges.startOf(Math.max(firstMs, wholeFromMs, range.fromMs));
  for (const span of made) {
    if (span.toMs <= atMs) continue;
    addDays(atMs, span.fromMs);
    const isLate = late.some(({ fromMs, toMs }) => fromMs < span.toMs && toMs > span.fromMs);
    if (isLate && span.fromMs >= wholeFromMs) spans.push(span);
    atMs = span.toMs;
  }
  addDays(atMs, edges.endOf(edges.startOf(range.toMs)));
  return spans;
}

/** Groups of neighbours. */
function groupsOf(spans: readonly TimeSpan[]): TimeSpan[][] {
  const groups: TimeSpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last?.toMs !== span.fromMs || group.length >= DAYS_AT_ONCE) groups.push([span]);
    else group.push(span);
  }
  return groups;
}

type Group = { readonly zone: TimeZone; readonly spans: readonly TimeSpan[]; readonly version: number };

/** False if samples came in between: then the next attempt makes them. */
async function makeDays(deps: RollUpDeps, { zone, spans, version }: Group): Promise<boolean> {
  const { history, hours } = deps;
  let after: string | null = null;
  do {
    const page = await history.listSeries(after);
    for (let at = 0; at < page.series.length; at += SERIES_AT_ONCE) {
      const days: DayOfSeries[] = [];
      for (const series of page.series.slice(at, at + SERIES_AT_ONCE)) {
        days.push(...(await daysOf(deps, series, { zone, spans })));
      }
      if (!(await hours.putDays(days, version))) return false;
    }
    after = page.next;
  } while (after !== null);
  return hours.finishDays(spans, version);
}

/** Makes the hours of a series on these neighbouring days from its samples. */
export async function daysOf(
  { history }: { readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'> },
  { name, kind, unit }: SeriesSummary,
  { zone, spans }: Omit<Group, 'version'>,
): Promise<DayOfSeries[]> {
  const edges = createBucketEdges('1h', zone);
  const fromMs = spans[0]?.fromMs ?? 0;
  const toMs = spans.at(-1)?.toMs ?? 0;
  const { rows, gaps } = await readHistory(history, {
    series: name,
    kind,
    unit,
    fromMs,
    toMs,
    detail: { type: 'buckets', bucket: '1h', zone },
  });
  const hours = hoursFromRows(rows, edges.endOf, { fromMs, toMs });
  let next = 0;
  return spans.map((span): DayOfSeries => {
    const from = next;
    while ((hours[next]?.fromMs ?? Infinity) < span.toMs) next += 1;
    return { name, kind, unit, fromMs: span.fromMs, hours: hours.slice(from, next), gaps: cutGaps(gaps, span) };
  });
}
