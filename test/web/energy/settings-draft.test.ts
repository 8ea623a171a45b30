import { describe, expect, test } from 'vitest';
import type { EnergySettings } from '#web/client/api.ts';
import { fieldFaults } from '#web/form/field-faults.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import {
  bodyOf,
  draftFaults,
  draftOf,
  newTariff,
  NO_BATTERY,
  NO_PRICE,
  numberFrom,
  pointersOf,
  type SettingsDraft,
  usedSeries,
  withChangedConsumer,
  withoutConsumer,
} from '#web/energy/settings/settings-draft.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const consumer = (series: string, within: string | null = null) => ({ series, name: null, within });
const SETTINGS: EnergySettings = {
  grid: { import: ['meter/energy'], export: [], power: { series: 'meter/power', positive: 'import' } },
  solar: ['roof/power'],
  battery: [{ charge: 'box/energy', discharge: null, power: null, level: 'box/battery' }],
  gas: [],
  water: [],
  consumers: [consumer('board/energy'), consumer('oven/energy', 'board/energy')],
  revision: 1,
  tariffs: [
    {
      id: 'import',
      for: 'import',
      currency: 'EUR',
      valid_from: '2026-01-01',
      kind: 'times',
      prices: [
        { price: 0.24, days: ['sat', 'sun'], from: '22:00', to: '06:00' },
        { price: 0.31, days: null, from: null, to: null },
      ],
    },
  ],
};
const DRAFT = draftOf(SETTINGS);

describe('the draft of the settings', () => {
  test('sends what it was made of', () => expect(bodyOf(DRAFT)).toEqual(SETTINGS));

  test('knows midnight at the end of a day by the name that fields for times have', () => {
    const [tariff] = SETTINGS.tariffs;
    if (tariff === undefined) throw new Error('there is no tariff');
    const timesOf = (from: string, to: string) =>
      draftOf({ ...SETTINGS, tariffs: [{ ...tariff, prices: [{ price: 1, days: null, from, to }] }] }).tariffs[0]
        ?.prices[0];
    expect(timesOf('22:00', '24:00')).toMatchObject({ from: '22:00', to: '00:00' });
    expect(timesOf('00:00', '24:00')).toMatchObject({ from: '', to: '' });
  });

  const withTariff = (changes: Partial<SettingsDraft['tariffs'][number]>): SettingsDraft => ({
    ...DRAFT,
    tariffs: DRAFT.tariffs.map((tariff) => ({ ...tariff, ...changes })),
  });

  test.each([
    ['fixed', [{ price: 0.24 }]],
    ['pushed', [{ price: 0.24 }]],
  ] as const)('of a %s tariff sends one price without times', (kind, prices) => {
    expect(bodyOf(withTariff({ kind })).tariffs?.[0]?.prices).toEqual(prices);
  });

  test('sends no price of a pushed tariff where none was entered', () => {
    expect(bodyOf(withTariff({ kind: 'pushed', prices: [NO_PRICE] })).tariffs?.[0]?.prices).toEqual([]);
  });

  test.each([
    ['0.31', 0.31],
    ['0,31', 0.31],
    [' .5 ', 0.5],
    ['-1', -1],
    ['', undefined],
    ['1.', undefined],
    ['1e3', undefined],
    ['free', undefined],
  ])('reads %j as %s', (text, number) => expect(numberFrom(text)).toBe(number));

  test('names what is wrong with a tariff before it is sent', () => {
    const prices = [NO_PRICE, { ...NO_PRICE, price: 'x' }];
    expect(draftFaults(withTariff({ currency: 'EU', valid_from: '', prices }))).toEqual({
      '/tariffs/0/currency': 'Enter three letters, such as EUR.',
      '/tariffs/0/valid_from': expect.any(String),
      '/tariffs/0/prices/0/price': expect.any(String),
      '/tariffs/0/prices/1/price': 'Enter a number, such as 0.31.',
    });
    expect(draftFaults(DRAFT)).toEqual({});
  });

  test('has a field for each pointer that the hub can complain about, or for what it is part of', () => {
    const draft = { ...DRAFT, battery: [NO_BATTERY] };
    const pointers = [
      '/grid/import/0',
      '/grid/power/series',
      '/solar/0',
      '/battery/0',
      '/battery/0/power/series',
      '/consumers/1/within',
      '/tariffs/0/valid_from',
      '/tariffs/0/prices',
      '/tariffs/0/prices/1/from',
    ];
    const refusal = (pointer: string) =>
      new HubProblem(
        422,
        { errors: [{ pointer, code: 'INVALID_VALUE', message: hubText('is wrong'), reason: { id: 'x', with: {} } }] },
        null,
      );
    for (const pointer of pointers) {
      expect(fieldFaults(refusal(pointer), pointersOf(draft))).toEqual({ [pointer]: 'Is wrong.' });
    }
    const days = fieldFaults(refusal('/tariffs/0/prices/1/days/3'), pointersOf(draft));
    expect(days).toEqual({ '/tariffs/0/prices/1/days': 'Is wrong.' });
    expect(fieldFaults(refusal('/nowhere'), pointersOf(draft))).toHaveProperty('all');
  });

  test('knows each series that is chosen, so that none is chosen twice', () => {
    expect([...usedSeries(DRAFT)].toSorted()).toEqual(
      [
        'board/energy',
        'box/battery',
        'box/energy',
        'meter/energy',
        'meter/power',
        'oven/energy',
        'roof/power',
      ].toSorted(),
    );
  });

  test('begins a tariff for what has none, under a name that is free', () => {
    expect(newTariff([], 2026)).toMatchObject({ id: 'import', for: 'import', currency: '', valid_from: '2026-01-01' });
    expect(newTariff(DRAFT.tariffs, 2027)).toMatchObject({ id: 'export', for: 'export', currency: 'EUR' });
    const all = ['import', 'export', 'gas', 'water'].flatMap((flow) =>
      DRAFT.tariffs.map((tariff) => ({ ...tariff, id: flow, for: flow as 'gas' })),
    );
    expect(newTariff(all, 2026)).toMatchObject({ id: 'import-2', for: 'import' });
  });

  test('keeps those within a consumer there when its meter changes, and takes them out when it goes', () => {
    expect(withChangedConsumer(SETTINGS.consumers, 0, consumer('new/energy'))).toEqual([
      consumer('new/energy'),
      consumer('oven/energy', 'new/energy'),
    ]);
    expect(withoutConsumer(SETTINGS.consumers, 0)).toEqual([consumer('oven/energy')]);
  });
});
