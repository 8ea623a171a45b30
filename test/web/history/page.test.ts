import { describe, expect, test } from 'vitest';
import { addressOf, moved, readAddress, spanInAddress, withSpan } from '#web/history/page/history-address.ts';
import { bucketsOf, partsOf, sharedGaps, stretchAt, topOf } from '#web/history/stretches.ts';
import { createMoments, spanOf } from '#web/history/time-axis.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const HOUR_MS = 3_600_000;
const berlin = createMoments('Europe/Berlin', 'en-GB');
const isoOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [
  new Date(fromMs).toISOString(),
  new Date(toMs).toISOString(),
];

describe('the address of the history', () => {
  test('says all that the page shows, and is read as it was written', () => {
    const asked = {
      series: ['bedroom-climate/temperature', 'plug/power.2'],
      from: '2026-11-20T10:00:00.000Z',
      to: '2026-11-21T10:00:00.000Z',
      view: 'table',
    } as const;
    const address = addressOf(asked);
    expect(address).toBe(
      '/history?f=bedroom-climate/temperature,plug/power.2&from=2026-11-20T10:00:00.000Z&to=2026-11-21T10:00:00.000Z&view=table',
    );
    expect(readAddress(address.slice('/history?'.length))).toEqual(asked);
  });

  test.each([
    ['', [], '-24h', null],
    ['f=a/b,a/b,,/,c/,d&from=yesterday', ['a/b'], '-24h', null],
    ['f=a/b&from=-7d&to=never', ['a/b'], '-24h', null],
    ['f=a/b&from=2026-11-21T10:00:00Z&to=2026-11-20T10:00:00Z', ['a/b'], '-24h', null],
    ['f=a/b&from=-0d', ['a/b'], '-24h', null],
    [`f=${Array.from({ length: 99 }, (_, index) => `a/${index}`).join(',')}&from=-30d`, null, '-30d', null],
    ['f=%E0%A4%A&from=-7d', [], '-7d', null],
  ])('of whatever anybody wrote as %j is a page', (query, ...[series, from, to]) => {
    const asked = readAddress(query);
    expect([asked.from, asked.to]).toEqual([from, to]);
    expect(series === null ? asked.series.length : asked.series).toEqual(series ?? 8);
  });

  test('knows which choice is pressed', () => {
    expect(['-6h', '-9h', '-24h', '-7d', '-30d', '-365d'].map((from) => spanInAddress({ from, to: null }))).toEqual([
      'hours',
      'night',
      'day',
      'week',
      'month',
      'year',
    ]);
    // The days on which the clocks change have 23 and 25 hours.
    const lengths = [23, 25, 10, 28 * 24, 31 * 24].map((hours) => spanOf({ fromMs: 0, toMs: hours * HOUR_MS }));
    expect(lengths).toEqual(['day', 'day', 'night', 'month', 'month']);
  });
});

describe('the ways to other times', () => {
  const day = readAddress('f=a/b&from=-24h');
  const way = (asked: typeof day, step: -1 | 1) => {
    const range =
      asked.to === null
        ? { fromMs: NOW_MS - 24 * HOUR_MS, toMs: NOW_MS }
        : { fromMs: Date.parse(asked.from), toMs: Date.parse(asked.to) };
    return moved(asked, { range, nightBefore: berlin.nightBefore, step, nowMs: NOW_MS });
  };

  test('lead back by the length of the range, and forth to the present, with which they go on', () => {
    expect(way(day, 1)).toBeNull();
    const before = way(day, -1);
    expect(before).toEqual({ ...day, from: '2026-11-20T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' });
    expect(before && way(before, 1)).toEqual(day);
    const earlier = before && way(before, -1);
    expect(earlier && way(earlier, 1)).toEqual(before);
  });

  test('lead from night to night, also where the clocks change', () => {
    const nights: string[] = [];
    let asked = withSpan(day, 'night', berlin.nightBefore(Date.parse('2026-10-26T12:00:00Z')));
    for (let step = 0; step < 3; step += 1) {
      nights.push(`${asked.from.slice(5, 16)} ${asked.to?.slice(5, 16) ?? ''}`);
      asked = way(asked, -1) ?? asked;
    }
    expect(nights).toEqual(['10-25T21:00 10-26T06:00', '10-24T20:00 10-25T06:00', '10-23T20:00 10-24T05:00']);
    const forth: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      asked = way(asked, 1) ?? asked;
      forth.push(asked.from.slice(5, 16));
    }
    expect(forth).toEqual(['10-23T20:00', '10-24T20:00', '10-25T21:00']);
  });

  test('begin with the night that is over, or that it is now', () => {
    expect(isoOf(berlin.nightBefore(Date.parse('2026-11-22T20:59:00Z')))).toEqual([
      '2026-11-21T21:00:00.000Z',
      '2026-11-22T06:00:00.000Z',
    ]);
    expect(isoOf(berlin.nightBefore(Date.parse('2026-11-22T23:30:00Z')))[0]).toBe('2026-11-22T21:00:00.000Z');
  });
});

test('a year is marked at beginnings of months, and ten years at no more of them', () => {
  const labelsOf = (years: number) =>
    berlin.marks({ fromMs: NOW_MS - years * 365 * 24 * HOUR_MS, toMs: NOW_MS }, 'year').map(({ label }) => label);
  expect(labelsOf(1)).toEqual(['Dec', 'Feb', 'Apr', 'Jun', 'Aug', 'Oct']);
  expect(labelsOf(10).length).toBeLessThanOrEqual(6);
});

describe('several lines in one figure', () => {
  const one = [
    { fromMs: 0, toMs: 10, value: 1 },
    { fromMs: 10, toMs: 20, gap: 'offline' as const },
    { fromMs: 20, toMs: 40, value: 2 },
  ];
  const other = [
    { fromMs: 5, toMs: 15, value: 7 },
    { fromMs: 15, toMs: 30, gap: 'hub_off' as const },
  ];
  test('have parts in which none of them changes', () => {
    const parts = partsOf([one, other], { fromMs: 0, toMs: 40 });
    expect(parts.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [0, 5],
      [5, 10],
      [10, 15],
      [15, 20],
      [20, 40],
    ]);
    expect(stretchAt(one, 20)).toEqual({ fromMs: 20, toMs: 40, value: 2 });
    expect([stretchAt(other, 4), stretchAt(other, 30)]).toEqual([undefined, undefined]);
  });
  test('are hatched where nothing is known of any', () => {
    expect(sharedGaps([one])).toEqual([one[1]]);
    expect(sharedGaps([one, other])).toEqual([{ fromMs: 15, toMs: 20 }]);
    expect(sharedGaps([one, other, []])).toEqual([]);
    expect(sharedGaps([])).toEqual([]);
  });
});

describe('what a counter counted', () => {
  test('is in the parts of the range, with what came at an unknown time apart', () => {
    const rows = [
      [0, 1.5, 0, 0, 10],
      [20, null, null, null, 0],
      [40, 0.5, 2, 0, 10],
    ];
    expect(bucketsOf({ rows }, { fromMs: 10, toMs: 50 })).toEqual([
      { fromMs: 10, toMs: 20, increase: 1.5, inGap: 0 },
      { fromMs: 20, toMs: 40, increase: null, inGap: 0 },
      { fromMs: 40, toMs: 50, increase: 0.5, inGap: 2 },
    ]);
  });
  test.each([
    [0, 1],
    [0.083, 0.1],
    [0.3, 0.3],
    [1.2, 1.5],
    [7, 8],
    [43.1, 50],
    [101, 150],
    [9.99, 10],
  ])('up to %d has an axis up to %d', (greatest, top) => expect(topOf(greatest)).toBe(top));
});
