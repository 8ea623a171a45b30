import type { TimeZone } from '#base/time/time-zone.ts';
import { type PricedFlow, type PriceRule, type Tariff, WEEKDAYS } from './settings.ts';

/** A price that a script sent, per unit of what its tariff is for. */
export type PriceSlot = { readonly fromMs: number; readonly toMs: number; readonly price: number };

type Price = {
  readonly price: number;
  readonly currency: string;
  readonly tariff: string;
};

/** The prices are those of one unit of a flow at any instant. */
export type Prices = ReturnType<typeof createPrices>;

type PricesDeps = {
  readonly tariffs: readonly Tariff[];
  /** In the order of their times, without overlaps. */
  readonly slotsOf: (tariff: string) => readonly PriceSlot[];
  readonly zone: TimeZone;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_OF_DAY = 1_440;

export function createPrices({ tariffs, slotsOf, zone }: PricesDeps) {
  const starts = new Map<PricedFlow, { readonly fromMs: number; readonly tariff: Tariff }[]>();
  for (const tariff of tariffs) {
    const list = starts.get(tariff.for) ?? [];
    list.push({ fromMs: zone.instantOf(Date.parse(`${tariff.validFrom}T00:00:00Z`)), tariff });
    starts.set(tariff.for, list);
  }
  for (const list of starts.values()) list.sort((left, right) => left.fromMs - right.fromMs);
  const tariffAt = (flow: PricedFlow, atMs: number): Tariff | undefined =>
    starts.get(flow)?.findLast(({ fromMs }) => fromMs <= atMs)?.tariff;
  return {
    /** `undefined` where no tariff has a price. */
    at: (flow: PricedFlow, atMs: number): Price | undefined => {
      const tariff = tariffAt(flow, atMs);
      if (tariff === undefined) return undefined;
      const price = slotAt(slotsOf(tariff.id), atMs)?.price ?? rulePriceAt(tariff.rules, atMs + zone.offsetMs(atMs));
      return price === undefined ? undefined : { price, currency: tariff.currency, tariff: tariff.id };
    },
    /** The next instant after this one at which the price may be another, at most a day later. */
    nextChange: (flow: PricedFlow, atMs: number): number => {
      const tariff = tariffAt(flow, atMs);
      const nextTariff = starts.get(flow)?.find(({ fromMs }) => fromMs > atMs)?.fromMs ?? Infinity;
      const nextMs = Math.min(nextTariff, nextRuleEdge(tariff?.rules ?? [], atMs, zone));
      return tariff === undefined ? nextMs : Math.min(nextMs, nextSlotEdge(slotsOf(tariff.id), atMs));
    },
  };
}

/** Index of the first slot that ends after this instant. */
function slotIndex(slots: readonly PriceSlot[], atMs: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((slots[middle]?.toMs ?? 0) > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

function slotAt(slots: readonly PriceSlot[], atMs: number): PriceSlot | undefined {
  const slot = slots[slotIndex(slots, atMs)];
  return slot !== undefined && slot.fromMs <= atMs ? slot : undefined;
}

function nextSlotEdge(slots: readonly PriceSlot[], atMs: number): number {
  const slot = slots[slotIndex(slots, atMs)];
  if (slot === undefined) return Infinity;
  return slot.fromMs > atMs ? slot.fromMs : slot.toMs;
}

function rulePriceAt(rules: readonly PriceRule[], localMs: number): number | undefined {
  const day = Math.floor(localMs / DAY_MS);
  const minute = Math.floor((localMs - day * DAY_MS) / MINUTE_MS);
  return rules.find((rule) => isRuleAt(rule, day, minute))?.price;
}

function isRuleAt({ days, time }: PriceRule, day: number, minute: number): boolean {
  const isOn = (one: number): boolean => days === null || days.includes(weekdayOf(one));
  if (time === null) return isOn(day);
  const { fromMinute, toMinute } = time;
  if (fromMinute < toMinute) return isOn(day) && minute >= fromMinute && minute < toMinute;
  return (isOn(day) && minute >= fromMinute) || (isOn(day - 1) && minute < toMinute);
}

/** The first of January 1970 was a Thursday. */
function weekdayOf(day: number): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? 'mon';
}

/** The next civil minute at which a rule begins or ends, or the next change of the clock. */
function nextRuleEdge(rules: readonly PriceRule[], atMs: number, zone: TimeZone): number {
  const localMs = atMs + zone.offsetMs(atMs);
  const sinceMidnightMs = localMs - Math.floor(localMs / DAY_MS) * DAY_MS;
  const minutes = rules.flatMap(({ time }) => (time === null ? [] : [time.fromMinute, time.toMinute]));
  let nextMs = Infinity;
  for (const minute of [...minutes, MINUTES_OF_DAY]) {
    // With the offset of now: where it changes before, that is the next edge.
    const edgeMs = atMs + minute * MINUTE_MS - sinceMidnightMs;
    if (edgeMs > atMs) nextMs = Math.min(nextMs, edgeMs);
  }
  return zone.changeWithin(atMs, nextMs) ?? nextMs;
}
