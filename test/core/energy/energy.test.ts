import { describe, expect, test } from 'vitest';
import type { Sample } from '#core/past/history/sample.ts';
import { DAY_MS, fixedTariff, HOUR_MS, openTestEnergy, series, settingsOf } from './energy-home.ts';

const START_MS = Date.parse('2026-11-20T23:00:00Z');
const at = (hours: number): number => START_MS + hours * HOUR_MS;
/** One kWh an hour, reported at half past. */
const steady = (hours: number, from = 0): Sample[] =>
  Array.from({ length: hours }, (_, index) => ({ atMs: at(index + 0.5), value: from + index }));
const METER = { 'meter/energy': steady(72, 100) };
const SETTINGS = settingsOf({
  grid: { import: [series('meter')], export: [], power: null },
  tariffs: [fixedTariff(0.3)],
});

async function open(samples: Parameters<typeof openTestEnergy>[0] = METER, settings = SETTINGS) {
  const home = await openTestEnergy(samples);
  home.clock.nowMs = at(30);
  await home.set(settings);
  await home.settle();
  return home;
}

const costOf = (report: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['report']>>): number | undefined =>
  report.total.costs.get('EUR')?.total;

describe('an hour', () => {
  test('is settled five minutes after its end, once', async () => {
    const { clock, disk, settle, energy } = await open();
    expect(energy.settledUntilMs()).toBe(at(29));
    clock.nowMs = at(30) + 4 * 60_000;
    await settle();
    expect(energy.settledUntilMs()).toBe(at(29));
    clock.nowMs = at(30) + 5 * 60_000;
    await settle();
    expect(energy.settledUntilMs()).toBe(at(30));
    const { writes } = disk;
    await settle();
    expect(disk.writes).toBe(writes);
  });

  test('keeps its cost when the tariff becomes another one', async () => {
    const { set, report } = await open();
    const before = costOf(await report('day', '2026-11-21'));
    expect(before).toBeCloseTo(23 * 0.3, 9);
    await set({ ...SETTINGS, tariffs: [fixedTariff(5)] });
    expect(costOf(await report('day', '2026-11-21'))).toBe(before);
  });

  test('that is not settled yet shows what it costs with the tariff of now', async () => {
    const { set, report } = await open();
    const early = costOf(await report('day', '2026-11-22'));
    expect(early).toBeCloseTo(6 * 0.3, 9);
    await set({ ...SETTINGS, tariffs: [fixedTariff(5)] });
    expect(costOf(await report('day', '2026-11-22'))).toBeCloseTo(5 * 0.3 + 5, 9);
  });

  test('is settled by what the settings were, although the hub was off at its end', async () => {
    const { disk } = await open();
    const later = await openTestEnergy(METER, { disk });
    later.clock.nowMs = at(72);
    await later.settle();
    expect(costOf(await later.report('day', '2026-11-22'))).toBeCloseTo(24 * 0.3, 9);
  });

  test('waits while the clock may be wrong', async () => {
    const { clock, settle, energy } = await open();
    clock.nowMs = at(40);
    clock.isSynced = false;
    await settle();
    expect(energy.settledUntilMs()).toBe(at(29));
  });

  test('is settled again after the disk took nothing', async () => {
    const { clock, disk, settle, energy } = await open();
    clock.nowMs = at(32);
    disk.failWith = new Error('the disk is full');
    await expect(settle()).rejects.toThrow('full');
    disk.failWith = undefined;
    await settle();
    expect(energy.settledUntilMs()).toBe(at(31));
  });

  test('gets a new cost only by being recalculated', async () => {
    const { set, energy, report } = await open();
    await set({ ...SETTINGS, tariffs: [fixedTariff(1)] });
    expect(await energy.recalculate(at(0), at(2))).toBe(2);
    expect(costOf(await report('day', '2026-11-21'))).toBeCloseTo(22 * 0.3 + 1, 9);
  });

  test('is deleted for ever, and does not come back when it is recalculated', async () => {
    const { clock, disk, energy, report } = await open();
    const total = async () => (await report('day', '2026-11-21')).total;
    const before = (await total()).flows.import?.amount ?? 0;
    const range = { fromMs: at(2), toMs: at(5), isConsumer: null };
    expect(await energy.deleteHours({ ...range, isTrial: true })).toBe(3);
    expect((await total()).flows.import?.amount).toBe(before);
    expect(await energy.deleteHours(range)).toBe(3);
    expect((await total()).flows.import?.amount).toBe(before - 3);
    expect(await energy.recalculate(at(0), at(24))).toBe(24);
    expect((await total()).flows.import?.amount).toBe(before - 3);
    expect(await energy.deleteHours(range)).toBe(0);
    // What is not settled yet is settled first, so that it does not come back either.
    clock.nowMs = at(60.5);
    await energy.deleteHours({ fromMs: 0, toMs: Infinity, isConsumer: null });
    const later = await openTestEnergy(METER, { disk });
    later.clock.nowMs = at(60.5);
    await later.settle();
    expect((await later.report('day', '2026-11-21')).total.flows).toEqual({});
    expect(later.energy.settledUntilMs()).toBe(at(60));
  });

  test('stays as it is where the home moved to a zone whose hours begin at half past', async () => {
    const { disk, energy, report } = await open();
    await energy.deleteHours({ fromMs: at(2), toMs: at(5), isConsumer: null });
    const before = (await report('day', '2026-11-21')).total;
    const moved = await openTestEnergy(METER, { disk, zone: 'Asia/Kolkata' });
    moved.clock.nowMs = at(40);
    await moved.settle();
    const stored = (await disk.store.loadEnergyHours(0, at(100))).length;
    // Those after the last old one.
    expect(await moved.energy.recalculate(at(0), at(35))).toBe(6);
    expect((await disk.store.loadEnergyHours(0, at(100))).length).toBe(stored);
    const back = await openTestEnergy(METER, { disk });
    back.clock.nowMs = at(40);
    expect((await back.report('day', '2026-11-21')).total).toEqual(before);
  });

  test('loses only what some consumers used, where a person wants that', async () => {
    const samples = { ...METER, 'oven/energy': METER['meter/energy'] };
    const consumers = [{ series: series('oven'), name: null, within: null }];
    const { energy, report } = await open(
      samples,
      settingsOf({ ...SETTINGS, consumers, consumerNumbers: { 'oven/energy': 1 } }),
    );
    const total = async () => (await report('day', '2026-11-21')).total;
    const before = await total();
    expect(before.consumers.get(1)?.amount).toBe(before.flows.import?.amount);
    const range = { fromMs: at(0), toMs: at(24) };
    expect(await energy.deleteHours({ ...range, isConsumer: (name) => name === 'fridge/energy' })).toBe(0);
    expect(await energy.deleteHours({ ...range, isConsumer: (name) => name === 'oven/energy' })).toBe(24);
    await energy.recalculate(at(0), at(24));
    const after = await total();
    expect([after.consumers.size, after.flows]).toEqual([0, before.flows]);
  });

  test('is not deleted any more once the right to do so is gone', async () => {
    const { energy, report } = await open();
    const before = (await report('day', '2026-11-21')).total;
    const authorize = (): never => {
      throw new Error('no longer');
    };
    await expect(energy.deleteHours({ fromMs: 0, toMs: at(9), isConsumer: null }, { authorize })).rejects.toThrow(
      'no longer',
    );
    expect((await report('day', '2026-11-21')).total).toEqual(before);
  });

  test('stays as it was settled where the history has lost its samples', async () => {
    const samples = { 'meter/energy': [...METER['meter/energy']] };
    const { energy, report } = await open(samples);
    const before = (await report('day', '2026-11-21')).total;
    samples['meter/energy'].splice(0, 26);
    await energy.recalculate(at(0), at(24));
    expect((await report('day', '2026-11-21')).total).toEqual(before);
  });

  test('before the first settled one is read from the history, a day at a time', async () => {
    const home = await openTestEnergy(METER);
    home.clock.nowMs = at(0) + 40 * DAY_MS;
    await home.set(SETTINGS);
    await home.settle();
    expect((await home.report('day', '2026-11-22')).total.flows.import?.amount).toBe(24);
    expect((await home.report('month', '2026-11-01')).buckets.length).toBe(30);
  });
});

describe('pushed prices', () => {
  const PUSHED = { ...SETTINGS, tariffs: [fixedTariff(0, { id: 'spot', kind: 'pushed', rules: [] })] };
  const fail = (): never => {
    throw new Error('no such tariff');
  };
  const slot = (hour: number, price: number) => ({ fromMs: at(hour), toMs: at(hour + 1), price });

  test('price the hours that were settled before they came, and no others', async () => {
    const { energy, report } = await open(METER, PUSHED);
    const before = (await report('day', '2026-11-21')).total;
    expect([before.costs.size, before.unpriced.import]).toEqual([0, 23]);
    await energy.takePrices('spot', [slot(3, 0.5), slot(4, 0.2)], { fail });
    expect(costOf(await report('day', '2026-11-21'))).toBeCloseTo(0.7, 9);
    await energy.takePrices('spot', [slot(3, 9), slot(5, 0.1)], { fail });
    const after = (await report('day', '2026-11-21')).total;
    expect(after.costs.get('EUR')?.total).toBeCloseTo(0.8, 9);
    expect(after.unpriced.import).toBe(20);
  });

  test('are refused for a tariff that takes none, and are there after a restart', async () => {
    const { disk, energy } = await open(METER, PUSHED);
    await expect(energy.takePrices('plain', [slot(40, 1)], { fail })).rejects.toThrow('no such tariff');
    await energy.takePrices('spot', [slot(40, 1)], { fail });
    const { writes } = disk;
    await energy.takePrices('spot', [slot(40, 1)], { fail });
    expect(disk.writes).toBe(writes);
    const later = await openTestEnergy(METER, { disk });
    later.clock.nowMs = at(50);
    await later.settle();
    expect(costOf(await later.report('day', '2026-11-22'))).toBe(1);
  });
});

describe('a balance', () => {
  const rows = (...values: (readonly [hour: number, value: number | 'gap'])[]): Sample[] =>
    values.map(([hour, value]) => ({ atMs: at(hour), value: value === 'gap' ? { gap: 'offline' } : value }));
  const WHOLE = settingsOf({
    grid: { import: [series('in')], export: [series('out')], power: null },
    solar: [series('sun')],
    consumers: [
      { series: series('plug'), name: null, within: null },
      { series: series('lamp'), name: null, within: series('plug') },
    ],
  });

  test('tells what the home used, how much of it was its own, and what no consumer shows', async () => {
    const { report } = await open(
      {
        'in/energy': rows([0, 10], [1, 12]),
        'out/energy': rows([0, 5], [2, 6]),
        'sun/energy': rows([0, 0], [3, 5]),
        'plug/energy': rows([0, 1], [4, 5]),
        'lamp/energy': rows([0, 1], [5, 4]),
      },
      WHOLE,
    );
    const { home, untracked, mismatch, selfUse, autarky } = (await report('day', '2026-11-21')).total;
    expect({ home, untracked, mismatch, selfUse }).toEqual({ home: 6, untracked: 2, mismatch: 0, selfUse: 0.8 });
    expect(autarky).toBeCloseTo(4 / 6, 9);
  });

  test('says so where the consumers used more than the home', async () => {
    const { report } = await open(
      {
        'in/energy': rows([0, 10], [1, 12]),
        'out/energy': rows([0, 0]),
        'sun/energy': rows([0, 0]),
        'plug/energy': rows([0, 1], [4, 5]),
      },
      WHOLE,
    );
    const { untracked, mismatch } = (await report('day', '2026-11-21')).total;
    expect({ untracked, mismatch }).toEqual({ untracked: 0, mismatch: 2 });
  });

  test('knows nothing of an hour in which a meter was not heard', async () => {
    const { report } = await open(
      {
        'in/energy': rows([0, 10], [1, 11], [1.5, 'gap'], [4.5, 13]),
        'out/energy': rows([0, 0]),
        'sun/energy': rows([0, 0]),
      },
      WHOLE,
    );
    const { buckets, total } = await report('day', '2026-11-21');
    const hour = (index: number) => buckets[index]?.balance;
    expect(hour(1)?.flows.import).toMatchObject({ amount: 1, knownShare: 0.5 });
    expect([hour(2)?.flows.import, hour(2)?.home, hour(2)?.knownShare]).toEqual([undefined, null, 0]);
    expect(hour(4)?.flows.import).toEqual({ amount: 0, inGap: 2, knownShare: 0.5, isEstimated: false });
    expect(total.home).toBe(3);
  });

  test('counts what came in a gap with the mean of its prices, apart', async () => {
    const night = { price: 0.1, days: null, time: { fromMinute: 0, toMinute: 120 } };
    const { report } = await open(
      { 'in/energy': rows([0, 10], [1, 'gap'], [4, 14]) },
      {
        ...SETTINGS,
        grid: { ...SETTINGS.grid, import: [series('in')] },
        tariffs: [fixedTariff(0, { kind: 'times', rules: [night, { price: 0.5, days: null, time: null }] })],
      },
    );
    const cost = (await report('day', '2026-11-21')).total.costs.get('EUR');
    // Between the readings at 0 and at 4 o'clock two hours have each price.
    expect(cost?.total).toBeCloseTo(4 * 0.3, 9);
    expect(cost?.inGap).toBe(cost?.total);
  });

  test('without counters adds up the power, with both its signs, and says so', async () => {
    const power = (...values: (readonly [hour: number, value: number | 'gap'])[]) => ({
      'grid/power': rows(...values),
    });
    const { report } = await open(
      power([0, 1_000], [1.5, -2_000], [3, 'gap'], [4, 500], [4.5, 0]),
      settingsOf({
        grid: { import: [], export: [], power: { series: series('grid', 'power'), positive: 'import' } },
        powers: ['grid/power'],
        tariffs: [
          fixedTariff(0, {
            kind: 'times',
            rules: [
              { price: 1, days: null, time: { fromMinute: 0, toMinute: 30 } },
              { price: 0.1, days: null, time: null },
            ],
          }),
        ],
      }),
    );
    const { flows, costs } = (await report('day', '2026-11-21')).total;
    expect([flows.import?.amount, flows.export?.amount]).toEqual([1.75, 3]);
    expect([flows.import?.isEstimated, flows.import?.knownShare]).toEqual([true, 23 / 24]);
    expect(costs.get('EUR')?.total).toBeCloseTo(0.5 + 0.125, 9);
  });

  test('has as many hours as the day has', async () => {
    const { clock, report } = await openTestEnergy({});
    clock.nowMs = Date.parse('2027-01-01T00:00:00Z');
    expect((await report('day', '2026-03-29')).buckets.length).toBe(23);
    expect((await report('day', '2026-10-25')).buckets.length).toBe(25);
    expect((await report('year', '2026-10-25')).buckets.length).toBe(12);
  });
});
