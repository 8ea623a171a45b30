import type { EnergyStore } from '#core/energy/energy-store.ts';
import { type HourAccount, sumOfAccounts } from '#core/energy/hour-account.ts';
import type { StoredEnergySettings } from '#core/energy/settings.ts';
import type { PriceSlot } from '#core/energy/tariff.ts';

/** A disk for the settings, hours and prices of energy that outlives what is opened on it. */
export function createEnergyDisk() {
  const disk = { settings: null as StoredEnergySettings | null, failWith: undefined as Error | undefined, writes: 0 };
  const hours = new Map<number, HourAccount>();
  const prices = new Map<string, PriceSlot[]>();
  const meta = new Map<string, string>();
  const write = async (change: () => void): Promise<void> => {
    await Promise.resolve();
    if (disk.failWith !== undefined) throw disk.failWith;
    disk.writes += 1;
    change();
  };
  const sorted = (): HourAccount[] => [...hours.values()].toSorted((left, right) => left.atMs - right.atMs);
  const within = (fromMs: number, toMs: number): HourAccount[] =>
    sorted()
      .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
      .slice(0, 800);
  const store: EnergyStore = {
    loadEnergySettings: async () => structuredClone(disk.settings),
    saveEnergySettings: (settings) =>
      write(() => {
        disk.settings = structuredClone(settings);
      }),
    loadEnergyHours: async (fromMs, toMs) => structuredClone(within(fromMs, toMs)),
    sumEnergyHours: async (fromMs, toMs) => structuredClone(sumOfAccounts(within(fromMs, toMs))),
    saveEnergyHours: (list) => write(() => list.forEach((hour) => hours.set(hour.atMs, structuredClone(hour)))),
    saveEmptiedHours: (list) => write(() => list.forEach((hour) => hours.set(hour.atMs, structuredClone(hour)))),
    forgetEnergyHours: (fromMs) =>
      write(() => {
        for (const atMs of hours.keys()) if (atMs >= fromMs) hours.delete(atMs);
      }),
    readSettledRange: async () => {
      const [first, last] = [sorted()[0], sorted().at(-1)];
      return first === undefined || last === undefined ? null : { fromMs: first.atMs, toMs: last.endMs };
    },
    loadEnergyPrices: async () => structuredClone(prices),
    saveEnergyPrices: (tariff, { removed, added }) =>
      write(() => {
        const kept = (prices.get(tariff) ?? []).filter(({ fromMs }) => removed.every((one) => one.fromMs !== fromMs));
        prices.set(
          tariff,
          [...kept, ...added].toSorted((left, right) => left.fromMs - right.fromMs),
        );
      }),
  };
  const metaStore = {
    loadMeta: async () => new Map(meta),
    putMeta: (entries: ReadonlyMap<string, string>) => write(() => entries.forEach((text, key) => meta.set(key, text))),
  };
  return Object.assign(disk, { hours, prices, store, meta: metaStore });
}
