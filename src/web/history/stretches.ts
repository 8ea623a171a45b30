import type { Device, Feature, HistoryGap, HistorySeries } from '#web/client/api.ts';
import { COUNTERS, UNRECORDED } from '#web/client/vocabulary.ts';
import { lastOf } from '#web/since-2021.ts';
import { saysTwice } from '#web/state/device/main-features.ts';

export type Value = boolean | number | string;
/** A time in which a value held, or in which nothing is known. Times are in ms since 1970. */
export type Stretch = { readonly fromMs: number; readonly toMs: number } & (
  | { readonly value: Value }
  | { readonly gap: HistoryGap['reason'] }
);
export type Range = { readonly fromMs: number; readonly toMs: number };

const COUNTED: ReadonlySet<string> = new Set(COUNTERS);
const RESTLESS: ReadonlySet<string> = new Set(UNRECORDED);

type Recorded = Pick<Feature, 'kind' | 'category' | 'capability' | 'value_type'>;

/** Chooses the chart of a feature; `null` for what the hub does not record by itself. A test compares with its rule. */
export function chartOf(feature: Recorded): 'line' | 'bars' | 'counter' | null {
  const { kind, category, capability, value_type: type } = feature;
  if (kind !== 'state' || category === 'config' || RESTLESS.has(capability)) return null;
  const isCounter = type === 'number' && COUNTED.has(capability);
  if (category !== 'primary' && !isCounter && capability !== 'battery') return null;
  if (isCounter) return 'counter';
  if (type === 'number') return 'line';
  return type === 'boolean' || type === 'enum' || type === 'string' ? 'bars' : null;
}

/** The features of a device that the panel of its history draws, the first of them at once. */
export function chartsOf(device: Pick<Device, 'features'>): readonly Feature[] {
  return device.features.filter((feature) => chartOf(feature) !== null && !saysTwice(feature, device));
}
export const CHARTS_AT_FIRST = 3;

/** A number that never changed says nothing as a line: it is drawn only if somebody asks, or if there is nothing else. */
export function drawnAtFirst<One extends Recorded>(
  read: readonly One[],
  summaryOf: (feature: One) => Pick<HistorySeries['summary'], 'min' | 'max'> | undefined,
): readonly One[] {
  const isSteady = (feature: One): boolean => {
    const { min = null, max = null } = summaryOf(feature) ?? {};
    return chartOf(feature) === 'line' && min !== null && min === max;
  };
  const changing = read.filter((feature) => !isSteady(feature));
  return changing.length > 0 ? changing : read.slice(0, 1);
}

/** Whether people can have a feature recorded. A test compares with the hub's rule. */
export function isRecordable({ kind, category, capability, value_type: type }: Recorded): boolean {
  if (kind === 'event') return true;
  const hasValues = type === 'number' || type === 'boolean' || type === 'enum' || type === 'string';
  return kind === 'state' && category !== 'config' && !RESTLESS.has(capability) && hasValues;
}

/**
 * The values and gaps of an answer with `times=ms`, in their order. A value holds until the next one, unless a gap begins
 * before; what came before the first value was unknown.
 */
export function stretchesOf(
  { rows, before, gaps }: Pick<HistorySeries, 'rows' | 'before' | 'gaps'>,
  range: Range,
): readonly Stretch[] {
  const clamp = (atMs: number): number => Math.min(range.toMs, Math.max(range.fromMs, atMs));
  const starts = [...(before === null ? [] : [before]), ...rows].map(([at, value]) => ({
    atMs: clamp(Number(at)),
    value: value as Value,
  }));
  const unknown = gaps.map(({ from, to, reason }) => ({
    fromMs: clamp(Date.parse(from)),
    toMs: clamp(Date.parse(to)),
    gap: reason,
  }));
  const stretches: Stretch[] = [...unknown];
  let gap = 0;
  for (const [index, { atMs, value }] of starts.entries()) {
    // A gap that begins with the value ends it at once.
    while ((unknown[gap]?.fromMs ?? Infinity) < atMs) gap += 1;
    const toMs = Math.min(starts[index + 1]?.atMs ?? range.toMs, unknown[gap]?.fromMs ?? Infinity);
    if (toMs > atMs) stretches.push({ fromMs: atMs, toMs, value });
  }
  return stretches.sort((one, other) => one.fromMs - other.fromMs);
}

/** A line with steps, as columns of x and y; `null` parts it. */
export function lineOf(stretches: readonly Stretch[]): [number[], (number | null)[]] {
  const xs: number[] = [];
  const ys: (number | null)[] = [];
  let endMs: number | undefined;
  for (const stretch of stretches) {
    const { fromMs, toMs } = stretch;
    if (!('value' in stretch) || typeof stretch.value !== 'number') continue;
    if (endMs !== undefined && endMs < fromMs) {
      xs.push(endMs);
      ys.push(null);
    }
    xs.push(fromMs, toMs);
    ys.push(stretch.value, stretch.value);
    endMs = toMs;
  }
  return [xs, ys];
}

/** The times in which nothing is known of any track. */
export function sharedGaps(tracks: readonly (readonly Stretch[])[]): readonly Range[] {
  const [first = [], ...others] = tracks.map((track) => track.filter((stretch) => 'gap' in stretch));
  return others.reduce<readonly Range[]>((shared, gaps) => {
    const both: Range[] = [];
    let at = 0;
    for (const { fromMs, toMs } of shared) {
      while ((gaps[at]?.toMs ?? Infinity) <= fromMs) at += 1;
      for (let next = at; ; next += 1) {
        const gap = gaps[next];
        if (gap === undefined || gap.fromMs >= toMs) break;
        both.push({ fromMs: Math.max(fromMs, gap.fromMs), toMs: Math.min(toMs, gap.toMs) });
      }
    }
    return both;
  }, first);
}

/** Neighbours of the same value as one, for bars: a report that repeats a state is no new state. */
export function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const bars: Stretch[] = [];
  for (const stretch of stretches) {
    const last = lastOf(bars);
    const isSame = last !== undefined && last.toMs === stretch.fromMs && contentOf(last) === contentOf(stretch);
    if (isSame) bars[bars.length - 1] = { ...last, toMs: stretch.toMs };
    else bars.push(stretch);
  }
  return bars;
}

function contentOf(stretch: Stretch): string {
  return JSON.stringify('value' in stretch ? { value: stretch.value } : { gap: stretch.gap });
}

/** The last of these that began at this moment or before it; the first one if none did. They are in their order. */
export function indexAt(stretches: readonly Pick<Range, 'fromMs'>[], atMs: number): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.fromMs ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The stretch of a track that a moment is in; `undefined` where nothing was recorded. */
export function stretchAt(stretches: readonly Stretch[], atMs: number): Stretch | undefined {
  const found = stretches[indexAt(stretches, atMs)];
  return found !== undefined && found.fromMs <= atMs && atMs < found.toMs ? found : undefined;
}

/** The times between two changes of any track: each part has one value of each. */
export function partsOf(tracks: readonly (readonly Stretch[])[], { toMs }: Range): readonly Range[] {
  const starts = [...new Set(tracks.flat().map(({ fromMs }) => fromMs))].sort((one, other) => one - other);
  return starts.map((fromMs, index) => ({ fromMs, toMs: starts[index + 1] ?? toMs }));
}

/** A counter counted this in a part of a range; `null` where that is not known. */
type Bucket = Range & {
  readonly increase: number | null;
  /** What it counted while the hub did not hear it: when in that time is not known. */
  readonly inGap: number;
};

/** The rows of an answer in buckets with `times=ms`. */
export function bucketsOf({ rows }: Pick<HistorySeries, 'rows'>, range: Range): readonly Bucket[] {
  const starts = rows.map(([at]) => Math.max(range.fromMs, Number(at)));
  return rows.map(([, increase, inGap], index) => ({
    fromMs: starts[index] ?? range.fromMs,
    toMs: starts[index + 1] ?? range.toMs,
    increase: typeof increase === 'number' ? increase : null,
    inGap: typeof inGap === 'number' ? inGap : 0,
  }));
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The end of an axis from 0: a number with few digits, at or over the greatest value. */
export function topOf(greatest: number): number {
  if (greatest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  const step = STEPS.find((one) => one * power >= greatest * (1 - Number.EPSILON)) ?? 10;
  return Number((step * power).toPrecision(2));
}

type Ends = readonly [low: number | null, high: number | null];
/** A line that never changed has a scale of this part of its value to both sides. */
const FLAT = 10;

/** Takes the ends with air around the lines, but of a percentage nothing beyond 0 and 100; of what never changed, a little above and below. */
export function scaleOf([min, max]: readonly [number, number], isPercent: boolean, [low, high]: Ends): Ends {
  const isWithin = isPercent && min >= 0 && max <= 100;
  if (min !== max) return isWithin ? [Math.max(0, low ?? 0), Math.min(100, high ?? 100)] : [low, high];
  if (isWithin) return [0, 100];
  const air = Math.max(1, Math.abs(min) / FLAT);
  return [min - air, max + air];
}

/** A small line is drawn on so many units. */
export const [WIDTH, HEIGHT] = [96, 24];
/** A room that keeps its temperature is a flat line, not a mountain range. */
const LEAST_SPAN = 2;

/** A step for each value; nothing where nothing is known. */
export function pathOf(
  stretches: readonly Stretch[],
  { fromMs, toMs }: Range,
  { min, max }: { readonly min: number; readonly max: number },
): string {
  const span = Math.max(LEAST_SPAN, max - min);
  const base = (min + max - span) / 2;
  const x = (atMs: number): number => toTenth(((atMs - fromMs) / (toMs - fromMs)) * WIDTH);
  let path = '';
  let endMs: number | undefined;
  for (const stretch of stretches) {
    if (!('value' in stretch) || typeof stretch.value !== 'number') continue;
    const y = toTenth(HEIGHT - 1 - ((stretch.value - base) / span) * (HEIGHT - 2));
    path += endMs === stretch.fromMs ? `V${y}` : `M${x(stretch.fromMs)} ${y}`;
    path += `H${x(stretch.toMs)}`;
    endMs = stretch.toMs;
  }
  return path;
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
