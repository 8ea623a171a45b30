import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { Device } from '#web/client/api.ts';
import { currencyOf } from '#web/energy/settings/currencies.ts';
import { likelyDraft } from '#web/energy/settings/likely.ts';
import { draftOf, isEmpty, usedSeries, withoutSeries } from '#web/energy/settings/settings-draft.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

const UNITS: Readonly<Record<string, string>> = {
  energy: 'kWh',
  energy_returned: 'kWh',
  power: 'W',
  gas_volume: 'm3',
  water_volume: 'm3',
  battery: 'percent',
};

function entryOf(name: string, ...capabilities: readonly string[]): DeviceEntry {
  const features = capabilities.map((key) => {
    return { key, name: key, capability: key, kind: 'state', value_type: 'number', unit: UNITS[key] ?? null };
  });
  const selector = name.toLowerCase().replaceAll(' ', '-');
  const device = { selector, name, room: null, integration: 'provider:m', features } as unknown as Device;
  return { device: signal(device) } as unknown as DeviceEntry;
}

const EMPTY = draftOf({
  revision: 0,
  grid: { import: [], export: [], power: null },
  solar: [],
  battery: [],
  gas: [],
  water: [],
  consumers: [],
  tariffs: [],
});
const HOME = [
  entryOf('Kitchen fridge', 'energy', 'power'),
  entryOf('Haupt', 'energy', 'energy_returned', 'power'),
  entryOf('Wechselrichter', 'energy', 'power'),
  entryOf('Balkonkraftwerk', 'power'),
  entryOf('Akku Keller', 'energy', 'energy_returned', 'power', 'battery'),
  entryOf('Gas', 'gas_volume'),
  entryOf('Remote', 'battery'),
  entryOf('Heat pump', 'power'),
];

test('what gives energy back is the grid, what is called so is the sun or the battery, and plugs are consumers', () => {
  expect(likelyDraft(EMPTY, HOME)).toMatchObject({
    grid: {
      import: ['haupt/energy'],
      export: ['haupt/energy_returned'],
      power: { series: 'haupt/power', positive: 'import' },
    },
    solar: ['wechselrichter/energy', 'balkonkraftwerk/power'],
    battery: [
      {
        charge: 'akku-keller/energy',
        discharge: 'akku-keller/energy_returned',
        power: { series: 'akku-keller/power', positive: 'charge' },
        level: 'akku-keller/battery',
      },
    ],
    gas: ['gas/gas_volume'],
    water: [],
    consumers: [{ series: 'kitchen-fridge/energy', name: null, within: null }],
    tariffs: [],
  });
});

test.each(['Stromzähler', 'Smart meter', 'Linky', 'Contador general', 'Grid'])(
  'a meter that counts one way is known by its name: %s',
  (name) => {
    const meter = entryOf(name, 'energy');
    const selector = meter.device.value.selector;
    expect(likelyDraft(EMPTY, [entryOf('Fridge', 'energy'), meter]).grid.import).toEqual([`${selector}/energy`]);
  },
);

test('a home of plugs has no grid, and one without meters has no answer', () => {
  expect(likelyDraft(EMPTY, [entryOf('Fridge', 'energy')]).grid).toEqual(EMPTY.grid);
  expect(isEmpty(likelyDraft(EMPTY, [entryOf('Remote', 'battery')]))).toBe(true);
  expect(isEmpty(likelyDraft(EMPTY, HOME))).toBe(false);
});

test('what measures something else now measures nothing of before', () => {
  const likely = likelyDraft(EMPTY, HOME);
  const all = [...usedSeries(likely)];
  for (const series of all) expect(usedSeries(withoutSeries(likely, [series])).has(series)).toBe(false);
  expect(isEmpty(withoutSeries(likely, all))).toBe(true);
});

test.each([
  ['Europe/Berlin', 'EUR'],
  ['Europe/Zurich', 'CHF'],
  ['Europe/London', 'GBP'],
  ['Atlantic/Canary', 'EUR'],
  ['Australia/Perth', 'AUD'],
  ['America/Indiana/Knox', 'USD'],
  ['America/Lima', ''],
  ['UTC', ''],
])('the currency of %s is %j', (zone, currency) => expect(currencyOf(zone)).toBe(currency));
