import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson, type JsonValue } from '#base/json.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** Object members in another order, all the way down. */
function reorder(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => reorder(item));
  const entries = Object.entries(value as Record<string, JsonValue>).map(([key, item]) => [key, reorder(item)]);
  return Object.fromEntries(entries.toReversed()) as JsonValue;
}

test('a value is the same as its own copy with its members in another order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (made) => {
      const value = JSON.parse(JSON.stringify(made)) as JsonValue;
      expect(isSameJson(value, reorder(structuredClone(value)))).toBe(true);
    }),
    searchOf(100),
  );
});

test('two values are the same exactly where their text is', () => {
  const small = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (one, other) => {
      const [left, right] = [one, other].map((made) => JSON.parse(JSON.stringify(made)) as JsonValue);
      const isSame = JSON.stringify(left) === JSON.stringify(right);
      fc.pre(isSame || JSON.stringify(reorder(left ?? null)) !== JSON.stringify(right));
      expect(isSameJson(left ?? null, right ?? null)).toBe(isSame);
    }),
    searchOf(100),
  );
});

test.each<[JsonValue, JsonValue]>([
  [null, {}],
  [[], {}],
  [[1], { 0: 1 }],
  [0, false],
  ['1', 1],
  [{ a: null }, {}],
  [{ a: null }, { b: null }],
  [[null], []],
  [JSON.parse('{"__proto__":1}') as JsonValue, {}],
])('%j is not %j', (left, right) => {
  expect([isSameJson(left, right), isSameJson(right, left)]).toEqual([false, false]);
});
