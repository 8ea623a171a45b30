import { randomInt } from 'node:crypto';

/** While somebody works, a search does a twentieth of its runs, but no fewer than this. */
const LEAST = 100;

/** `HEARTHD_TEST_RUNS`: `short`, `full`, or a factor such as `5` for five times the full size. */
function factor(): number {
  const asked = process.env['HEARTHD_TEST_RUNS'] ?? (process.env['CI'] === 'true' ? 'full' : 'short');
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
export function searchOf(full: number): { readonly numRuns: number; readonly seed?: number } {
  const seed = askedSeed();
  return { numRuns: runs(full), ...(seed === undefined ? {} : { seed }) };
}

/** A new seed for each run, so that each looks elsewhere. `HEARTHD_TEST_SEED` repeats one. */
export function drawSeed(): number {
  return askedSeed() ?? randomInt(2 ** 30);
}

function askedSeed(): number | undefined {
  const asked = process.env['HEARTHD_TEST_SEED'];
  return asked === undefined ? undefined : Number(asked);
}
