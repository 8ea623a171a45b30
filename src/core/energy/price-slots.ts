import type { SlotChange } from './energy-store.ts';
import type { PriceSlot } from './tariff.ts';

const DAY_MS = 86_400_000;
export type MergedSlots = SlotChange & { readonly slots: readonly PriceSlot[] };

/** Prices are kept as long as their hours can be recalculated. */
export const KEEP_PRICES_MS = 62 * DAY_MS;
/** The quarter hours of all those days, past and future, are fewer. */
const MAX_SLOTS = 20_000;

/**
 * The slots with new ones, which replace the parts of older ones that they cover. `undefined` if that changes nothing.
 * Neither the old nor the new ones overlap each other.
 */
export function mergeSlots(
  old: readonly PriceSlot[],
  sent: readonly PriceSlot[],
  nowMs: number,
): MergedSlots | undefined {
  const fresh = sent.toSorted((left, right) => left.fromMs - right.fromMs);
  const merged = [...withoutParts(old, fresh), ...fresh]
    .filter(({ toMs }) => toMs > nowMs - KEEP_PRICES_MS)
    .toSorted((left, right) => left.fromMs - right.fromMs)
    .slice(-MAX_SLOTS);
  const [before, after] = [old, merged].map((slots) => new Map(slots.map((slot) => [JSON.stringify(slot), slot])));
  const removed = [...(before ?? [])].flatMap(([text, slot]) => (after?.has(text) === true ? [] : slot));
  const added = [...(after ?? [])].flatMap(([text, slot]) => (before?.has(text) === true ? [] : slot));
  return removed.length + added.length === 0 ? undefined : { slots: merged, removed, added };
}

/** Both lists are in the order of their times, so that each is walked once. */
function withoutParts(slots: readonly PriceSlot[], cuts: readonly PriceSlot[]): readonly PriceSlot[] {
  const rest: PriceSlot[] = [];
  let first = 0;
  for (const slot of slots) {
    while ((cuts[first]?.toMs ?? Infinity) <= slot.fromMs) first += 1;
    let fromMs = slot.fromMs;
    for (let index = first; index < cuts.length; index += 1) {
      const cut = cuts[index];
      if (cut === undefined || cut.fromMs >= slot.toMs) break;
      if (cut.fromMs > fromMs) rest.push({ ...slot, fromMs, toMs: cut.fromMs });
      fromMs = Math.max(fromMs, cut.toMs);
    }
    if (fromMs < slot.toMs) rest.push({ ...slot, fromMs });
  }
  return rest;
}
