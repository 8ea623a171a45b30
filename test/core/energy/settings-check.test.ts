import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { NO_ENERGY, seriesName } from '#core/energy/settings.ts';
import { checkSettings, type SettingsInput } from '#core/energy/settings-check.ts';
import type { Feature } from '#core/feature/feature.ts';
import { openDeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature, describeLight } from '#test/support/hub/feature.ts';
import { fixedTariff } from './energy-home.ts';

const number = (key: string, capability: Feature['capability'], unit: string): Feature =>
  createFeature(key, { capability, valueType: 'number', unit, writable: false });
const METER = [
  number('energy', 'energy', 'kWh'),
  number('energy_returned', 'energy_returned', 'kWh'),
  number('power', 'power', 'W'),
  number('x.today', 'x.today', 'kWh'),
  number('battery', 'battery', 'percent'),
];

async function openHome() {
  const home = await openDeviceHome();
  const names = ['meter', 'fridge', 'kitchen', 'lamp'];
  await home.reports.syncDevices(names.map((name) => describeLight(name, { features: METER })));
  const check = (changes: Partial<SettingsInput>, old = NO_ENERGY) =>
    checkSettings({ ...emptySettings(), ...changes }, old, home.registry.findDevice);
  const faults = (changes: Partial<SettingsInput>): readonly string[] => {
    try {
      check(changes);
      return [];
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      return (cause.options.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
    }
  };
  return { home, check, faults };
}

function emptySettings(): SettingsInput {
  return {
    ...NO_ENERGY,
    solar: [],
    gas: [],
    water: [],
    battery: [],
    consumers: [],
    grid: { import: [], export: [], power: null },
  };
}
const consumer = (series: string, within: string | null = null) => ({ series, name: null, within });

describe('the settings of energy', () => {
  test('keep series by the id of their device, so that a rename changes nothing', async () => {
    const { home, check } = await openHome();
    const { id } = home.device('meter');
    const kept = check({ grid: { import: ['meter/energy'], export: [`${id}/energy_returned`], power: null } });
    expect(kept.grid.import.map(seriesName)).toEqual([`${id}/energy`]);
    await home.registry.updateDevice(id, { ownName: 'Main meter' });
    expect(check({ grid: { import: [`${id}/energy`], export: [], power: null } }, kept).grid.import).toEqual(
      kept.grid.import,
    );
  });

  test('keep a series whose device is absent, and what it is', async () => {
    const { home, check } = await openHome();
    const { id } = home.device('meter');
    const kept = check({ solar: ['meter/power'] });
    await home.reports.removeDevice('meter');
    expect(check({ solar: [`${id}/power`] }, kept)).toMatchObject({ solar: kept.solar, powers: [`${id}/power`] });
  });

  test('number each consumer for ever', async () => {
    const { home, check } = await openHome();
    const first = check({ consumers: [consumer('fridge/energy'), consumer('lamp/power')] });
    const second = check({ consumers: [consumer('kitchen/energy')] }, first);
    const nameOf = (name: string, key: string): string => `${home.device(name).id}/${key}`;
    expect(second.consumerNumbers).toEqual({
      [nameOf('fridge', 'energy')]: 1,
      [nameOf('lamp', 'power')]: 2,
      [nameOf('kitchen', 'energy')]: 3,
    });
  });

  test.each<[string, Partial<SettingsInput>, readonly string[]]>([
    ['a device that does not exist', { solar: ['moon/energy'] }, ['/solar/0 is not a feature of a device']],
    ['a feature that does not exist', { solar: ['meter/moonlight'] }, ['/solar/0 is not a feature of a device']],
    ['no device at all', { gas: ['meter'] }, ['/gas/0 is not a feature of a device']],
    ['a measured value', { solar: ['meter/battery'] }, ['/solar/0 is no amount in kWh and no power in W']],
    [
      'an amount that begins anew each day',
      { solar: ['meter/x.today'] },
      ['/solar/0 is no amount in kWh and no power in W'],
    ],
    ['energy as water', { water: ['meter/energy'] }, ['/water/0 is no amount in m3']],
    [
      'an amount as a power',
      { grid: { import: [], export: [], power: { series: 'meter/energy', positive: 'import' } } },
      ['/grid/power/series is no power in W'],
    ],
    [
      'the same series twice',
      { grid: { import: ['meter/energy'], export: ['meter/energy'], power: null } },
      ['/grid/export/0 is the same as /grid/import/0'],
    ],
    [
      'a battery of nothing',
      { battery: [{ charge: null, discharge: null, power: null, level: 'meter/battery' }] },
      ['/battery/0 needs charge, discharge or power'],
    ],
    [
      'a consumer within none',
      { consumers: [consumer('fridge/energy', 'kitchen/energy')] },
      ['/consumers/0/within is not the series of a consumer'],
    ],
    [
      'consumers in a circle',
      {
        consumers: [
          consumer('fridge/energy', 'kitchen/energy'),
          consumer('kitchen/energy', 'fridge/energy'),
          consumer('lamp/energy', 'fridge/energy'),
          consumer('meter/energy', 'meter/energy'),
        ],
      },
      [0, 1, 3].map((index) => `/consumers/${index}/within makes a circle: the consumer is within itself`),
    ],
    [
      'tariffs that contradict each other',
      { tariffs: [fixedTariff(1), fixedTariff(2)] },
      [
        '/tariffs/1/id is the id of another tariff',
        '/tariffs/1/valid_from another tariff for import begins on this date',
      ],
    ],
    [
      'tariffs without a price',
      { tariffs: [fixedTariff(1, { rules: [] }), fixedTariff(1, { id: 'b', for: 'gas', kind: 'times', rules: [] })] },
      ['/tariffs/0/prices a fixed tariff has one price without times', '/tariffs/1/prices needs at least one price'],
    ],
  ])('refuse %s, with its place', async (_what, changes, expected) => {
    expect((await openHome()).faults(changes)).toEqual(expected);
  });
});
