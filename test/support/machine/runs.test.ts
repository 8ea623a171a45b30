import { afterEach, expect, test, vi } from 'vitest';
import { drawSeed, runs, searchOf } from './runs.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, undefined, 10_000, 500],
  [undefined, undefined, 200, 100],
  [undefined, undefined, 50, 50],
  ['true', undefined, 10_000, 10_000],
  ['true', 'short', 10_000, 500],
  [undefined, 'full', 10_000, 10_000],
  [undefined, '5', 10_000, 50_000],
  [undefined, '0.5', 10_000, 5_000],
])('with CI=%s and HEARTHD_TEST_RUNS=%s a search of %i makes %i runs', (...[ci, asked, full, made]) => {
  vi.stubEnv('CI', ci);
  vi.stubEnv('HEARTHD_TEST_RUNS', asked);
  expect(runs(full)).toBe(made);
  expect(searchOf(full).numRuns).toBe(made);
});

test('a search whose runs cost seconds may make fewer', () => {
  vi.stubEnv('HEARTHD_TEST_RUNS', 'short');
  expect(runs(200, 10)).toBe(10);
});

test.each(['many', '-1', '0', ''])('HEARTHD_TEST_RUNS=%j is refused', (asked) => {
  vi.stubEnv('HEARTHD_TEST_RUNS', asked);
  expect(() => runs(100)).toThrow('HEARTHD_TEST_RUNS');
});

test('HEARTHD_TEST_SEED repeats a seed', () => {
  vi.stubEnv('HEARTHD_TEST_SEED', '42');
  expect([drawSeed(), searchOf(100).seed]).toEqual([42, 42]);
});
