import { beforeAll, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createTimeZone } from '#base/time/time-zone.ts';
import { readHours, sumOfHours } from '#core/energy/hour-account.ts';
import { createPrices } from '#core/energy/tariff.ts';
import { createBucketEdges } from '#core/past/history/bucket-edges.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { DAY_MS, fixedTariff, historyOf, HOUR_MS, openTestEnergy, series, settingsOf } from './energy-home.ts';

const ZONE = 'Europe/Berlin';
const BEGIN_MS = Date.parse('2025-12-31T23:00:00Z');
const END_MS = Date.parse('2026-12-31T23:00:00Z');
const STEP_MS = 600_000;
const at = (day: number, hour = 0): number => BEGIN_MS + day * DAY_MS + hour * HOUR_MS;

/** What a meter did in the year, and what it should be found to have counted. */
type Simulated = {
  readonly samples: Sample[];
  readonly rises: { readonly atMs: number; readonly kwh: number; readonly isInGap: boolean }[];
  /** Counted by a new meter on its first day, when it may still be noise of the old one. */
  uncertain: number;
};

/** A meter that reports each ten minutes, with a fault of each kind every few days. */
function simulate(seed: number, mean: number, [fromMs, toMs] = [BEGIN_MS, END_MS]): Simulated {
  const throwDice = createDice(seed);
  const dice = (sides: number): number => Math.floor(throwDice() * sides);
  const { samples, rises } = { samples: [] as Sample[], rises: [] as Simulated['rises'] };
  let counter = dice(5_000);
  let gapKwh = 0;
  let gapUntilMs = 0;
  let replacedMs = -Infinity;
  let uncertain = 0;
  samples.push({ atMs: fromMs, value: counter });
  for (let atMs = fromMs + STEP_MS; atMs < toMs; atMs += STEP_MS) {
    const kwh = (dice(2_000) / 1_000) * mean * (STEP_MS / HOUR_MS);
    const isQuiet = atMs - replacedMs > 2 * DAY_MS;
    if (atMs < gapUntilMs) {
      gapKwh += kwh;
      counter += kwh;
      continue;
    }
    const fault = isQuiet ? dice(2_000) : 9;
    if (fault === 0) {
      samples.push({ atMs: atMs - 1_000, value: { gap: 'offline' } });
      gapUntilMs = atMs + (1 + dice(40)) * HOUR_MS;
      gapKwh += kwh;
      counter += kwh;
      continue;
    } else if (fault === 1) counter = 0;
    else if (fault === 2) samples.push({ atMs: atMs - 240_000, value: 0 });
    else if (fault === 3) samples.push({ atMs: atMs - 240_000, value: counter + 90_000 });
    else if (fault === 4 && counter > 1_000) {
      counter = Math.floor(counter / 2);
      replacedMs = atMs;
    }
    counter += kwh;
    samples.push({ atMs, value: Number(counter.toFixed(6)) });
    if (gapKwh > 0) {
      rises.push({ atMs, kwh: kwh + gapKwh, isInGap: true });
      gapKwh = 0;
    } else if (atMs - replacedMs <= DAY_MS) uncertain += kwh;
    else rises.push({ atMs, kwh, isInGap: false });
  }
  return { samples, rises, uncertain };
}

const REPLACED_MS = at(150, 7);
const meters = {
  // Two meters of one flow; the second one is taken down in summer, and a third takes its place.
  one: simulate(1, 0.4),
  two: simulate(2, 0.2, [BEGIN_MS, REPLACED_MS]),
  three: simulate(3, 0.2, [REPLACED_MS, END_MS]),
  out: simulate(4, 0.3),
  sun: simulate(5, 0.5),
};
const samples = Object.fromEntries(Object.entries(meters).map(([name, { samples: list }]) => [`${name}/energy`, list]));
const night = { price: 0.2, days: null, time: { fromMinute: 22 * 60, toMinute: 6 * 60 } };
const BEFORE = settingsOf({
  grid: { import: [series('one'), series('two')], export: [series('out')], power: null },
  solar: [series('sun')],
  tariffs: [
    fixedTariff(0, { id: 'night', kind: 'times', rules: [night, { price: 0.3, days: null, time: null }] }),
    fixedTariff(0.08, { id: 'sold', for: 'export' }),
  ],
});
const AFTER = { ...BEFORE, grid: { ...BEFORE.grid, import: [series('one'), series('three')] } };

describe('a year with meters that fail, restart, are silent and are replaced', () => {
  let home: Awaited<ReturnType<typeof openTestEnergy>>;
  let report: Awaited<ReturnType<typeof home.report>>;
  beforeAll(async () => {
    home = await openTestEnergy(samples, { zone: ZONE });
    home.clock.nowMs = BEGIN_MS;
    await home.set(BEFORE);
    for (let dayMs = BEGIN_MS; dayMs < END_MS + DAY_MS; dayMs += DAY_MS) {
      home.clock.nowMs = Math.min(dayMs + 7 * HOUR_MS + 300_000, END_MS + 300_000);
      await home.settle();
      if (home.clock.nowMs - 300_000 === REPLACED_MS) await home.set(AFTER);
    }
    report = await home.report('year', '2026-06-01');
  });

  const found = (flow: 'import' | 'export' | 'solar') => {
    const { amount = 0, inGap = 0 } = report.total.flows[flow] ?? {};
    return { amount, inGap };
  };
  const truth = (names: readonly (keyof typeof meters)[], isInGap: boolean): number =>
    names.flatMap((name) => meters[name].rises).reduce((sum, one) => sum + (one.isInGap === isInGap ? one.kwh : 0), 0);

  test.each([
    ['import', ['one', 'two', 'three']],
    ['export', ['out']],
    ['solar', ['sun']],
  ] as const)('counts what %s truly was, and invents nothing', (flow, names) => {
    const { amount, inGap } = found(flow);
    const doubted = names.reduce((sum, name) => sum + meters[name].uncertain, 0);
    const [known, silent] = [truth(names, false), truth(names, true)];
    expect(amount + inGap).toBeLessThan(known + silent + doubted + 0.01);
    expect(amount + inGap).toBeGreaterThan((known + silent) * 0.995);
    expect(inGap).toBeGreaterThan(silent * 0.9);
    // A new meter is certain after a day: of what it counted until then, the hours are unknown.
    expect(inGap).toBeLessThan(silent * 1.05 + doubted + 0.01);
  });

  test('has no negative amount anywhere', async () => {
    for (const { balance } of report.buckets) {
      for (const { amount, inGap } of Object.values(balance.flows))
        expect(Math.min(amount, inGap)).toBeGreaterThanOrEqual(0);
      expect(Math.min(balance.home ?? 0, balance.untracked ?? 0, balance.mismatch ?? 0)).toBeGreaterThanOrEqual(0);
    }
  });

  test('no account of the year is longer than a week, and no list of them is', async () => {
    const range = { fromMs: BEGIN_MS, toMs: END_MS, bucket: '1mo' } as const;
    const accounts = await home.energy.accounts(range);
    // Each month has at most five weeks and a rest.
    expect(accounts.length).toBeLessThanOrEqual(12 * 5);
    expect(Math.max(...accounts.map(({ atMs, endMs }) => endMs - atMs))).toBe(7 * DAY_MS);
  });

  test('the days of a month, and the months of the year, add up to them', async () => {
    const sum = (buckets: typeof report.buckets): number =>
      buckets.reduce(
        (total, { balance }) => total + (balance.costs.get('EUR')?.total ?? 0) + (balance.flows.import?.amount ?? 0),
        0,
      );
    const months = await Promise.all(
      Array.from({ length: 12 }, (_, month) => home.report('month', `2026-${String(month + 1).padStart(2, '0')}-01`)),
    );
    const whole = (report.total.costs.get('EUR')?.total ?? 0) + found('import').amount;
    expect(sum(report.buckets)).toBeCloseTo(whole, 6);
    expect(months.reduce((total, { buckets }) => total + sum(buckets), 0)).toBeCloseTo(whole, 6);
  });

  test('costs what each kilowatt-hour cost when it was used', () => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' });
    const priceAt = (atMs: number): number => {
      const hour = Number(clock.format(atMs));
      return hour >= 22 || hour < 6 ? 0.2 : 0.3;
    };
    const used = [meters.one, meters.two, meters.three].flatMap(({ rises }) => rises).filter(({ isInGap }) => !isInGap);
    const expected = used.reduce((sum, { atMs, kwh }) => sum + kwh * priceAt(atMs), 0);
    const cost = report.total.costs.get('EUR');
    const priced = (cost?.flows.import ?? 0) - 0.2667 * found('import').inGap;
    expect(priced / expected).toBeGreaterThan(0.98);
    expect(priced / expected).toBeLessThan(1.02);
    expect(cost?.flows.export).toBeCloseTo(0.08 * (found('export').amount + found('export').inGap), 1);
    expect(report.total.unpriced).toEqual({});
  });
});

test('the hours of any parts of a range add up to those of the range', async () => {
  const change = fc.record({
    minutes: fc.integer({ min: 0, max: 400 }),
    value: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant('gap' as const), fc.constant(-5)),
  });
  const edges = createBucketEdges('1h', createTimeZone('Australia/Lord_Howe'));
  const prices = createPrices({ tariffs: [fixedTariff(0.3)], slotsOf: () => [], zone: createTimeZone(ZONE) });
  const given = fc.tuple(
    fc.array(change, { maxLength: 40 }),
    fc.array(fc.integer({ min: 1, max: 47 }), { maxLength: 6 }),
    fc.constantFrom('counter' as const, 'power' as const),
  );
  await fc.assert(
    fc.asyncProperty(given, async ([changes, cuts, kind]) => {
      // The night in which the clock of Lord Howe goes back by half an hour.
      const fromMs = Date.parse('2026-04-03T13:00:00Z');
      let atMs = fromMs - 3 * DAY_MS;
      const list = changes.map(({ minutes, value }): Sample => {
        atMs += minutes * 60_000;
        return { atMs, value: value === 'gap' ? { gap: 'offline' } : value };
      });
      const source = kind === 'counter' ? series('a') : series('a', 'power');
      const settings = settingsOf({
        grid: { import: [source], export: [], power: null },
        consumers: [{ series: source, name: null, within: null }],
      });
      const store = historyOf({ 'a/energy': list, 'a/power': list });
      const read = (begin: number, end: number) =>
        readHours({ store, settings, prices, edges, kindOf: () => kind }, begin, end);
      const marks = [0, ...cuts.toSorted((left, right) => left - right), 48].map((hour) =>
        edges.startOf(fromMs + hour * HOUR_MS),
      );
      const parts = [];
      for (const [index, end] of marks.slice(1).entries()) parts.push(...(await read(marks[index] ?? fromMs, end)));
      const whole = await read(fromMs, marks.at(-1) ?? fromMs);
      const sum = (hours: typeof whole) => sumOfHours(hours.flatMap((hour) => hour.flows.import ?? []));
      const [left, right] = [sum(parts), sum(whole)];
      expect(left.amount).toBeCloseTo(right.amount, 9);
      expect(left.inGap).toBeCloseTo(right.inGap, 9);
      expect(left.knownMs).toBe(right.knownMs);
      expect(left.cost?.money['EUR'] ?? 0).toBeCloseTo(right.cost?.money['EUR'] ?? 0, 9);
      expect(left.amount).toBeGreaterThanOrEqual(0);
    }),
    searchOf(2_000),
  );
});
