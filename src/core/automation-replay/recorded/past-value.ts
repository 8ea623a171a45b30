import type { HistoryQuestion } from '#core/automation/document/condition.ts';
import { createCounterReader, maxPerHourOf } from '#core/past/history/counter/counter.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import type { SampleValue } from '#core/past/history/sample.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { RecordedSeries, TimeWindow } from '#core/automation-replay/simulation.ts';

type Question = Pick<HistoryQuestion, 'over_s' | 'ago_s' | 'fn'>;

/** A counter needs its readings of the day before to tell a restart from a count. */
const WARM_UP_MS = 86_400_000;

/** From how long ago on samples are needed for an answer. */
export function spanOf({ over_s: overS, ago_s: agoS = 0, fn }: Question): number {
  return (overS + agoS) * 1000 + (fn === 'increase' ? WARM_UP_MS : 0);
}

/**
 * Computes what a series did in the time before a moment; `undefined` where nothing of it is known. A counter needs its
 * feature.
 */
export function pastValue(
  series: Samples,
  { over_s: overS, ago_s: agoS = 0, fn }: Question,
  { nowMs, feature }: { readonly nowMs: number; readonly feature: Feature | undefined },
): number | undefined {
  const toMs = nowMs - agoS * 1000;
  const range = { fromMs: toMs - overS * 1000, toMs };
  if (fn === 'seconds_true') return secondsTrue(series, range);
  const sums = { count: 0, least: Infinity, most: -Infinity, rise: 0, last: 0, knownMs: 0, area: 0 };
  eachPiece(series, range, (value, ms) => {
    if (typeof value !== 'number') return;
    if (sums.count > 0) sums.rise += Math.max(0, value - sums.last);
    sums.count += 1;
    sums.least = Math.min(sums.least, value);
    sums.most = Math.max(sums.most, value);
    sums.last = value;
    sums.knownMs += ms;
    sums.area += value * ms;
  });
  if (sums.count === 0) return undefined;
  if (fn === 'min') return sums.least;
  if (fn === 'max') return sums.most;
  if (fn === 'increase') {
    return feature && seriesKindOf(feature) === 'counter' ? counted(series, range, feature) : sums.rise;
  }
  return sums.knownMs === 0 ? sums.last : sums.area / sums.knownMs;
}

/** As the history counts it: a meter that shows 0 for a minute has used nothing. */
function counted(series: Samples, { fromMs, toMs }: TimeWindow, { unit }: Feature): number {
  const reader = createCounterReader({ maxPerHour: maxPerHourOf(unit) });
  const end = countUntil(series, toMs);
  let sum = 0;
  for (let at = Math.max(0, countUntil(series, fromMs - WARM_UP_MS) - 1); at < end; at += 1) {
    const atMs = series.timesMs[at] ?? 0;
    const count = reader.read({ atMs, value: series.values[at] ?? { gap: 'lost' } });
    if (count !== undefined && atMs > fromMs) sum += count.increase + count.inGap;
  }
  return Math.max(0, sum);
}

function secondsTrue(series: Samples, range: TimeWindow): number | undefined {
  let isKnown = false;
  let seconds = 0;
  eachPiece(series, range, (value, ms) => {
    isKnown ||= value !== null;
    if (value === true) seconds += ms / 1000;
  });
  return isKnown ? seconds : undefined;
}

/** How many samples are at or before this moment. */
export function countUntil({ timesMs }: Pick<RecordedSeries, 'timesMs'>, atMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Samples = Pick<RecordedSeries, 'timesMs' | 'values'>;

/** The values of a time and how long each held. They may be many thousands, so that none is an object. */
function eachPiece(
  series: Samples,
  { fromMs, toMs }: TimeWindow,
  take: (value: SampleValue | null, ms: number) => void,
): void {
  const first = Math.max(0, countUntil(series, fromMs) - 1);
  const end = countUntil(series, toMs);
  for (let at = first; at < end; at += 1) {
    const beginMs = Math.max(fromMs, series.timesMs[at] ?? 0);
    const endMs = Math.min(toMs, at + 1 < end ? (series.timesMs[at + 1] ?? toMs) : toMs);
    take(series.values[at] ?? null, Math.max(0, endMs - beginMs));
  }
}
