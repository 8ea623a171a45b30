import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createHourReader } from '#core/past/hour/hour-reader.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory, createNoHours } from '#test/core/past/history/sampled-history.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-11-22T00:00:00Z');

function readerOf(samples: readonly Sample[], zone = 'Europe/Berlin') {
  return createHourReader({
    history: createHistory(samples),
    hours: createNoHours(),
    timeZone: () => createTimeZone(zone),
  });
}

describe('the hours of a series', () => {
  test('of a measured value say what it was, and leave out the hours in which nothing was known', async () => {
    const samples: Sample[] = [
      { atMs: START_MS, value: 20 },
      { atMs: START_MS + HOUR_MS / 4, value: 24 },
      { atMs: START_MS + HOUR_MS, value: { gap: 'offline' } },
      { atMs: START_MS + 2.5 * HOUR_MS, value: 22 },
    ];
    const hours = await readerOf(samples).readHours(
      { name: 'a/temperature', kind: 'gauge', unit: null },
      { fromMs: START_MS + 1, toMs: START_MS + 2.75 * HOUR_MS },
    );
    expect(hours).toEqual([
      {
        kind: 'gauge',
        fromMs: START_MS,
        toMs: START_MS + HOUR_MS,
        knownMs: HOUR_MS,
        samples: 2,
        min: 20,
        max: 24,
        mean: 23,
        first: 20,
        last: 24,
      },
      {
        kind: 'gauge',
        fromMs: START_MS + 2 * HOUR_MS,
        toMs: START_MS + 2.75 * HOUR_MS,
        knownMs: HOUR_MS / 4,
        samples: 1,
        min: 22,
        max: 22,
        mean: 22,
        first: 22,
        last: 22,
      },
    ]);
  });

  test('of a counter say what it counted in the hour, and apart from it what it counted in a gap', async () => {
    const samples: Sample[] = [
      { atMs: START_MS - 3 * HOUR_MS, value: 100 },
      { atMs: START_MS + HOUR_MS / 2, value: 101 },
      { atMs: START_MS + HOUR_MS, value: { gap: 'offline' } },
      { atMs: START_MS + 2 * HOUR_MS, value: 104 },
    ];
    const hours = await readerOf(samples).readHours(
      { name: 'a/energy', kind: 'counter', unit: 'kWh' },
      { fromMs: START_MS, toMs: START_MS + 3 * HOUR_MS },
    );
    expect(hours.map(({ fromMs, increase, inGap }) => [(fromMs - START_MS) / HOUR_MS, increase, inGap])).toEqual([
      [0, 1, 0],
      [2, 0, 3],
    ]);
  });

  test('begin at whole hours of the clock on the wall', async () => {
    const samples: Sample[] = [{ atMs: START_MS, value: true }];
    const hours = await readerOf(samples, 'Asia/Kathmandu').readHours(
      { name: 'a/on', kind: 'state', unit: null },
      { fromMs: START_MS, toMs: START_MS + HOUR_MS },
    );
    expect(hours.map(({ fromMs, heldMs }) => [fromMs - START_MS, heldMs.get(true)])).toEqual([
      [-0.75 * HOUR_MS, 0.25 * HOUR_MS],
      [0.25 * HOUR_MS, 0.75 * HOUR_MS],
    ]);
  });
});
