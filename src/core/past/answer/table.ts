import { timeText } from '#base/time/time-text.ts';
import type { NamedSeries } from '#core/past/archive/series-finder.ts';
import type { Rows } from '#core/past/history/history-query.ts';
import type { Point, SampleValue } from '#core/past/history/sample.ts';
import type { TieredHistory } from '#core/past/hour/hour-query.ts';

/** A series, as a client asked for it. */
export type AnsweredSeries = Pick<NamedSeries, 'shown' | 'device' | 'key' | 'kind' | 'unit'> & {
  readonly resolution: string;
  readonly isThinned: boolean;
};

export type MomentJson = (atMs: number) => string | number;

export function momentJson(times: 'iso' | 'ms'): MomentJson {
  return times === 'ms' ? (atMs) => Math.round(atMs) : timeText;
}

/** A series without its rows, which may be many: they come in slices from `tableOf`. */
export function historySeriesJson(
  { shown, device, key, kind, unit, resolution, isThinned }: AnsweredSeries,
  { before, gaps, summary, tier, samplesFromMs }: TieredHistory,
  moment: MomentJson,
) {
  const { min, max, mean, knownMs, changes } = summary;
  return {
    series: shown,
    device,
    key,
    kind,
    unit,
    tier,
    samples_from: samplesFromMs === null ? null : timeText(samplesFromMs),
    resolution,
    before: before && pointJson(before, moment),
    gaps: gaps.map(({ fromMs, toMs, reason, isUncertain }) => ({
      from: timeText(fromMs),
      to: timeText(toMs),
      reason,
      from_uncertain: isUncertain,
    })),
    thinned: isThinned,
    summary: { min, max, mean, known_s: knownMs / 1000, changes },
  };
}

/** The columns of a kind of rows. */
export const COLUMNS = {
  values: ['at', 'value'],
  gauge: ['at', 'min', 'mean', 'max', 'last', 'known_s'],
  counter: ['at', 'increase', 'in_gap', 'resets', 'known_s'],
  state: ['at', 'seconds', 'changes'],
  event: ['at', 'counts'],
} as const satisfies Record<Rows['type'], readonly string[]>;

/** Makes each row when it is asked for. */
export function* tableOf(rows: Rows, moment: MomentJson): Generator<readonly unknown[], void> {
  switch (rows.type) {
    case 'values':
      for (const point of rows.points) yield pointJson(point, moment);
      return;
    case 'gauge':
      for (const { atMs, min, mean, max, last, knownMs } of rows.buckets) {
        yield [moment(atMs), min, mean, max, last, knownMs / 1000];
      }
      return;
    case 'counter':
      for (const { atMs, increase, inGap, resets, knownMs } of rows.buckets) {
        const isKnown = knownMs > 0 || inGap > 0;
        const counted = isKnown ? [amountJson(increase), amountJson(inGap), resets] : [null, null, null];
        yield [moment(atMs), ...counted, knownMs / 1000];
      }
      return;
    case 'event':
      for (const { atMs, counts } of rows.buckets) yield [moment(atMs), objectJson(counts)];
      return;
    default:
      for (const { atMs, heldMs, changes } of rows.buckets) {
        const seconds = heldMs && Object.fromEntries([...heldMs].map(([value, ms]) => [String(value), ms / 1000]));
        yield [moment(atMs), seconds, heldMs && changes];
      }
  }
}

function pointJson({ atMs, value }: Point, moment: MomentJson): [string | number, SampleValue] {
  return [moment(atMs), value];
}

function objectJson(counts: ReadonlyMap<SampleValue, number>): Record<string, number> {
  return Object.fromEntries([...counts].map(([value, count]) => [String(value), count]));
}

/** Without the noise of binary fractions: 128.401 - 128.4 is 0.001. No counter has more digits. */
function amountJson(amount: number): number {
  return Number(amount.toPrecision(12));
}
