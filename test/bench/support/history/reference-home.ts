import type { SeriesDescription } from '#core/past/history/sample.ts';
import { createDice } from '#test/support/machine/dice.ts';

/** A change that a device of the reference home reports. */
export type Change = { readonly series: number; readonly atMs: number; readonly value: number | boolean };

/**
 * The home on which the figures of history rest: 200 features that make some 218,000 changes a day, four fifths of them
 * power. The same seed makes the same days.
 */
export type ReferenceHome = {
  /** By the number that the changes name. */
  readonly series: readonly SeriesDescription[];
  /** The changes of the next day, in order of time. */
  readonly nextDay: () => Change[];
};

const DAY_MS = 86_400_000;
const JITTER_MS = 120;

type Dice = () => number;
type Group = Omit<SeriesDescription, 'name'> & { readonly count: number };
/** Adds what the feature reports on a day. */
type Feature = (startMs: number, report: (atMs: number, value: number | boolean) => void) => void;

export function createReferenceHome(seed: number, startMs: number): ReferenceHome {
  const dice = createDice(seed);
  const series: SeriesDescription[] = [];
  const features: Feature[] = [];
  const add = (key: string, { count, kind, unit }: Group, make: (index: number) => Feature): void => {
    for (let index = 0; index < count; index += 1) {
      series.push({ name: `${deviceIdOf(series.length)}/${key}`, kind, unit });
      features.push(make(index));
    }
  };
  add('temperature', { count: 40, kind: 'gauge', unit: 'celsius' }, (index) =>
    wandering(dice, { mid: 21, day: 1.5, step: 0.05, decimals: 1 + (index % 2) }),
  );
  add('humidity', { count: 30, kind: 'gauge', unit: 'percent' }, (index) =>
    wandering(dice, { mid: 50, day: 6, step: 0.5, decimals: 1 + (index % 2) }),
  );
  add('co2', { count: 10, kind: 'gauge', unit: 'ppm' }, () =>
    wandering(dice, { mid: 700, day: 200, step: 15, decimals: 0, everyMs: 33_000 }),
  );
  const loads = Array.from({ length: 25 }, (_, index) => switchingLoad(dice, index));
  add('power', { count: 25, kind: 'gauge', unit: 'watt' }, (index) =>
    powerOf(dice, loads[index] ?? (() => 0), index % 2),
  );
  add('energy', { count: 25, kind: 'counter', unit: 'kilowatt_hour' }, (index) =>
    energyOf(dice, loads[index] ?? (() => 0)),
  );
  add('open', { count: 25, kind: 'state', unit: null }, () => flipping(dice, 20));
  add('motion', { count: 15, kind: 'state', unit: null }, () => flipping(dice, 160));
  add('on', { count: 15, kind: 'state', unit: null }, () => flipping(dice, 14));
  add('brightness', { count: 5, kind: 'gauge', unit: 'percent' }, () =>
    wandering(dice, { mid: 60, day: 0, step: 25, decimals: 0, everyMs: 7_200_000 }),
  );
  add('battery', { count: 10, kind: 'gauge', unit: 'percent' }, () =>
    wandering(dice, { mid: 80, day: 0, step: 0.3, decimals: 0, everyMs: 14_400_000 }),
  );

  const last = new Map<number, number | boolean>();
  let dayMs = startMs;
  return {
    series,
    nextDay: () => {
      const changes: Change[] = [];
      for (const [number, feature] of features.entries()) {
        const reports: Change[] = [];
        feature(dayMs, (atMs, value) => void reports.push({ series: number, atMs: Math.round(atMs), value }));
        for (const change of reports.toSorted((left, right) => left.atMs - right.atMs)) {
          if (last.get(number) === change.value) continue;
          last.set(number, change.value);
          changes.push(change);
        }
      }
      dayMs += DAY_MS;
      return changes.toSorted((left, right) => left.atMs - right.atMs);
    },
  };
}

export function deviceIdOf(number: number): string {
  return `20000000-0000-7000-8000-${String(number + 1).padStart(12, '0')}`;
}

function every(dice: Dice, everyMs: number, report: (sinceMs: number) => void): void {
  for (let at = dice() * everyMs; at < DAY_MS; at += everyMs) report(Math.min(DAY_MS - 1, at + dice() * JITTER_MS));
}

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

type Wandering = { mid: number; day: number; step: number; decimals: number; everyMs?: number };

/** A random walk around a curve of the day. */
function wandering(dice: Dice, { mid, day, step, decimals, everyMs = 60_000 + dice() * 240_000 }: Wandering): Feature {
  let walk = 0;
  return (startMs, report) =>
    every(dice, everyMs, (at) => {
      walk = walk * 0.995 + (dice() - 0.5) * 2 * step;
      report(startMs + at, rounded(mid + day * Math.sin((at / DAY_MS) * 2 * Math.PI) + walk, decimals));
    });
}

/** Watts at a moment of the day: a load that is switched several times a day, on top of a standby. */
function switchingLoad(dice: Dice, index: number): (atMs: number) => number {
  const standby = index % 5 === 0 ? 0 : 1 + dice() * 6;
  const full = 40 + dice() ** 2 * 1500;
  const periodMs = 1_800_000 + dice() * 9_000_000;
  const share = 0.5 + dice() * 0.45;
  return (atMs) => standby + (atMs % periodMs < share * periodMs ? full : 0);
}

function powerOf(dice: Dice, load: (atMs: number) => number, decimals: number): Feature {
  return (startMs, report) =>
    every(dice, 10_000, (at) => {
      const watts = load(startMs + at);
      report(startMs + at, rounded(Math.max(0, watts * (1 + (dice() + dice() - 1) * 0.03)), decimals));
    });
}

function energyOf(dice: Dice, load: (atMs: number) => number): Feature {
  let kilowattHours = dice() * 5000;
  const everyMs = 100_000 + dice() * 100_000;
  return (startMs, report) =>
    every(dice, everyMs, (at) => {
      kilowattHours += (load(startMs + at) * everyMs) / 3.6e9;
      report(startMs + at, rounded(kilowattHours, 3));
    });
}

function flipping(dice: Dice, times: number): Feature {
  let value = false;
  return (startMs, report) => {
    const moments = Array.from({ length: times }, () => dice() * DAY_MS).toSorted((left, right) => left - right);
    for (const at of moments) report(startMs + at, (value = !value));
  };
}
