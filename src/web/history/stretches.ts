import type { Feature, HistoryGap, HistorySeries } from '#web/client/api.ts';

export type Value = boolean | number | string;
/** A time in which a value held, or in which nothing is known. Times are in ms since 1970. */
export type Stretch = { readonly fromMs: number; readonly toMs: number } & (
  | { readonly value: Value }
  | { readonly gap: HistoryGap['reason'] }
);
export type Range = { readonly fromMs: number; readonly toMs: number };

const COUNTERS = new Set(['energy', 'energy_returned', 'water_volume', 'gas_volume', 'rainfall']);
const RESTLESS = new Set(['link_quality', 'last_seen']);

type Recorded = Pick<Feature, 'kind' | 'category' | 'capability' | 'value_type'>;

/** What the chart of a feature is; `null` for what the hub does not record by itself. A test compares with its rule. */
export function chartOf({ kind, category, capability, value_type: type }: Recorded): 'line' | 'bars' | null {
  if (kind !== 'state' || category === 'config' || RESTLESS.has(capability)) return null;
  const isCounter = type === 'number' && COUNTERS.has(capability);
  if (category !== 'primary' && !isCounter && capability !== 'battery') return null;
  if (type === 'number') return 'line';
  return type === 'boolean' || type === 'enum' || type === 'string' ? 'bars' : null;
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
    fromMs: clamp(Number(from)),
    toMs: clamp(Number(to)),
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

/** Neighbours of the same value as one, for bars: a report that repeats a state is no new state. */
export function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const bars: Stretch[] = [];
  for (const stretch of stretches) {
    const last = bars.at(-1);
    const isSame = last !== undefined && last.toMs === stretch.fromMs && contentOf(last) === contentOf(stretch);
    if (isSame) bars[bars.length - 1] = { ...last, toMs: stretch.toMs };
    else bars.push(stretch);
  }
  return bars;
}

function contentOf(stretch: Stretch): string {
  return JSON.stringify('value' in stretch ? { value: stretch.value } : { gap: stretch.gap });
}

/** The stretch that a moment is in; the nearest before it where nothing was recorded. */
export function indexAt(stretches: readonly Stretch[], atMs: number): number {
  const next = stretches.findIndex(({ fromMs }) => fromMs > atMs);
  return Math.max(0, (next === -1 ? stretches.length : next) - 1);
}
