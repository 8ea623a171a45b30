import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { Detail } from '#core/past/history/history-query.ts';
import type { NewSample } from '#core/past/history/history-store.ts';
import type { SampleValue, SeriesKind } from '#core/past/history/sample.ts';
import { readTieredHistory } from '#core/past/hour/hour-query.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { DAY_MS, openHoursHome } from './hours-home.ts';

const ZONE = createTimeZone('Europe/Berlin');
/** The clocks change within. */
const START_MS = Date.parse('2026-10-20T00:00:00Z');
const DAYS = 12;
const KINDS: readonly SeriesKind[] = ['gauge', 'counter', 'state', 'event'];
/** What sums, squares and differences do not hold. */
const HUGE: readonly SampleValue[] = [1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 2 ** 53, -0, 21.4];
/** What a feature reports that became another one, and another one again. */
const CHANGED: readonly SampleValue[] = [21.4, 'on', true, '', '1e999', 7, false, 'NaN'];

function samplesOf(seed: number, values: readonly SampleValue[]): NewSample[] {
  const dice = createDice(seed);
  return KINDS.flatMap((series) =>
    Array.from({ length: 600 }, (_, index): NewSample => {
      const value = values[Math.floor(dice() * values.length)] ?? 0;
      const atMs = START_MS + Math.floor(((index + dice()) * DAYS * DAY_MS) / 600);
      return { series, atMs, value: dice() < 0.03 ? { gap: 'offline' } : value };
    }),
  );
}

/** Times are kept in tenths of a second. */
const tickOf = (atMs: number): number => Math.floor(atMs / 100) * 100;

/** Every number in it, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (value instanceof Map) return [...value.values()].flatMap(numbersIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

type Spread = { readonly min: number | null; readonly mean?: number | null; readonly max: number | null };

function isInOrder({ min, mean, max }: Spread): boolean {
  if (min === null || max === null) return min === max && (mean ?? null) === null;
  return min <= max && (mean === undefined || mean === null || (min <= mean && mean <= max));
}

const RAW: Detail = { type: 'raw', afterMs: null, limit: 10_000 };
const DETAILS: readonly Detail[] = [
  RAW,
  { type: 'points', points: 10, zone: ZONE },
  { type: 'points', points: 500, zone: ZONE },
  ...(['5m', '1h', '1d', '1mo'] as const).map((bucket) => ({ type: 'buckets', bucket, zone: ZONE }) as const),
];

describe.each([
  ['numbers that sums do not hold', HUGE],
  ['values of other types than before', CHANGED],
] as const)('%s', (_name, values) => {
  test.each(KINDS)('in a %s become no number that is none, from samples and from hours', async (kind) => {
    const home = openHoursHome();
    home.storage().history.describeSeries(KINDS.map((name) => ({ name, kind: name, unit: 'kWh' })));
    const samples = samplesOf(KINDS.indexOf(kind), values);
    home.add(samples);
    const read = (detail: Detail) =>
      readTieredHistory(home.storage(), {
        series: kind,
        kind,
        unit: 'kWh',
        fromMs: START_MS - DAY_MS,
        toMs: START_MS + DAYS * DAY_MS,
        detail,
      });
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) {
        await home.seal();
        await home.rollUpAt(START_MS + (DAYS + 1) * DAY_MS);
        await home.reopen();
      }
      for (const detail of DETAILS) {
        const { rows, summary, gaps } = await read(detail);
        expect(numbersIn([rows, summary, gaps]).filter((number) => !Number.isFinite(number))).toEqual([]);
        expect(isInOrder(summary)).toBe(true);
        const spreads: readonly Spread[] = rows.type === 'gauge' ? rows.buckets : [];
        expect(spreads.filter((bucket) => !isInOrder(bucket))).toEqual([]);
      }
      const { rows } = await read(RAW);
      const wanted = samples.filter((one) => one.series === kind && typeof one.value !== 'object');
      expect(rows).toEqual({
        type: 'values',
        points: wanted.map(({ atMs, value }) => ({ atMs: tickOf(atMs), value })),
      });
    }
  });
});
