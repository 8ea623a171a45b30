import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRequestIds } from '#http/edge/request-facts.ts';

test('every request has a unique id of 16 letters, over many draws', () => {
  const draws: number[] = [];
  const newId = createRequestIds((count) => {
    draws.push(count);
    return randomBytes(count);
  });
  const ids = Array.from({ length: 1_000 }, newId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => /^[\w-]{16}$/.test(id))).toBe(true);
  expect(draws.length).toBeLessThan(10);
});
