import { expect, test } from 'vitest';
import { createTokenBuckets } from '#base/token-buckets.ts';

function openBuckets(maxNames = 2) {
  const time = { nowMs: 0 };
  const buckets = createTokenBuckets({ capacity: 2, refillMs: 10, maxNames, monotonicMs: () => time.nowMs });
  const takes = (name: string, tries: number): number =>
    Array.from({ length: tries }, () => buckets.take(name)).filter(Boolean).length;
  return { time, takes };
}

test('each name has a ration of its own that comes back bit by bit', () => {
  const { time, takes } = openBuckets();
  expect([takes('a', 5), takes('b', 5)]).toEqual([2, 2]);
  time.nowMs = 15;
  expect(takes('a', 5)).toBe(1);
  time.nowMs = 20;
  expect(takes('a', 5)).toBe(1);
  time.nowMs = 1_000;
  expect(takes('a', 5)).toBe(2);
});

test('names beyond the limit share one ration, and a new name is no new ration', () => {
  const { time, takes } = openBuckets();
  takes('a', 1);
  takes('b', 1);
  expect([takes('c', 1), takes('d', 1), takes('e', 1)]).toEqual([1, 1, 0]);
  expect(takes('a', 5)).toBe(1);
  time.nowMs = 100;
  expect(takes('e', 5)).toBe(2);
});

test('a request for more than is left gets nothing and loses nothing', () => {
  const time = { nowMs: 0 };
  const buckets = createTokenBuckets({ capacity: 10, refillMs: 1, maxNames: 2, monotonicMs: () => time.nowMs });
  expect([7, 7, 3, 1].map((amount) => buckets.take('a', amount))).toEqual([true, false, true, false]);
  time.nowMs = 7;
  expect([8, 7].map((amount) => buckets.take('a', amount))).toEqual([false, true]);
});
