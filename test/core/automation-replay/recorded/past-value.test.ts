import { expect, test } from 'vitest';
import { pastValue } from '#core/automation-replay/recorded/past-value.ts';
import { usedSeries } from '#core/automation-replay/recorded/used-series.ts';

const HOUR_S = 3_600;
/** 10 in the first hour, 20 in the second, unknown in the third, 40 from then on. */
const SERIES = {
  timesMs: [0, HOUR_S, 2 * HOUR_S, 3 * HOUR_S].map((second) => second * 1_000),
  values: [10, 20, null, 40],
} as unknown as Parameters<typeof pastValue>[0];
const NOW_MS = 4 * HOUR_S * 1_000;

test.each([
  ['the last hour', { over_s: HOUR_S, fn: 'mean' }, 40],
  ['an hour three hours ago', { over_s: HOUR_S, ago_s: 3 * HOUR_S, fn: 'mean' }, 10],
  ['two hours that ended two hours ago', { over_s: 2 * HOUR_S, ago_s: 2 * HOUR_S, fn: 'mean' }, 15],
  ['an hour of which nothing is known', { over_s: HOUR_S - 1, ago_s: HOUR_S + 1, fn: 'mean' }, undefined],
  ['the rise over an earlier time', { over_s: 2 * HOUR_S, ago_s: 2 * HOUR_S, fn: 'increase' }, 10],
] as const)('a question about %s is answered from the samples of that time', (_what, question, answer) => {
  expect(pastValue(SERIES, question, NOW_MS)).toBe(answer);
});

test('what a definition asks of an earlier time is read from that far back', () => {
  const history = { device: 'lamp', key: 'on', over_s: 600, ago_s: 7 * 86_400, fn: 'seconds_true' };
  const definition = {
    triggers: [],
    conditions: [{ compare: { left: { history }, op: '>', right: 0 } }],
    steps: [],
    variables: {},
  };
  const home = { devices: [], findScene: () => undefined, people: [], modes: [], variables: [] };
  expect(usedSeries([definition as never], home).overMs).toBe((600 + 7 * 86_400) * 1_000);
});
