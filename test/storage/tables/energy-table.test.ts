import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HourAccount } from '#core/energy/hour-account.ts';
import { NO_ENERGY, type StoredEnergySettings } from '#core/energy/settings.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeDevice, makeEnergyHour } from '#test/storage/storage-makers.ts';

const SETTINGS: StoredEnergySettings = { ...NO_ENERGY, solar: [{ device: makeDevice(1).id, key: 'energy' }] };

describe('energy', () => {
  test('S6: is after a restart as it was last saved', async () => {
    const bench = createBench();
    const { energy, close } = storageInProcess(await bench.openOwned());
    expect([await energy.loadEnergySettings(), await energy.readSettledRange()]).toEqual([null, null]);
    await energy.saveEnergySettings(NO_ENERGY);
    await energy.saveEnergySettings(SETTINGS);
    await energy.saveEnergyHours([makeEnergyHour(1), makeEnergyHour(2), makeEnergyHour(3)]);
    await energy.saveEmptiedHours([makeEnergyHour(2, { flows: {}, deleted: [1, 2] })]);
    const slots = [1, 2].map((hour) => ({ fromMs: hour, toMs: hour + 1, price: -hour / 3 }));
    await energy.saveEnergyPrices('spot', { removed: [], added: slots });
    await energy.saveEnergyPrices('spot', { removed: slots.slice(0, 1), added: [] });
    await close();
    const after = storageInProcess(await bench.openOwned()).energy;
    expect(await after.loadEnergySettings()).toEqual(SETTINGS);
    const [first, third] = [makeEnergyHour(1), makeEnergyHour(3)];
    expect(await after.loadEnergyHours(0, third.endMs)).toEqual([
      first,
      makeEnergyHour(2, { flows: {}, deleted: [1, 2] }),
      third,
    ]);
    expect(await after.loadEnergyHours(first.atMs, first.endMs)).toEqual([first]);
    expect(await after.sumEnergyHours(third.endMs, third.endMs + 1)).toBeNull();
    expect(await after.sumEnergyHours(0, third.endMs)).toEqual({
      atMs: first.atMs,
      endMs: third.endMs,
      flows: {
        import: {
          amount: 2.5,
          inGap: 1,
          knownMs: 7_200_000,
          isEstimated: false,
          cost: { money: { EUR: 0.8 }, gapMoney: { EUR: 0.2 }, unpriced: 0.5 },
        },
        solar: { amount: 2.5, inGap: 1, knownMs: 7_200_000, isEstimated: true, cost: null },
      },
      consumers: new Map([[7, { amount: 3.75, inGap: 1.5, knownMs: 10_800_000, isEstimated: false, cost: null }]]),
    });
    expect(await after.readSettledRange()).toEqual({ fromMs: first.atMs, toMs: third.endMs });
    expect(await after.loadEnergyPrices()).toEqual(new Map([['spot', slots.slice(1)]]));
  });

  const hourLike = (record: object) => ({ ...makeEnergyHour(1), ...record }) as HourAccount;
  test.each<[string, { readonly settings?: unknown; readonly hour?: HourAccount }, boolean]>([
    ['what the hub writes', { settings: SETTINGS, hour: makeEnergyHour(1) }, true],
    ['settings without tariffs', { settings: { ...SETTINGS, tariffs: undefined } }, false],
    ['settings whose lists are texts', { settings: { ...SETTINGS, solar: 'abc' } }, false],
    [
      'settings with a device that is no id',
      { settings: { ...SETTINGS, solar: [{ device: 'x', key: 'energy' }] } },
      false,
    ],
    [
      'a consumer that does not say whether it runs through another one',
      { settings: { ...SETTINGS, consumers: [{ series: SETTINGS.solar[0], name: null }] } },
      false,
    ],
    ['a tariff that begins never', { settings: { ...SETTINGS, tariffs: [{ id: 'a', rules: [] }] } }, false],
    ['an hour with an unknown flow', { hour: hourLike({ flows: { moon: makeEnergyHour(1).flows.import } }) }, false],
    [
      'an hour that was known for a negative time',
      { hour: hourLike({ flows: { solar: { amount: 1, inGap: 0, knownMs: -1, cost: null } } }) },
      false,
    ],
    [
      'an hour that takes back what the one before counted',
      { hour: hourLike({ flows: { solar: { amount: -1, inGap: 0, knownMs: 0, cost: null } } }) },
      true,
    ],
    ['an hour without an end', { hour: hourLike({ endMs: undefined }) }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, { settings, hour }, isGood) => {
    const { energy, backups } = storageInProcess(await createBench().openOwned());
    if (settings !== undefined) await energy.saveEnergySettings(settings as StoredEnergySettings);
    if (hour !== undefined) await energy.saveEnergyHours([hour]);
    const { id } = await backups.make();
    const path = join(makeFolder(), 'copy.db');
    copyFileSync((await backups.findPath(id)) ?? '', path);
    openDatabase(sqlite, path).close();
    const isTaken = backups.check(path).then(
      () => true,
      () => false,
    );
    expect(await isTaken).toBe(isGood);
  });
});
