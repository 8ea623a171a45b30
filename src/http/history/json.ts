import { z } from 'zod/mini';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Rows } from '#core/history/history-query.ts';
import type { TieredHistory } from '#core/hour/hour-query.ts';
import type { Point } from '#core/history/m4.ts';
import { GAP_REASONS, type SampleValue, type SeriesKind } from '#core/history/sample.ts';
import { deviceReferenceSchema } from '#http/event/json.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { described } from '#http/reference/described.ts';

const momentSchema = described('RFC 3339; with `times=ms` milliseconds since 1970.', z.union([z.string(), z.number()]));
const valueSchema = z.union([z.boolean(), z.number(), z.string()]);

export const historyGapSchema = z.object({
  from: momentSchema,
  to: momentSchema,
  reason: z.enum(GAP_REASONS),
  from_uncertain: z.boolean(),
});

export const historySeriesSchema = z.object({
  series: described('The selector of the device and the key of the feature.', z.string()),
  device: deviceReferenceSchema,
  key: z.string(),
  kind: described(
    '`gauge`: a measured value; `counter`: it only rises; `state`: one of a few; `event`: it happens.',
    z.enum(['gauge', 'counter', 'state', 'event']),
  ),
  unit: z.nullable(z.string()),
  tier: described(
    'What the rows were made of: `raw` from samples alone, `hour` also from what is kept of each hour for ever.',
    z.enum(['raw', 'hour']),
  ),
  samples_from: described(
    'The samples before this time are removed; `null` if the range begins later. Of points before it, each stands for an hour: its mean, the state that held longest, or the greatest reading of a counter. Buckets shorter than an hour know nothing of that time.',
    z.union([z.string(), z.number(), z.null()]),
  ),
  resolution: z.string(),
  columns: described('The names of the values in each row.', z.array(z.string())),
  rows: described(
    'A value holds until the next row, unless a gap begins before. Of buckets: a value is `null` where nothing is known in the bucket. `mean` is weighted by time; `seconds` says how long each value held, `counts` how often each thing happened; `in_gap` counts what a counter counted while the hub did not hear it.',
    z.array(z.array(z.unknown())),
  ),
  before: described(
    'Time and value of the sample that held when the range began; `null` if none was known.',
    z.nullable(z.array(z.unknown())),
  ),
  gaps: described(
    'When nothing was known, and why. `from_uncertain`: it may have begun later or earlier, as after a power cut.',
    z.array(historyGapSchema),
  ),
  thinned: described(
    'Changes were left out within the range, or up to an hour before it: the feature reports too fast, or a person set an interval or a deadband.',
    z.boolean(),
  ),
  summary: z.object({
    min: z.nullable(z.number()),
    max: z.nullable(z.number()),
    mean: z.nullable(z.number()),
    known_s: z.number(),
    changes: z.int(),
  }),
});

export const historySchema = z.object({
  from: momentSchema,
  to: momentSchema,
  time_zone: z.string(),
  next: described('The `cursor` of the rest; `null` if this is all.', z.nullable(z.string())),
  series: z.array(historySeriesSchema),
});

/** The series of a feature, for a client. */
export type NamedSeries = {
  readonly device: Device;
  readonly feature: Feature;
  readonly kind: SeriesKind;
  readonly resolution: string;
  readonly isThinned: boolean;
};

export type MomentJson = (atMs: number) => string | number;

export function momentJson(times: 'iso' | 'ms' | undefined): MomentJson {
  return times === 'ms' ? (atMs) => Math.round(atMs) : timeJson;
}

/** A series without its rows, which may be many: they come in slices from `tableOf`. */
export function historySeriesJson(
  { device: { id, selector }, feature, kind, resolution, isThinned }: NamedSeries,
  { before, gaps, summary, tier, samplesFromMs }: TieredHistory,
  moment: MomentJson,
): Omit<z.infer<typeof historySeriesSchema>, 'columns' | 'rows'> {
  const { min, max, mean, knownMs, changes } = summary;
  return {
    series: `${selector}/${feature.key}`,
    device: { id, selector },
    key: feature.key,
    kind,
    unit: feature.unit,
    tier,
    samples_from: samplesFromMs === null ? null : moment(samplesFromMs),
    resolution,
    before: before && pointJson(before, moment),
    gaps: gaps.map(({ fromMs, toMs, reason, isUncertain }) => ({
      from: moment(fromMs),
      to: moment(toMs),
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

function pointJson({ atMs, value }: Point, moment: MomentJson): [string | number, z.infer<typeof valueSchema>] {
  return [moment(atMs), value];
}

function objectJson(counts: ReadonlyMap<SampleValue, number>): Record<string, number> {
  return Object.fromEntries([...counts].map(([value, count]) => [String(value), count]));
}

/** Without the noise of binary fractions: 128.401 - 128.4 is 0.001. No counter has more digits. */
function amountJson(amount: number): number {
  return Number(amount.toPrecision(12));
}
