import { expect, test } from 'vitest';
import { wordFeature } from '#core/feature/new-feature.ts';
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
  expect(pastValue(SERIES, question, { nowMs: NOW_MS, feature: undefined })).toBe(answer);
});

/** Of the last minutes of a day. */
test.each([
  ['shows 0 for a minute', { rows: [0, 8, 1, 8, 1_260, 0, 1_261, 8.2, 1_290, 8.5], minutes: 200, increase: 0.5 }],
  ['falls by a hundredth', { rows: [0, 0.74, 1_265, 0.73, 1_275, 0.74, 1_280, 0.76], minutes: 200, increase: 0.02 }],
  ['restarts', { rows: [0, 24.3, 1_380, 1.2, 1_400, 3.4, 1_430, 5], minutes: 60, increase: 5 }],
  ['showed 0 when the time began', { rows: [0, 8, 1_390, 0, 1_400, 8.2], minutes: 45, increase: 0.2 }],
])('the increase of a counter that %s is what the history counts', (_what, { rows, minutes, increase }) => {
  const series = {
    timesMs: rows.filter((_, index) => index % 2 === 0).map((minute) => minute * 60_000),
    values: rows.filter((_, index) => index % 2 === 1),
  };
  const given = { nowMs: 1_440 * 60_000, feature: wordFeature('energy', 'main') };
  expect(pastValue(series, { over_s: minutes * 60, fn: 'increase' }, given)).toBeCloseTo(increase);
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
