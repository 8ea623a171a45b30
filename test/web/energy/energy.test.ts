import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EnergyAmount } from '#web/client/api.ts';
import { axisMarks, chartsOf, isUnknown, stepOf } from '#web/energy/energy-bars.ts';
import { consumerRows, greatestUse } from '#web/energy/energy-consumers.ts';
import {
  createPartNames,
  energyAddress,
  energyPath,
  periodWords,
  readEnergyAddress,
  steppedDate,
} from '#web/energy/energy-period.ts';
import { amountWords, moneyWords, powerWords, shareWords } from '#web/strings/amount-words.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { amount, balance, dayAnswer, LONG_DAY, SHORT_DAY } from './energy-answers.ts';

const DAY = { date: '2026-11-22', fromMs: Date.parse('2026-11-21T23:00Z'), hours: 24 };
const heightOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, one) => sum + one.amount, 0);

describe('the bars', () => {
  test('stand above the line with what the home gets, and hang below it with what leaves', () => {
    const [chart] = chartsOf(
      dayAnswer(DAY, [balance({ import: amount(0.4), solar: amount(1), export: amount(0.3), charge: amount(0.2) })], {
        flows: ['import', 'export', 'solar', 'charge'],
      }),
    );
    expect(chart).toMatchObject({ kind: 'flows', unit: 'kWh', top: 1.5, bottom: -0.5, step: 0.5 });
    expect(chart?.columns[0]).toMatchObject({
      up: [
        { name: 'solar', amount: 1 },
        { name: 'import', amount: 0.4 },
      ],
      down: [
        { name: 'export', amount: 0.3 },
        { name: 'charge', amount: 0.2 },
      ],
    });
    expect(chart?.parts).toEqual(['solar', 'import', 'export', 'charge']);
  });

  test('keep what was counted in gaps apart, as the last part of its side', () => {
    const bucket = balance({ import: amount(0.1, { in_gap: 5 }), solar: amount(0, { in_gap: 2 }) });
    const [chart] = chartsOf(dayAnswer(DAY, [bucket], { flows: ['import', 'solar'] }));
    expect(chart?.columns[0]?.up).toEqual([
      { name: 'import', amount: 0.1 },
      { name: 'gap', amount: 7 },
    ]);
  });

  test('show an unknown hour as unknown, not as one in which nothing was used', () => {
    const hours = [balance({ import: amount(0) }), balance({ known: 0 })];
    const [chart] = chartsOf(dayAnswer(DAY, hours, { flows: ['import'] }));
    expect(chart?.columns.map(isUnknown)).toEqual([false, true]);
  });

  test('are known as far as the flow of which least is known', () => {
    const hours = [balance({ import: amount(1), solar: amount(1, { known: 0.5 }) }), balance({ import: amount(1) })];
    const [chart] = chartsOf(dayAnswer(DAY, hours, { flows: ['import', 'solar'] }));
    expect(chart?.columns.map(({ knownShare }) => knownShare)).toEqual([0.5, 0]);
  });

  test('are those of the outer consumers where no flow is measured', () => {
    const consumers = [
      { series: 'board/energy', name: null, within: null },
      { series: 'oven/energy', name: null, within: 'board/energy' },
      { series: 'plug/energy', name: null, within: null },
    ];
    const hours = [
      balance({ consumers: [amount(2), amount(1.5), amount(0.5, { estimated: true })] }),
      balance({ consumers: [amount(2), amount(1.5), null] }),
    ];
    const [chart] = chartsOf(dayAnswer(DAY, hours, { consumers }));
    expect(chart).toMatchObject({ kind: 'consumers', parts: ['consumers'] });
    expect(chart?.columns.map(({ up, knownShare, isEstimated }) => [heightOf(up), knownShare, isEstimated])).toEqual([
      [2.5, 1, true],
      [2, 0, false],
    ]);
  });

  test('of gas and water are charts of their own', () => {
    const hours = [balance({ import: amount(1), gas: amount(0.2), water: amount(0.1) })];
    const charts = chartsOf(dayAnswer(DAY, hours, { flows: ['import', 'gas', 'water'] }));
    expect(charts.map(({ kind, unit }) => `${kind} ${unit}`)).toEqual(['flows kWh', 'gas m3', 'water m3']);
  });

  test('fit between the ends of an axis with two to seven marks, one of them 0, and lose nothing', () => {
    const kwh = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 5_000, noNaN: true }));
    const one = fc.record({ amount: kwh, in_gap: kwh, known: fc.constant(1), estimated: fc.boolean() });
    const flow = fc.option(one, { nil: null });
    const hour = fc.record({ import: flow, export: flow, solar: flow, charge: flow, discharge: flow });
    const flows = ['import', 'export', 'solar', 'charge', 'discharge'] as const;
    fc.assert(
      fc.property(fc.array(hour, { minLength: 1, maxLength: 25 }), (hours) => {
        const [chart] = chartsOf(dayAnswer(DAY, hours.map(balance), { flows }));
        if (chart === undefined) throw new Error('there is no chart');
        const marks = axisMarks(chart);
        expect(marks).toContain(0);
        expect(marks.length).toBeGreaterThanOrEqual(2);
        expect(marks.length).toBeLessThanOrEqual(7);
        for (const [index, { up, down }] of chart.columns.entries()) {
          expect(heightOf(up)).toBeLessThanOrEqual(chart.top * (1 + 1e-9));
          expect(heightOf(down)).toBeLessThanOrEqual(-chart.bottom * (1 + 1e-9));
          const all = (one: EnergyAmount | null | undefined): number => (one?.amount ?? 0) + (one?.in_gap ?? 0);
          const given = hours[index];
          expect(heightOf(up)).toBeCloseTo(all(given?.import) + all(given?.solar) + all(given?.discharge), 6);
          expect(heightOf(down)).toBeCloseTo(all(given?.export) + all(given?.charge), 6);
        }
      }),
      searchOf(500),
    );
  });

  test.each([
    [0, 1],
    [1.7, 0.5],
    [4, 1],
    [30, 10],
    [0.004, 0.001],
    [4_321, 2_000],
  ])('of a height of %d have marks every %d', (height, step) => expect(stepOf(height)).toBe(step));
});

describe('the consumers', () => {
  const consumers = [
    { series: 'plug/energy', name: null, within: null },
    { series: 'oven/energy', name: 'Oven', within: 'board/energy' },
    { series: 'board/energy', name: 'Kitchen', within: null },
    { series: 'old/energy', name: null, within: null },
  ];
  const used = [amount(0.5), amount(1.5), amount(1.8, { in_gap: 0.2 }), null];
  const rows = consumerRows({ consumers, total: balance({ consumers: used }) });

  test('stand in the order of their use, each followed by those within it, the unknown ones last', () => {
    expect(rows.map(({ series, parent }) => [series, parent?.series ?? null])).toEqual([
      ['board/energy', null],
      ['oven/energy', 'board/energy'],
      ['plug/energy', null],
      ['old/energy', null],
    ]);
  });

  test('have bars in proportion to the greatest, which may be what none of them shows', () => {
    expect(greatestUse(rows, null)).toBe(2);
    expect(greatestUse(rows, 8)).toBe(8);
  });
});

describe('the times', () => {
  test.each([
    ['day', '2026-03-01', -1, '2026-02-28'],
    ['day', '2026-12-31', 1, '2027-01-01'],
    ['month', '2026-01-31', 1, '2026-02-01'],
    ['month', '2026-01-01', -1, '2025-12-01'],
    ['year', '2026-05-05', -1, '2025-01-01'],
  ] as const)('one %s from %s by %d is %s', (...row) => {
    const [period, date, by, expected] = row;
    expect(steppedDate(period, date, by)).toBe(expected);
  });

  test('are asked for as the API takes them', () => {
    expect(energyPath({ name: 'day', date: null })).toBe('/energy?period=day');
    expect(energyPath({ name: 'month', date: '2026-11-22' })).toBe('/energy?period=month&date=2026-11');
    expect(energyPath({ name: 'year', date: '2026-11-22' })).toBe('/energy?period=year&date=2026');
  });

  test('have names', () => {
    expect(periodWords('day', '2026-11-22', 'en-GB')).toMatch(/^Sun,? 22 Nov 2026$/);
    expect(periodWords('month', '2026-11-01', 'en-GB')).toBe('November 2026');
    expect(periodWords('year', '2026-01-01', 'en-GB')).toBe('2026');
  });

  const hoursOf = (day: typeof LONG_DAY) => {
    const answer = dayAnswer(
      day,
      Array.from({ length: day.hours }, () => balance()),
    );
    const names = createPartNames(answer, 'en-GB');
    return {
      words: answer.buckets.map(names.words),
      labels: answer.buckets.flatMap(({ at }) => names.label(at) ?? []),
      dates: new Set(answer.buckets.map(({ at }) => names.dateOf(at))),
    };
  };

  test('name 24 hours of a usual day without their zone', () => {
    const { words, labels, dates } = hoursOf(DAY);
    expect(new Set(words).size).toBe(24);
    expect(words.slice(0, 2)).toEqual(['00:00 – 01:00', '01:00 – 02:00']);
    expect(labels).toEqual(['00:00', '06:00', '12:00', '18:00']);
    expect([...dates]).toEqual(['2026-11-22']);
  });

  test('name 25 hours of the day on which the clocks go back, no two alike', () => {
    const { words, labels, dates } = hoursOf(LONG_DAY);
    expect(new Set(words).size).toBe(25);
    expect(words.slice(2, 4)).toEqual(['02:00 CEST – 02:00 CET', '02:00 CET – 03:00 CET']);
    expect([labels, [...dates]]).toEqual([['00:00', '06:00', '12:00', '18:00'], ['2025-10-26']]);
  });

  test('name 23 hours of the day on which they go forward', () => {
    const { words, dates } = hoursOf(SHORT_DAY);
    expect(words).toHaveLength(23);
    expect(words.slice(1, 3)).toEqual(['01:00 CET – 03:00 CEST', '03:00 CEST – 04:00 CEST']);
    expect([...dates]).toEqual(['2026-03-29']);
  });
});

describe('the words of amounts', () => {
  test.each([
    [0, '0 kWh'],
    [0.0124, '0.012 kWh'],
    [1.239, '1.24 kWh'],
    [12.39, '12.4 kWh'],
    [1204.4, '1,204 kWh'],
  ])('%d kWh is %s', (kwh, words) => expect(amountWords(kwh, 'kWh')).toBe(words.replace(' ', '\u00a0')));

  test('say kilowatts from 1000 W on', () => {
    expect([powerWords(84.6), powerWords(1_234)]).toEqual(['85\u00a0W', '1.23\u00a0kW']);
  });

  test('write money as its currency is written', () => {
    expect([moneyWords(1.5, 'EUR'), moneyWords(150, 'JPY'), moneyWords(-2, 'XXX')]).toEqual([
      '€1.50',
      '¥150',
      '-¤2.00',
    ]);
  });

  test.each([
    [1, '100%'],
    [0.9999, '99%'],
    [0.0001, '1%'],
    [0, '0%'],
  ])('a share of %d is %s', (share, words) => expect(shareWords(share)).toBe(words));
});

describe('the address of the page', () => {
  test('says which time is shown, and is read back', () => {
    for (const [period, address] of [
      [{ name: 'day', date: null }, '/history/energy'],
      [{ name: 'day', date: '2026-02-28' }, '/history/energy?period=day&date=2026-02-28'],
      [{ name: 'month', date: '2026-02-01' }, '/history/energy?period=month&date=2026-02'],
      [{ name: 'year', date: '2025-01-01' }, '/history/energy?period=year&date=2025'],
      [{ name: 'month', date: null }, '/history/energy?period=month'],
    ] as const) {
      expect(energyAddress(period)).toBe(address);
      expect(readEnergyAddress(address.split('?')[1] ?? '')).toEqual(period);
    }
  });

  test('is the present where it cannot be read', () => {
    const day = { name: 'day', date: null };
    for (const query of ['period=week', 'date=2026-02-30', 'date=2026-02', 'date=yesterday', 'period=day&date=', 'x'])
      expect(readEnergyAddress(query)).toEqual(day);
    expect(readEnergyAddress('period=month&date=2026-13')).toEqual({ name: 'month', date: null });
  });
});
