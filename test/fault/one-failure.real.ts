import { describe, expect, test } from 'vitest';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import { HEAVY_USE, SHORT_HISTORIES } from './histories.ts';
import { CODES, failEach, type Outcome } from './one-failure.ts';

/** How many of twenty operations fail, one run each; 3 at full size, by turns from a place that the seed gives. */
const TRIED = runs(3, 1);
/** How many of the four codes an operation fails with, in a run each. From 27 times the full size on it is all. */
const CODES_AT_ONCE = Math.min(CODES.length, Math.max(1, Math.floor(TRIED / 20)));
/** In a long history only each n-th operation fails. */
const STRIDE = Math.ceil((40 * 20) / TRIED);

/** The codes that each operation fails with, by turns from a place that the seed gives. */
function codesFrom(seed: number): (at: number) => readonly string[] {
  return (at) =>
    (seed + at) % 20 < TRIED
      ? Array.from({ length: CODES_AT_ONCE }, (_, index) => CODES[(seed + at + index) % CODES.length] ?? '')
      : [];
}

function short({ at, code, told, faults }: Outcome): unknown {
  return { at, code, told, faults };
}

describe('a file operation that fails', () => {
  const seed = drawSeed();

  test.each(SHORT_HISTORIES.map((history) => [history.name, history] as const))(
    'X, S7, S8, S9: %s: with each operation failing in turn, ends as if nothing had happened',
    async (name, history) => {
      const { lives, bad } = await failEach(history, codesFrom(seed));
      process.stdout.write(`${name}: ${lives} failed operations, ${bad.length} with a loss; seed ${seed}\n`);
      expect({ seed, bad: bad.slice(0, 20).map(short) }).toEqual({ seed, bad: [] });
      expect(lives).toBeGreaterThan(Math.min(100, 4 * TRIED));
    },
    600_000,
  );

  test(`X, S9: ${HEAVY_USE.name}: with some operations failing, ends as if nothing had happened`, async () => {
    const codes = codesFrom(seed);
    const { lives, bad } = await failEach(HEAVY_USE, (at) => ((at + seed) % STRIDE === 0 ? codes(at) : []));
    process.stdout.write(`${HEAVY_USE.name}: ${lives} failed operations, ${bad.length} with a loss; seed ${seed}\n`);
    expect({ seed, bad: bad.slice(0, 20).map(short) }).toEqual({ seed, bad: [] });
  }, 600_000);
});
