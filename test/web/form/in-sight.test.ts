import { expect, test } from 'vitest';
import { inSight } from '#web/form/in-sight.ts';

const MANY = Array.from({ length: 10_000 }, (_, index) => index);

test('of a long list the first ones are shown, and whatever is chosen, in its order', () => {
  const chosen = new Set([1, 9_000]);
  expect(inSight(MANY, (one) => chosen.has(one), 3)).toEqual([0, 1, 2, 3, 9_000]);
});

test('a short list is shown whole', () => {
  expect(inSight([3, 1, 2], () => false, 3)).toEqual([3, 1, 2]);
  expect(inSight([], () => true, 3)).toEqual([]);
});
