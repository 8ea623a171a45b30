import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRetryDelays } from '#base/time/retry.ts';
import { searchOf } from '#test/support/machine/runs.ts';

test('waits grow twofold, stay within the range and start again after a success', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.array(random, { minLength: 1, maxLength: 50 }), (dice) => {
      let thrown = 0;
      const delays = createRetryDelays({ minMs: 1000, maxMs: 60_000 }, () => dice[thrown % dice.length] ?? 0);
      for (let round = 0; round < 2; round += 1) {
        for (thrown = 0; thrown < dice.length; thrown += 1) {
          const ceilingMs = Math.min(60_000, 1000 * 2 ** thrown);
          const waitMs = delays.nextMs();
          expect(waitMs).toBeGreaterThanOrEqual(Math.max(1000, ceilingMs / 2));
          expect(waitMs).toBeLessThanOrEqual(ceilingMs);
        }
        delays.reset();
      }
    }),
    searchOf(100),
  );
});

test('the wait is a number after any count of failures', () => {
  const delays = createRetryDelays({ minMs: 1000, maxMs: 60_000 }, () => 0.999);
  for (let attempt = 0; attempt < 5000; attempt += 1) expect(delays.nextMs()).toBeLessThanOrEqual(60_000);
});
