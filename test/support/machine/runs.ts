import { randomInt } from 'node:crypto';

/** At the gate a search does a twentieth of its runs, but no fewer than this. */
const LEAST = 100;
/** The same for each run: a change meets the fault that it made, and no older one. */
const SEED = 1;

/** `HEARTHD_TEST_RUNS`: `short`, which is the default, `full`, or a factor such as `5` for five times the full size. */
function factor(): number {
  const asked = process.env['HEARTHD_TEST_RUNS'] ?? 'short';
  if (asked === 'short') return 1 / 20;
  const times = asked === 'full' ? 1 : Number(asked);
  if (!(times > 0)) throw new Error(`HEARTHD_TEST_RUNS is "${asked}", not "short", "full" or a number`);
  return times;
}

/** How many runs a random search makes, given those of its full size; `least` is for searches whose runs cost seconds. */
export function runs(full: number, least = LEAST): number {
  return Math.max(Math.min(full, least), Math.ceil(full * factor()));
}

/** Size and seed for `fc.assert` and `fc.check`, which print the seed of what fails. */
export function searchOf(full: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: runs(full), seed: drawSeed() };
}

/** A fixed seed. `HEARTHD_TEST_SEED=new` looks elsewhere, as campaigns do; a number repeats what a search printed. */
export function drawSeed(): number {
  const asked = process.env['HEARTHD_TEST_SEED'] ?? String(SEED);
  if (asked === 'new') return randomInt(2 ** 30);
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`HEARTHD_TEST_SEED is "${asked}", not "new" or a whole number`);
  return seed;
}
