import type { BucketEdges } from '#core/past/history/bucket-edges.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { type HourCost, type Meter, type MeterHour, type Money, readMeter } from './meter.ts';
import {
  type EnergySettings,
  type Flow,
  FLOWS,
  PRICED_FLOWS,
  seriesName,
  type SeriesRef,
  type StoredEnergySettings,
} from './settings.ts';
import type { Prices } from './tariff.ts';

/**
 * An account has what was measured in one hour, or in several together. A flow or consumer of which nothing is known is
 * absent.
 */
export type HourAccount = {
  /** Hours begin where a whole hour of local time begins. */
  readonly atMs: number;
  readonly endMs: number;
  readonly flows: Partial<Readonly<Record<Flow, MeterHour>>>;
  /** By their numbers. */
  readonly consumers: ReadonlyMap<number, MeterHour>;
  /** What a person deleted of it: these consumers, or all. Nothing of that is settled again. */
  readonly deleted?: 'all' | readonly number[];
};

/** Whether the amounts of a series come from a counter or are added up from its powers. */
type KindOf = (series: SeriesRef) => 'counter' | 'power';

/**
 * Lists the meters of each flow. A side of the grid or battery without a counter is taken from the sign of its power.
 */
function metersOf(settings: EnergySettings, kindOf: KindOf): Readonly<Record<Flow, readonly Meter[]>> {
  const { grid, battery } = settings;
  const meterOf = (series: SeriesRef): Meter => ({ series: seriesName(series), type: kindOf(series) });
  const all = (list: readonly (SeriesRef | null)[]): readonly Meter[] =>
    list.flatMap((series) => (series === null ? [] : meterOf(series)));
  const signed = (power: { readonly series: SeriesRef; readonly positive: string } | null, direction: string) =>
    power === null
      ? []
      : [
          {
            series: seriesName(power.series),
            type: power.positive === direction ? ('power' as const) : ('negative_power' as const),
          },
        ];
  const sideOf = (direction: 'charge' | 'discharge') =>
    battery.flatMap((one) => {
      const counter = one[direction];
      return counter === null ? signed(one.power, direction) : [meterOf(counter)];
    });
  return {
    import: grid.import.length > 0 ? all(grid.import) : signed(grid.power, 'import'),
    export: grid.export.length > 0 ? all(grid.export) : signed(grid.power, 'export'),
    solar: all(withoutTwins(settings.solar, kindOf)),
    charge: sideOf('charge'),
    discharge: sideOf('discharge'),
    gas: all(settings.gas),
    water: all(settings.water),
  };
}

/** A power beside the counter of the same part of a device tells only what is produced now. */
function withoutTwins(list: readonly SeriesRef[], kindOf: KindOf): readonly SeriesRef[] {
  const isTwin = (power: SeriesRef, other: SeriesRef): boolean =>
    kindOf(other) === 'counter' && other.device === power.device && partOf(other) === partOf(power);
  return list.filter((one) => kindOf(one) === 'counter' || !list.some((other) => isTwin(one, other)));
}

/** The component in the key of a feature: `left` of `left.energy`. */
export function partOf({ key }: Pick<SeriesRef, 'key'>): string {
  return key.slice(0, key.lastIndexOf('.') + 1);
}

type AccountDeps = {
  readonly store: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly settings: StoredEnergySettings;
  readonly kindOf: KindOf;
  readonly prices: Prices;
  readonly edges: BucketEdges;
};

/** Reads every hour of a range, which begins and ends where an hour does, or ends now. */
export async function readHours(deps: AccountDeps, fromMs: number, toMs: number): Promise<readonly HourAccount[]> {
  const { store, settings, kindOf, prices, edges } = deps;
  const meters = metersOf(settings, kindOf);
  const flows = new Map<Flow, ReadonlyMap<number, MeterHour>>();
  for (const flow of FLOWS) {
    const priced = PRICED_FLOWS.find((one) => one === flow);
    const pricing = priced === undefined ? null : { flow: priced, prices };
    const parts = [];
    for (const meter of meters[flow]) parts.push(await readMeter(store, meter, { fromMs, toMs, edges, pricing }));
    if (parts.length > 0) flows.set(flow, joinMeters(parts));
  }
  const consumers = new Map<number, ReadonlyMap<number, MeterHour>>();
  for (const { series } of settings.consumers) {
    const name = seriesName(series);
    const number = settings.consumerNumbers[name];
    if (number === undefined) continue;
    const range = { fromMs, toMs, edges, pricing: null };
    consumers.set(number, await readMeter(store, { series: name, type: kindOf(series) }, range));
  }
  const hours: HourAccount[] = [];
  for (let atMs = edges.startOf(fromMs); atMs < toMs; atMs = edges.endOf(atMs)) {
    const flowsNow = [...flows].flatMap(([flow, byHour]) => entryAt(flow, byHour, atMs));
    const consumersNow = [...consumers].flatMap(([number, byHour]) => entryAt(number, byHour, atMs));
    hours.push({
      atMs,
      endMs: edges.endOf(atMs),
      flows: Object.fromEntries(flowsNow),
      consumers: new Map(consumersNow),
    });
  }
  return hours;
}

function entryAt<Key>(key: Key, byHour: ReadonlyMap<number, MeterHour>, atMs: number): [Key, MeterHour][] {
  const hour = byHour.get(atMs);
  return hour === undefined ? [] : [[key, hour]];
}

/** Several meters of one flow: what they counted adds up, and is known while all of them are. */
function joinMeters(parts: readonly ReadonlyMap<number, MeterHour>[]): ReadonlyMap<number, MeterHour> {
  const joined = new Map<number, MeterHour>();
  for (const atMs of new Set(parts.flatMap((part) => [...part.keys()]))) {
    const hours = parts.map((part) => part.get(atMs));
    const known = hours.filter((hour) => hour !== undefined);
    joined.set(atMs, { ...sumOfHours(known), knownMs: Math.min(...hours.map((hour) => hour?.knownMs ?? 0)) });
  }
  return joined;
}

/** Hours in the order of their times as one account; `null` of none. */
export function sumOfAccounts(hours: readonly HourAccount[]): HourAccount | null {
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return null;
  const flows = FLOWS.flatMap((flow): [Flow, MeterHour][] => {
    const found = hours.flatMap((hour) => hour.flows[flow] ?? []);
    return found.length === 0 ? [] : [[flow, sumOfHours(found)]];
  });
  const ofConsumers = new Map<number, MeterHour[]>();
  for (const { consumers } of hours) {
    for (const [number, hour] of consumers) {
      const others = ofConsumers.get(number);
      if (others === undefined) ofConsumers.set(number, [hour]);
      else others.push(hour);
    }
  }
  const consumers = new Map([...ofConsumers].map(([number, found]) => [number, sumOfHours(found)]));
  return { atMs: first.atMs, endMs: last.endMs, flows: Object.fromEntries(flows), consumers };
}

/** Their amounts, times and costs together. */
export function sumOfHours(hours: readonly MeterHour[]): MeterHour {
  let [amount, inGap, knownMs, isEstimated] = [0, 0, 0, false];
  let cost: HourCost | null = null;
  for (const hour of hours) {
    amount += hour.amount;
    inGap += hour.inGap;
    knownMs += hour.knownMs;
    isEstimated ||= hour.isEstimated;
    cost = addCosts(cost, hour.cost);
  }
  return { amount, inGap, knownMs, isEstimated, cost };
}

function addCosts(left: HourCost | null, right: HourCost | null): HourCost | null {
  if (left === null || right === null) return left ?? right;
  return {
    money: addMoney(left.money, right.money),
    gapMoney: addMoney(left.gapMoney, right.gapMoney),
    unpriced: left.unpriced + right.unpriced,
  };
}

function addMoney(left: Money, right: Money): Money {
  const sum: Record<string, number> = { ...left };
  for (const [currency, amount] of Object.entries(right)) sum[currency] = (sum[currency] ?? 0) + amount;
  return sum;
}
