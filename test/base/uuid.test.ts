import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { createUuidSource, isUuid } from '#base/uuid.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids sort in the order of making and are unique, however the wall clock jumps', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 0, max: 4e12 }),
    fc.double({ min: 0, max: 4e12, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 2 }), (times) => {
      let index = 0;
      const newId = createUuidSource(() => times[index] ?? 0, systemRandom);
      const ids = times.map((_, at) => {
        index = at;
        return newId();
      });
      for (const id of ids) {
        expect(id).toMatch(VERSION_7);
        expect(isUuid(id)).toBe(true);
      }
      expect(ids).toEqual([...new Set(ids)].sort((left, right) => (left < right ? -1 : 1)));
    }),
    searchOf(100),
  );
});

test('more ids than a millisecond has room for borrow from the next ones', () => {
  const newId = createUuidSource(() => 1_700_000_000_000, systemRandom);
  const ids = Array.from({ length: 20_000 }, newId);
  expect(ids).toEqual([...new Set(ids)].sort((left, right) => (left < right ? -1 : 1)));
});

test.each(['', 'kitchen', '0198F1C2-0000-7000-8000-000000000001', '0198f1c2-0000-7000-8000-000000000001\n'])(
  '%j is not an id of this hub',
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
