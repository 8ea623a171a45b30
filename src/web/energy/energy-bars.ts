import type { EnergyAmount, EnergyAnswer, EnergyBucket } from '#web/client/api.ts';

export type Flow = EnergyAnswer['flows'][number];
/** `gap` is what was counted in gaps, of all flows on its side of the line. */
export type PartName = Flow | 'consumers' | 'gap';
export type Part = { readonly name: PartName; readonly amount: number };

/** One part of the time, as a bar. */
export type Column = {
  readonly bucket: EnergyBucket;
  /** What the home gets, above the line: the first stands on it. */
  readonly up: readonly Part[];
  /** What leaves it, below the line: the first hangs from it. */
  readonly down: readonly Part[];
  /** From 0 to 1, of the flow of which least is known; 0 where nothing is. */
  readonly knownShare: number;
  readonly isEstimated: boolean;
};

export type BarChart = {
  readonly kind: 'flows' | 'consumers' | 'gas' | 'water';
  readonly unit: 'kWh' | 'm3';
  readonly columns: readonly Column[];
  /** The parts that any column has. */
  readonly parts: readonly PartName[];
  /** The ends of the axis: whole multiples of `step`, one not below 0, one not above. */
  readonly top: number;
  readonly bottom: number;
  readonly step: number;
};

const UP: readonly Flow[] = ['solar', 'discharge', 'import'];
const DOWN: readonly Flow[] = ['export', 'charge'];
const ORDER: readonly PartName[] = [...UP, ...DOWN, 'gas', 'water', 'consumers', 'gap'];

/** The charts that this answer makes possible: without a flow of energy, the bars are those of the consumers. */
export function chartsOf(answer: EnergyAnswer): readonly BarChart[] {
  const hasFlow = (flow: Flow): boolean => answer.flows.includes(flow);
  const [up, down] = [UP.filter(hasFlow), DOWN.filter(hasFlow)];
  const charts: BarChart[] = [];
  const hasFlows = up.length + down.length > 0;
  if (hasFlows) charts.push(chartOf('flows', answer, (bucket) => sidesOf(bucket, up, down)));
  const isMeasured = answer.buckets.some(({ consumers }) => consumers.some((one) => one !== null));
  if (!hasFlows && isMeasured) charts.push(chartOf('consumers', answer, (bucket) => consumerSides(answer, bucket)));
  for (const flow of ['gas', 'water'] as const) {
    if (hasFlow(flow)) charts.push(chartOf(flow, answer, (bucket) => sidesOf(bucket, [flow], [])));
  }
  return charts;
}

type Sides = Omit<Column, 'bucket'>;
type Named = { readonly name: PartName; readonly amount: EnergyAmount | null };

function sidesOf(bucket: EnergyBucket, up: readonly Flow[], down: readonly Flow[]): Sides {
  const named = (flow: Flow): Named => ({ name: flow, amount: bucket[flow] });
  return sides(up.map(named), down.map(named));
}

/** Where consumers run through each other's meters, the outer ones have all. */
function consumerSides({ consumers }: EnergyAnswer, bucket: EnergyBucket): Sides {
  const outer = consumers.flatMap(({ within }, index) => (within === null ? (bucket.consumers[index] ?? null) : []));
  const measured = outer.filter((one) => one !== null);
  const sum: EnergyAmount | null =
    measured.length === 0
      ? null
      : {
          amount: measured.reduce((all, { amount }) => all + amount, 0),
          in_gap: measured.reduce((all, one) => all + one.in_gap, 0),
          known: measured.length < outer.length ? 0 : Math.min(...measured.map(({ known }) => known)),
          estimated: measured.some(({ estimated }) => estimated),
        };
  return sides([{ name: 'consumers', amount: sum }], []);
}

function sides(up: readonly Named[], down: readonly Named[]): Sides {
  const all = [...up, ...down].map(({ amount }) => amount);
  return {
    up: partsOf(up),
    down: partsOf(down),
    knownShare: Math.min(1, ...all.map((amount) => amount?.known ?? 0)),
    isEstimated: all.some((amount) => amount?.estimated === true),
  };
}

function partsOf(named: readonly Named[]): readonly Part[] {
  const solid = named.map(({ name, amount }): Part => ({ name, amount: amount?.amount ?? 0 }));
  const inGap = named.reduce((sum, { amount }) => sum + (amount?.in_gap ?? 0), 0);
  return [...solid, { name: 'gap' as const, amount: inGap }].filter(({ amount }) => amount > 0);
}

/** Whether there is anything to draw: a bucket of which nothing is known is not one in which nothing was used. */
export function isUnknown({ knownShare, up, down }: Column): boolean {
  return knownShare === 0 && up.length + down.length === 0;
}

function chartOf(kind: BarChart['kind'], { buckets }: EnergyAnswer, take: (bucket: EnergyBucket) => Sides): BarChart {
  const columns = buckets.map((bucket): Column => ({ bucket, ...take(bucket) }));
  const heightOf = (parts: readonly Part[]): number => parts.reduce((sum, { amount }) => sum + amount, 0);
  const highest = Math.max(0, ...columns.map(({ up }) => heightOf(up)));
  const deepest = Math.max(0, ...columns.map(({ down }) => heightOf(down)));
  const step = stepOf(highest + deepest);
  const found = new Set(columns.flatMap(({ up, down }) => [...up, ...down].map(({ name }) => name)));
  return {
    kind,
    unit: kind === 'gas' || kind === 'water' ? 'm3' : 'kWh',
    columns,
    parts: ORDER.filter((name) => found.has(name)),
    top: highest + deepest === 0 ? step : Math.ceil(highest / step) * step,
    bottom: deepest === 0 ? 0 : -Math.ceil(deepest / step) * step,
    step,
  };
}

/** The distance of the marks on the axis: 1, 2 or 5 times a power of ten, so that there are three to six of them. */
export function stepOf(height: number): number {
  if (height <= 0) return 1;
  const rough = height / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10;
  // Without the noise of binary fractions.
  return Number((times * power).toPrecision(1));
}

/** The values at which the axis has a mark, from the lowest. */
export function axisMarks({ top, bottom, step }: Pick<BarChart, 'top' | 'bottom' | 'step'>): readonly number[] {
  const [first, last] = [Math.round(bottom / step), Math.round(top / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(6)));
}
