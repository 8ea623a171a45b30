import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHistory, type SeriesQuery } from '#core/past/history/history-query.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { createHistory } from './sampled-history.ts';

const ZONE = createTimeZone('UTC');
const END_MS = 10_000;
const value = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -5, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom<Sample['value']>('on', 'off', true) },
  { weight: 1, arbitrary: fc.constantFrom<Sample['value']>({ gap: 'offline' }, { gap: 'lost', isUncertain: true }) },
);
const history = fc
  .array(fc.record({ atMs: fc.integer({ min: -2_000, max: END_MS }), value }), { maxLength: 60 })
  .map((samples) => samples.toSorted((left, right) => left.atMs - right.atMs));

test('a chart that is made slice by slice is the chart of all samples at once', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 20 }), async (samples, columns) => {
      const sliced = createHistory(samples);
      const whole = { ...sliced, readSlice: createHistory(samples, Infinity).readSlice };
      const query: SeriesQuery = {
        series: 'lamp/power',
        kind: 'gauge',
        unit: null,
        fromMs: 0,
        toMs: END_MS,
        detail: { type: 'points', points: 4 * columns, zone: ZONE },
      };
      expect(await readHistory(sliced, query)).toEqual(await readHistory(whole, query));
    }),
    searchOf(2_000),
  );
});
