import { createTimeZone } from '#base/time/time-zone.ts';
import type { DeviceId } from '#core/device/device.ts';
import { openEnergy } from '#core/energy/energy.ts';
import { type PeriodName, periodOf, reportOf } from '#core/energy/period.ts';
import {
  NO_ENERGY,
  seriesName,
  type SeriesRef,
  type StoredEnergySettings,
  type Tariff,
} from '#core/energy/settings.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { isGap, type Sample } from '#core/past/history/sample.ts';
import { createEnergyDisk } from './energy-disk.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The series `<name>/<key>`; its samples are those of this name in the history. */
export function series(name: string, key = 'energy'): SeriesRef {
  return { device: name as DeviceId, key };
}

export type Samples = Readonly<Record<string, readonly Sample[]>>;

/** A history of these series, each in the order of its times. */
export function historyOf(samples: Samples): Pick<HistoryStore, 'findBefore' | 'readSlice'> {
  const indexOf = (list: readonly Sample[], atMs: number): number => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((list[middle]?.atMs ?? 0) >= atMs) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    findBefore: async (name, atMs) => {
      const list = samples[name] ?? [];
      return list[indexOf(list, atMs) - 1] ?? null;
    },
    readSlice: async ({ series: name, fromMs, toMs }) => {
      const list = samples[name] ?? [];
      const found = list.slice(indexOf(list, fromMs), indexOf(list, toMs));
      return {
        timesMs: Float64Array.from(found, ({ atMs }) => atMs),
        values: found.map(({ value }) => (isGap(value) ? null : value)),
        gaps: new Map(found.flatMap(({ value }, index) => (isGap(value) ? [[index, value] as const] : []))),
        next: null,
      };
    },
  };
}

/** Settings with these parts; the numbers of consumers are given as the hub gives them. */
export function settingsOf(parts: Partial<StoredEnergySettings>): StoredEnergySettings {
  const consumerNumbers = Object.fromEntries(
    (parts.consumers ?? []).map((one, index) => [seriesName(one.series), index + 1]),
  );
  return { ...NO_ENERGY, consumerNumbers, ...parts };
}

export function fixedTariff(price: number, changes: Partial<Tariff> = {}): Tariff {
  return {
    id: 'plain',
    for: 'import',
    currency: 'EUR',
    validFrom: '2026-01-01',
    kind: 'fixed',
    rules: [{ price, days: null, time: null }],
    ...changes,
  };
}

/** Energy over these samples, with a clock that the test sets. */
export async function openTestEnergy(samples: Samples, { zone = 'Europe/Berlin', disk = createEnergyDisk() } = {}) {
  const clock = { nowMs: 0, isSynced: true, toldForMs: null as number | null, learnedShiftMs: null as number | null };
  const { log, lines } = createRecordingLog();
  const timeZone = createTimeZone(zone);
  const energy = await openEnergy({
    store: disk.store,
    history: historyOf(samples),
    timeZone: () => timeZone,
    meta: disk.meta,
    settleSamples: async () => true,
    hubClock: {
      nowMs: () => clock.nowMs,
      isSynced: () => clock.isSynced,
      toldForMs: () => clock.toldForMs,
      epoch: () => 'told',
      learnedShiftMs: () => clock.learnedShiftMs,
    },
    log,
  });
  return {
    clock,
    disk,
    energy,
    lines,
    settle: energy.settle,
    set: (settings: StoredEnergySettings) => energy.changeSettings(() => settings),
    report: async (name: PeriodName, date: string) => {
      const period = periodOf(name, Date.parse(`${date}T00:00:00Z`), timeZone);
      const accounts = await energy.accounts({ ...period, toMs: Math.min(period.toMs, clock.nowMs) });
      return reportOf(period, { accounts, settings: energy.settings(), zone: timeZone, nowMs: clock.nowMs });
    },
  };
}
