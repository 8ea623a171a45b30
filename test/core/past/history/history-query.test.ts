import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { type Detail, readHistory, type SeriesQuery } from '#core/past/history/history-query.ts';
import { isGap, type Sample } from '#core/past/history/sample.ts';
import { createHistory } from './sampled-history.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONE = createTimeZone('Europe/Berlin');
const START_MS = Date.parse('2026-03-27T00:00:00Z');

const series = fc
  .array(
    fc.tuple(
      fc.nat((5 * DAY_MS) / 60_000 - 1),
      fc.oneof({ weight: 6, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.constant(null) }),
    ),
    { maxLength: 60 },
  )
  .map((rows) =>
    rows
      .toSorted(([left], [right]) => left - right)
      .map(([minute, value]): Sample => ({
        atMs: START_MS + minute * 60_000,
        value: value ?? { gap: 'offline' },
      })),
  );
const edge = fc.nat(5 * 24).map((hour) => START_MS + hour * HOUR_MS);

function query(details: Pick<SeriesQuery, 'fromMs' | 'toMs'> & { detail: Detail; kind?: SeriesQuery['kind'] }) {
  return { series: 'a/b', kind: 'gauge', unit: 'kWh', ...details } satisfies SeriesQuery;
}

describe('a query of a series', () => {
  test('gives raw samples in parts that add up to all of them', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.integer({ min: 1, max: 10 }), async (samples, limit) => {
        const range = { fromMs: START_MS, toMs: START_MS + 5 * DAY_MS };
        const points = [];
        let gapMs = 0;
        for (let afterMs: number | null = null, parts = 0; parts === 0 || afterMs !== null; parts += 1) {
          expect(parts).toBeLessThan(100);
          const part = await readHistory(
            createHistory(samples),
            query({ ...range, detail: { type: 'raw', afterMs, limit } }),
          );
          points.push(...(part.rows.type === 'values' ? part.rows.points : []));
          gapMs += part.gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
          afterMs = part.nextMs;
        }
        expect(points).toEqual(samples.filter(({ value }) => !isGap(value)));
        const ends = [...samples.slice(1).map(({ atMs }) => atMs), range.toMs];
        const gaps = samples.map(({ atMs, value }, index) => (isGap(value) ? (ends[index] ?? 0) - atMs : 0));
        expect(gapMs).toBe(gaps.reduce((sum, ms) => sum + ms, 0));
      }),
      searchOf(2000),
    );
  });

  test('says which value held before the range, and nothing if none was known', async () => {
    const samples: Sample[] = [
      { atMs: START_MS, value: 7 },
      { atMs: START_MS + HOUR_MS, value: { gap: 'stale' } },
    ];
    const beforeOf = async (fromMs: number) =>
      (
        await readHistory(
          createHistory(samples),
          query({ fromMs, toMs: fromMs + 1, detail: { type: 'points', points: 10, zone: ZONE } }),
        )
      ).before;
    expect(await beforeOf(START_MS)).toBeNull();
    expect(await beforeOf(START_MS + 1)).toEqual({ atMs: START_MS, value: 7 });
    expect(await beforeOf(START_MS + DAY_MS)).toBeNull();
  });

  test('what a counter counted in any two parts of a range adds up to the whole', async () => {
    const counted = async (samples: readonly Sample[], fromMs: number, toMs: number): Promise<number[]> => {
      const detail: Detail = { type: 'buckets', bucket: '1h', zone: ZONE };
      const { rows } = await readHistory(createHistory(samples), query({ fromMs, toMs, kind: 'counter', detail }));
      if (rows.type !== 'counter') throw new Error('not a counter');
      const sum = (key: 'increase' | 'inGap' | 'resets'): number =>
        rows.buckets.reduce((all, one) => all + one[key], 0);
      return [sum('increase'), sum('inGap'), sum('resets')];
    };
    await fc.assert(
      fc.asyncProperty(series, fc.tuple(edge, edge, edge), async (samples, edges) => {
        const [first = 0, middle = 0, last = 0] = edges.toSorted((left, right) => left - right);
        fc.pre(first < middle && middle < last);
        const parts = [await counted(samples, first, middle), await counted(samples, middle, last)];
        const whole = await counted(samples, first, last);
        // Where the count from before a restart returns, the increase takes back what was counted since, in gaps too. A range
        // may begin in between: only from the first sample on is the sum never negative.
        const [increase = 0, inGap = 0] = await counted(samples, START_MS, last);
        expect([increase + inGap, ...whole.slice(1)].every((amount) => amount >= 0)).toBe(true);
        expect(parts.reduce((one, other) => one.map((amount, index) => amount + (other[index] ?? 0)))).toEqual(whole);
      }),
      searchOf(2000),
    );
  });

  test('what a counter counted while its device was off for days is in the gap, in the whole and in parts', async () => {
    const off: readonly Sample[] = [
      { atMs: START_MS, value: 100 },
      { atMs: START_MS + HOUR_MS, value: { gap: 'offline' } },
      { atMs: START_MS + 3 * HOUR_MS, value: 'no reading' },
      // Each start of the hub says once more that the device is off.
      { atMs: START_MS + DAY_MS, value: { gap: 'hub_off' } },
      { atMs: START_MS + 5 * DAY_MS, value: 150 },
      { atMs: START_MS + 5 * DAY_MS + HOUR_MS, value: 151 },
    ];
    const detail: Detail = { type: 'buckets', bucket: '1d', zone: ZONE };
    for (const fromMs of [START_MS, START_MS + 4 * DAY_MS]) {
      const range = { fromMs, toMs: START_MS + 6 * DAY_MS };
      const { rows } = await readHistory(createHistory(off), query({ ...range, kind: 'counter', detail }));
      if (rows.type !== 'counter') throw new Error('not a counter');
      const counted = rows.buckets.filter(({ increase, inGap }) => increase + inGap > 0);
      expect(counted).toMatchObject([{ increase: 1, inGap: 50 }]);
    }
  });

  const spike: readonly Sample[] = [
    { atMs: START_MS, value: 100 },
    { atMs: START_MS + 60_000, value: 9_000 },
    { atMs: START_MS + 120_000, value: 100.2 },
    { atMs: START_MS + HOUR_MS, value: 101 },
  ];
  test.each([
    ['kWh', 1],
    ['m3', 1],
    // Nothing is known of what is possible, and a cloudburst is real. What follows is a restart.
    ['mm', 9_001],
    [null, 9_001],
  ])('in %s, a counter that once read far too much has counted %d', async (unit, increase) => {
    const detail: Detail = { type: 'buckets', bucket: '1d', zone: ZONE };
    const range = { fromMs: START_MS, toMs: START_MS + DAY_MS };
    const { rows } = await readHistory(createHistory(spike), {
      ...query({ ...range, kind: 'counter', detail }),
      unit,
    });
    if (rows.type !== 'counter') throw new Error('not a counter');
    expect(rows.buckets.reduce((sum, one) => sum + one.increase, 0)).toBeCloseTo(increase);
  });
});
