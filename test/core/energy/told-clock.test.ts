import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sample } from '#core/past/history/sample.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { DAY_MS, fixedTariff, HOUR_MS, openTestEnergy, series, settingsOf } from './energy-home.ts';

const START_MS = Date.parse('2026-11-20T23:00:00Z');
const at = (hours: number): number => START_MS + hours * HOUR_MS;
const SETTINGS = settingsOf({
  grid: { import: [series('meter')], export: [], power: null },
  tariffs: [fixedTariff(0.3)],
});
/** One kWh an hour, reported at half past, on a clock that is ahead by so much. */
const steady = (hours: number, aheadMs = 0): Sample[] =>
  Array.from({ length: hours }, (_, index) => ({ atMs: at(index + 0.5) + aheadMs, value: index }));
type Home = Awaited<ReturnType<typeof openTestEnergy>>;

/** A home whose clock a person set at hour 0, ahead by so much. */
async function openTold(samples: Record<string, readonly Sample[]>, aheadMs = 0, disk?: Home['disk']) {
  const home = await openTestEnergy(samples, disk === undefined ? {} : { disk });
  /** Lets it be so many hours after that. */
  const beAt = async (hours: number): Promise<void> => {
    Object.assign(home.clock, { nowMs: at(hours) + aheadMs, toldForMs: hours * HOUR_MS, isSynced: false });
    await home.settle();
  };
  const sync = async (hours: number, moved: readonly Sample[]): Promise<void> => {
    samples['meter/energy'] = moved;
    Object.assign(home.clock, { nowMs: at(hours), toldForMs: null, isSynced: true, learnedShiftMs: -aheadMs });
    await home.settle();
  };
  Object.assign(home.clock, { nowMs: at(0) + aheadMs, toldForMs: 0, isSynced: false });
  if (disk === undefined) await home.set(SETTINGS);
  return { ...home, beAt, sync };
}

/** What each hour used, of those that used anything. */
async function usedBy({ energy }: Pick<Home, 'energy'>): Promise<readonly (readonly [number, number])[]> {
  const hours = await energy.accounts({ fromMs: at(-2_000), toMs: at(2_000), bucket: '1h' });
  return hours.flatMap(({ atMs, flows }) => {
    const amount = (flows.import?.amount ?? 0) + (flows.import?.inGap ?? 0);
    return amount > 0 ? [[(atMs - START_MS) / HOUR_MS, Math.round(amount * 1_000) / 1_000] as const] : [];
  });
}

describe('a clock that only a person has set', () => {
  test('settles hours that are a day old, once it has gone uncorrected for a day', async () => {
    const { beAt, energy, clock, settle } = await openTold({ 'meter/energy': steady(200) });
    await beAt(23);
    expect(energy.settledUntilMs()).toBeNull();
    await beAt(30);
    expect(energy.settledUntilMs()).toBe(at(6));
    clock.nowMs = at(40);
    clock.toldForMs = HOUR_MS;
    await settle();
    expect(energy.settledUntilMs()).toBe(at(6));
    await beAt(100);
    expect(energy.settledUntilMs()).toBe(at(76));
  });

  test('loses no hour, however many days it goes by a person', async () => {
    const { beAt, energy } = await openTold({ 'meter/energy': steady(40 * 24) });
    for (let day = 1; day <= 40; day += 1) await beAt(day * 24);
    const hours = await energy.accounts({ fromMs: at(1), toMs: at(39 * 24), bucket: '1h' });
    expect(hours.reduce((sum, { flows }) => sum + (flows.import?.amount ?? 0), 0)).toBeCloseTo(39 * 24 - 1, 6);
    expect(energy.settledUntilMs()).toBe(at(39 * 24));
  });

  test('settles again what it had settled, each kilowatt-hour once and in its hour, once the true time is known', async () => {
    const reports = fc.array(fc.record({ afterMs: fc.integer({ min: 60_000, max: 5 * HOUR_MS }), more: fc.nat(5) }), {
      minLength: 5,
      maxLength: 60,
    });
    const ahead = fc.oneof(
      fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }),
      fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }),
    );
    await fc.assert(
      fc.asyncProperty(reports, ahead, fc.integer({ min: 1, max: 30 }), async (list, aheadMs, everyH) => {
        let atMs = START_MS;
        let value = 0;
        const truth = list.map(({ afterMs, more }): Sample => {
          atMs += afterMs;
          value += more;
          return { atMs, value };
        });
        const lastH = Math.ceil((atMs - START_MS) / HOUR_MS) + 1;
        const shown = truth.map((sample) => ({ ...sample, atMs: sample.atMs + aheadMs }));
        const told = await openTold({ 'meter/energy': shown }, aheadMs);
        for (let hour = 0; hour < lastH; hour += everyH) await told.beAt(hour);
        await told.sync(lastH, truth);

        const right = await openTestEnergy({ 'meter/energy': truth });
        right.clock.nowMs = at(lastH);
        await right.set(SETTINGS);
        await right.settle();
        expect(await usedBy(told)).toEqual(await usedBy(right));
        expect(told.energy.settledUntilMs()).toBe(right.energy.settledUntilMs());
      }),
      searchOf(300),
    );
  });

  test('goes on with that where the disk had stopped it', async () => {
    const { beAt, sync, disk } = await openTold({ 'meter/energy': steady(100, 3 * HOUR_MS) }, 3 * HOUR_MS);
    await beAt(100);
    for (let tries = 0; tries < 4; tries += 1) {
      const fullAt = disk.writes + 1;
      Object.defineProperty(disk, 'failWith', {
        configurable: true,
        get: () => (disk.writes >= fullAt ? new Error('the disk is full') : undefined),
      });
      await expect(sync(100, steady(100))).rejects.toThrow('full');
    }
    Object.defineProperty(disk, 'failWith', { value: undefined });
    const again = await openTold({ 'meter/energy': steady(100) }, 0, disk);
    await again.sync(100, steady(100));
    expect(await usedBy(again)).toEqual(Array.from({ length: 99 }, (_, index) => [index + 1, 1]));
  });

  test('keeps deleted what a person had deleted', async () => {
    const { beAt, sync, energy } = await openTold({ 'meter/energy': steady(100) });
    await beAt(100);
    await energy.deleteHours({ fromMs: at(10), toMs: at(20), isConsumer: null });
    await sync(100, steady(100));
    expect((await usedBy({ energy })).filter(([hour]) => hour >= 10 && hour < 20)).toEqual([]);
    expect((await usedBy({ energy })).length).toBeGreaterThan(80);
  });

  test('that was years ahead, and is set right by a person, settles from the present on', async () => {
    const samples: Record<string, readonly Sample[]> = { 'meter/energy': [] };
    const { beAt, energy, clock, settle } = await openTold(samples, 800 * DAY_MS);
    await beAt(60);
    expect(energy.settledUntilMs()).toBe(at(36) + 800 * DAY_MS);
    samples['meter/energy'] = steady(200);
    Object.assign(clock, { nowMs: at(60), toldForMs: 0 });
    await settle();
    Object.assign(clock, { nowMs: at(150), toldForMs: 90 * HOUR_MS });
    await settle();
    expect(energy.settledUntilMs()).toBe(at(126));
    expect((await usedBy({ energy })).filter(([hour]) => hour >= 60 && hour < 150)).toHaveLength(90);
  });
});
