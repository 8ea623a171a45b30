import { expect, test } from 'vitest';
import { createDailyBudget } from '#core/history/tracks/daily-budget.ts';

const DAY_MS = 86_400_000;
const TEXT = 'x'.repeat(4_096);

function createWorld() {
  const time = { nowMs: 20_000 * DAY_MS };
  const told: (readonly [string, boolean])[] = [];
  const { take } = createDailyBudget({
    nowMs: () => time.nowMs,
    isScript: (integration) => integration === 'script',
    onPaused: (...one) => void told.push(one),
  });
  /** How many of these values are taken. */
  const takeMany = (id: string, integration: string, values: readonly (number | string)[]): number =>
    values.filter((value) => take({ id, integration }, value)).length;
  return { time, told, takeMany };
}

test('a meter with thirty numbers a second loses none of a day', () => {
  const { takeMany, told } = createWorld();
  const second = Array.from({ length: 30 }, (_, index) => index);
  let taken = 0;
  for (let seconds = 0; seconds < 86_400; seconds += 1) taken += takeMany('meter', 'script', second);
  expect(taken).toBe(30 * 86_400);
  expect(told).toEqual([]);
});

test('the hub reports a device that floods the history once, and the device has room again on the next day', () => {
  const { takeMany, told, time } = createWorld();
  const flood = Array.from({ length: 10_000 }, () => TEXT);
  const taken = takeMany('tracker', 'mqtt', flood);
  expect(taken * TEXT.length).toBeLessThan(50_000_000);
  expect(taken).toBeGreaterThan(5_000);
  expect(takeMany('lamp', 'mqtt', [1])).toBe(1);
  expect(told).toEqual([['tracker', true]]);
  time.nowMs += DAY_MS;
  expect(takeMany('lamp', 'mqtt', [1])).toBe(1);
  expect(told).toEqual([
    ['tracker', true],
    ['tracker', false],
  ]);
  expect(takeMany('tracker', 'mqtt', flood.slice(0, 100))).toBe(100);
});

test('the devices of a script share a day, however many it invents', () => {
  const { takeMany, told, time } = createWorld();
  let bytes = 0;
  const flood = Array.from({ length: 1_000 }, () => TEXT);
  for (let device = 0; device < 100; device += 1) bytes += takeMany(`d${device}`, 'script', flood) * TEXT.length;
  expect(bytes).toBeLessThan(100_000_000);
  expect(takeMany('other', 'mqtt', [TEXT])).toBe(1);
  time.nowMs += DAY_MS;
  expect(takeMany('d1', 'script', [TEXT])).toBe(1);
  expect(told, 'once for the script').toEqual([
    ['script', true],
    ['script', false],
  ]);
});
