import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { type Count, createCounterReader } from '#core/past/history/counter/counter.ts';
import { createDailyCounterReader } from '#core/past/history/counter/daily-counter.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const MINUTE_MS = 60_000;
type Row = readonly [minute: number, value: number | 'gap'];

function countsOf(rows: readonly Row[], maxPerHour?: number): readonly Count[] {
  const reader = createCounterReader(maxPerHour === undefined ? {} : { maxPerHour });
  const samples = rows.map(([minute, value]): Sample => ({
    atMs: minute * MINUTE_MS,
    value: value === 'gap' ? { gap: 'offline' } : value,
  }));
  return samples.map((sample) => reader.read(sample)).filter((count) => count !== undefined);
}

function totalsOf(counts: readonly Count[]): { increase: number; inGap: number; resets: number } {
  const sum = (key: 'increase' | 'inGap' | 'resets'): number => counts.reduce((total, one) => total + one[key], 0);
  return { increase: sum('increase'), inGap: sum('inGap'), resets: sum('resets') };
}

describe('a counter', () => {
  test.each<[string, readonly Row[], ReturnType<typeof totalsOf>]>([
    [
      'counts its rises',
      [
        [0, 100],
        [5, 101],
        [9, 103],
      ],
      { increase: 3, inGap: 0, resets: 0 },
    ],
    ['counts nothing at its first reading', [[0, 100]], { increase: 0, inGap: 0, resets: 0 }],
    [
      'restarts from 0',
      [
        [0, 100],
        [5, 0],
        [10, 0.4],
        [15, 0.5],
      ],
      { increase: 0.5, inGap: 0, resets: 1 },
    ],
    [
      'takes a zero that soon ends for a fault',
      [
        [0, 100],
        [5, 0],
        [9, 101],
      ],
      { increase: 1, inGap: 0, resets: 0 },
    ],
    [
      'ignores noise',
      [
        [0, 100],
        [5, 99],
        [6, 99.5],
        [9, 101],
      ],
      { increase: 1, inGap: 0, resets: 0 },
    ],
    [
      'keeps a rise across a gap apart',
      [
        [0, 100],
        [5, 'gap'],
        [9, 101],
        [10, 103],
      ],
      { increase: 2, inGap: 1, resets: 0 },
    ],
    [
      'that restarted in a gap counts there',
      [
        [0, 100],
        [5, 'gap'],
        [9, 0.5],
        [19, 0.6],
      ],
      { increase: 0, inGap: 0.6, resets: 1 },
    ],
  ])('%s', (_, rows, totals) => {
    expect(totalsOf(countsOf(rows))).toEqual(totals);
  });

  test.each<[string, readonly Row[], number]>([
    [
      'that showed 0 for an hour and has its count again',
      [
        [0, 12_000],
        [5, 0],
        [20, 0],
        [65, 12_000.4],
        [66, 12_000.5],
      ],
      0.5,
    ],
    [
      'that counted from 0 for a while and has its count again',
      [
        [0, 12_000],
        [5, 0],
        [20, 0.1],
        [40, 0.2],
        [65, 12_000.4],
        [66, 12_000.5],
      ],
      0.5,
    ],
    [
      'that comes back with a little less than it had',
      [
        [0, 12_000],
        [5, 0],
        [65, 11_999.5],
        [70, 11_999.8],
        [80, 12_000.5],
      ],
      0.5,
    ],
    [
      'that comes back with less after it was counted from 0',
      [
        [0, 12_000],
        [5, 0],
        [20, 0.2],
        [65, 11_999.5],
        [70, 12_000.1],
        [80, 12_000.5],
      ],
      0.5,
    ],
    [
      'of little use that has its count again',
      [
        [0, 5],
        [5, 0],
        [20, 0],
        [65, 5.02],
      ],
      0.02,
    ],
    [
      'that was replaced by a new one',
      [
        [0, 12_000],
        [5, 0],
        [20, 0.2],
        [65, 0.5],
        [600, 3],
      ],
      3,
    ],
    [
      'that counts each day anew',
      [
        [0, 8],
        [5, 0],
        [400, 0],
        [500, 3],
        [600, 7.9],
        [610, 8.05],
        [700, 9],
      ],
      9,
    ],
    [
      'of the day that is read seldom',
      [
        [0, 24.3],
        [420, 1.2],
        [840, 3.4],
        [1080, 15],
        [1440, 22.1],
      ],
      22.1,
    ],
    [
      'of little use that dips for hours',
      [
        [0, 0.74],
        [60, 0.73],
        [100, 0.72],
        [180, 0.71],
        [360, 0.74],
        [420, 0.76],
      ],
      0.02,
    ],
    [
      'that fell by an eighth for a while and has its count again',
      [
        [0, 0.5],
        [60, 0.51],
        [120, 0.44],
        [180, 0.45],
        [240, 0.52],
      ],
      0.02,
    ],
    [
      'that lost half of its count for twenty minutes',
      [
        [0, 100],
        [5, 60],
        [20, 61],
        [40, 100.5],
      ],
      0.5,
    ],
    [
      'that has its count again after twelve hours, and was used meanwhile',
      [
        [0, 0.7],
        [60, 0.74],
        [120, 0.2],
        [180, 0.24],
        [700, 0.3],
        [720, 0.86],
      ],
      0.16,
    ],
    [
      'that is charged with the same amount each evening',
      [
        [0, 0],
        [60, 7.8],
        [1440, 0],
        [1500, 3.9],
        [1560, 7.85],
        [2880, 0],
        [2940, 3.8],
        [3000, 7.8],
      ],
      7.8 + 7.85 + 7.8,
    ],
    [
      'that says twice another unit',
      [
        [0, 123],
        [1, 123_001],
        [2, 123_002],
        [3, 123.1],
        [10, 123.2],
      ],
      0.2,
    ],
    [
      'of another unit for half an hour',
      [
        [0, 123],
        [1, 0.123],
        [12, 0.1231],
        [30, 0.1232],
        [31, 123.3],
      ],
      0.3,
    ],
    [
      'of another meter',
      [
        [0, 5000],
        [5, 2000],
        [1445, 2010],
        [1450, 2012],
      ],
      12,
    ],
    [
      'that was replaced by one that was used before',
      [
        [0, 12_000],
        [5, 100],
        [20, 100],
        [1460, 100.5],
        [1500, 101],
      ],
      1,
    ],
  ])('%s counts what was used', (_, rows, total) => {
    const { increase, inGap } = totalsOf(countsOf(rows, 30));
    expect(increase + inGap).toBeCloseTo(total);
  });

  test('that shows 0 for days has its count again, whichever day is read', () => {
    const reader = createDailyCounterReader({ maxPerHour: 30 });
    const day = 24 * 60;
    const rows: readonly Row[] = [
      [0, 12_000],
      [5, 0],
      [day, 0],
      [5 * day, 0],
      [8 * day, 12_000.4],
      [8 * day + 1, 12_000.5],
    ];
    const counts = rows.flatMap(([minute, value]) =>
      typeof value === 'number' ? (reader.read({ atMs: minute * MINUTE_MS, value }) ?? []) : [],
    );
    expect(totalsOf(counts).increase).toBeCloseTo(0.5);
  });

  test('counts an impossible rise only once a second reading confirms it', () => {
    const maxPerHour = 30;
    expect(
      countsOf(
        [
          [0, 100],
          [1, 900],
        ],
        maxPerHour,
      ),
    ).toEqual([]);
    expect(
      totalsOf(
        countsOf(
          [
            [0, 100],
            [1, 900],
            [2, 100.1],
          ],
          maxPerHour,
        ),
      ).increase,
    ).toBeCloseTo(0.1);
    expect(
      countsOf(
        [
          [0, 100],
          [1, 900],
          [2, 900.1],
        ],
        maxPerHour,
      ),
    ).toMatchObject([{ atMs: 2 * MINUTE_MS, increase: 800.1, inGap: 0, resets: 0 }]);
  });

  test('that only rises counts exactly what lies between its first and last reading', () => {
    const rises = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.nat(1000)), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(rises, (steps) => {
        let minute = 0;
        let value = 0;
        const rows = steps.map(([later, more]): Row => [(minute += later), (value += more)]);
        expect(totalsOf(countsOf(rows))).toEqual({ increase: value - (steps[0]?.[1] ?? 0), inGap: 0, resets: 0 });
      }),
      searchOf(5000),
    );
  });

  test('never takes back more than it counted, and counts no more than was read', () => {
    const value = fc.oneof(fc.constant('gap' as const), fc.double({ noNaN: true, min: -10, max: 1e6 }), fc.constant(0));
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), value), { maxLength: 100 });
    fc.assert(
      fc.property(rows, fc.constantFrom(undefined, 30), (steps, most) => {
        let minute = 0;
        const counts = countsOf(
          steps.map(([later, read]): Row => [(minute += later), read]),
          most,
        );
        let total = 0;
        for (const { increase, inGap, resets } of counts) {
          total += increase + inGap;
          expect(total).toBeGreaterThan(-1e-6);
          expect(inGap >= 0 && resets >= 0).toBe(true);
        }
        const greatest = Math.max(0, ...steps.map(([, read]) => (read === 'gap' ? 0 : read)));
        // Between two restarts a counter can count no more than its greatest reading.
        const meters = totalsOf(counts).resets + 1 + steps.length / 2;
        expect(total).toBeLessThanOrEqual(greatest * meters);
      }),
      searchOf(5000),
    );
  });
});
