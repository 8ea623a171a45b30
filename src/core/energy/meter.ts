import type { BucketEdges } from '#core/past/history/bucket-edges.ts';
import { cutAtEdges, type Part } from '#core/past/history/bucket-totals.ts';
import { type Count, maxPerHourOf } from '#core/past/history/counter/counter.ts';
import { createDailyCounterReader, warmUp } from '#core/past/history/counter/daily-counter.ts';
import { eachSample, type HistoryStore } from '#core/past/history/history-store.ts';
import { createStepLine, knownValue, type Piece } from '#core/past/history/step-line.ts';
import type { PricedFlow } from './settings.ts';
import type { Prices } from './tariff.ts';

/** Amounts of money by currency. */
export type Money = Readonly<Record<string, number>>;

export type HourCost = {
  readonly money: Money;
  /** The cost of what was counted in a gap, by the mean of the prices in it: the time of its use is unknown. */
  readonly gapMoney: Money;
  /** What no tariff had a price for. */
  readonly unpriced: number;
};

/** One meter, or all meters of a flow together, counted this in an hour. */
export type MeterHour = {
  /** In kWh or m³; negative where it takes back what was counted before an old count returned. */
  readonly amount: number;
  /** Counted somewhere in a gap that ended in this hour. */
  readonly inGap: number;
  readonly knownMs: number;
  /** Added up from a power, because there is no counter. */
  readonly isEstimated: boolean;
  /** Only of flows that can have a tariff. */
  readonly cost: HourCost | null;
};

export type Meter = {
  /** The name of its series. */
  readonly series: string;
  /** A power counts only at the times in which it has this sign. */
  readonly type: 'counter' | 'power' | 'negative_power';
};

type MeterRange = {
  readonly fromMs: number;
  /** Not in the future. */
  readonly toMs: number;
  readonly edges: BucketEdges;
  readonly pricing: { readonly flow: PricedFlow; readonly prices: Prices } | null;
};

const WATT_MS_OF_KWH = 3_600_000_000;
/** Prices of a longer gap are those of its end. */
const MAX_GAP_MS = 62 * 86_400_000;

type Store = Pick<HistoryStore, 'findBefore' | 'readSlice'>;

/**
 * Reads what a meter counted in each hour of the range in which anything is known, by the beginning of the hour. The
 * sum over parts of a range is that of the range.
 */
export async function readMeter(
  store: Store,
  { series, type }: Meter,
  range: MeterRange,
): Promise<ReadonlyMap<number, MeterHour>> {
  const { fromMs, toMs, edges } = range;
  const hours = createHours(range, type !== 'counter');
  const reader = createDailyCounterReader({ maxPerHour: maxPerHourOf('kWh') });
  const before = await store.findBefore(series, fromMs);
  const line = createStepLine({ fromMs, toMs }, before, (piece) => {
    const value = knownValue(piece);
    if (typeof value !== 'number') return;
    cutAtEdges(piece, edges, hours.addKnown);
    if (type !== 'counter') addPower(hours, { ...piece, watts: type === 'power' ? value : -value }, range);
  });
  if (type === 'counter') await warmUp(store, { series, fromMs }, reader.read);
  await eachSample(store, { series, fromMs, toMs }, (sample) => {
    line.add(sample);
    const count = type === 'counter' ? reader.read(sample) : undefined;
    if (count !== undefined) hours.addCount(edges.startOf(count.atMs), count);
    return true;
  });
  line.end();
  return hours.end();
}

type Hours = ReturnType<typeof createHours>;

function createHours({ pricing }: MeterRange, isEstimated: boolean) {
  type Sum = { amount: number; inGap: number; knownMs: number; readonly cost: CostSum };
  const sums = new Map<number, Sum>();
  const sumOf = (startMs: number): Sum => {
    const known = sums.get(startMs);
    if (known !== undefined) return known;
    const fresh = { amount: 0, inGap: 0, knownMs: 0, cost: { money: {}, gapMoney: {}, unpriced: 0 } };
    sums.set(startMs, fresh);
    return fresh;
  };
  return {
    addKnown: ({ bucketMs, fromMs, toMs }: Part): void => {
      if (toMs > fromMs) sumOf(bucketMs).knownMs += toMs - fromMs;
    },
    addCount: (startMs: number, count: Pick<Count, 'atMs' | 'sinceMs' | 'increase' | 'inGap'>): void => {
      const sum = sumOf(startMs);
      sum.amount += count.increase;
      sum.inGap += count.inGap;
      if (pricing !== null) addCost(sum.cost, count, pricing);
    },
    end: (): ReadonlyMap<number, MeterHour> =>
      new Map(
        [...sums].map(([startMs, { cost, ...sum }]) => [
          startMs,
          { ...sum, isEstimated, cost: pricing === null ? null : cost },
        ]),
      ),
  };
}

type CostSum = { readonly money: Record<string, number>; readonly gapMoney: Record<string, number>; unpriced: number };
type Pricing = NonNullable<MeterRange['pricing']>;

function addCost(
  cost: CostSum,
  { atMs, sinceMs, increase, inGap }: Parameters<Hours['addCount']>[1],
  { flow, prices }: Pricing,
): void {
  if (increase !== 0) {
    const price = prices.at(flow, atMs);
    if (price === undefined) cost.unpriced += increase;
    else cost.money[price.currency] = (cost.money[price.currency] ?? 0) + increase * price.price;
  }
  if (inGap > 0) {
    const mean = meanPrice({ flow, prices }, Math.max(sinceMs, atMs - MAX_GAP_MS), atMs);
    if (mean === undefined) cost.unpriced += inGap;
    else cost.gapMoney[mean.currency] = (cost.gapMoney[mean.currency] ?? 0) + inGap * mean.price;
  }
}

/** Weighted by time, over the times that have a price in the currency of the end. */
function meanPrice(
  { flow, prices }: Pricing,
  fromMs: number,
  toMs: number,
): { readonly price: number; readonly currency: string } | undefined {
  const last = prices.at(flow, toMs);
  if (last === undefined) return undefined;
  let pricedMs = 0;
  let area = 0;
  for (let atMs = fromMs; atMs < toMs;) {
    const endMs = Math.min(toMs, prices.nextChange(flow, atMs));
    const price = prices.at(flow, atMs);
    if (price !== undefined && price.currency === last.currency) {
      pricedMs += endMs - atMs;
      area += price.price * (endMs - atMs);
    }
    atMs = endMs;
  }
  return { price: pricedMs === 0 ? last.price : area / pricedMs, currency: last.currency };
}

/** A power that holds for a while, cut where an hour or a price ends. */
function addPower(hours: Hours, piece: Piece & { readonly watts: number }, { edges, pricing }: MeterRange): void {
  if (piece.watts <= 0) return;
  cutAtEdges(piece, edges, ({ bucketMs, fromMs, toMs }) => {
    for (let atMs = fromMs; atMs < toMs;) {
      const endMs = pricing === null ? toMs : Math.min(toMs, pricing.prices.nextChange(pricing.flow, atMs));
      const increase = (piece.watts * (endMs - atMs)) / WATT_MS_OF_KWH;
      hours.addCount(bucketMs, { atMs, sinceMs: atMs, increase, inGap: 0 });
      atMs = endMs;
    }
  });
}
