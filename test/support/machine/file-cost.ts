import { afterAll, beforeAll } from 'vitest';
import { expectBelow, startProcessorWatch } from './bounds.ts';

/** A `*.test.ts` that takes more is renamed to `*.real.ts`, which leaves `npm test` short. */
const MOST_MS = 5_000;

let processorMs: () => number;
beforeAll(() => {
  processorMs = startProcessorWatch();
});
afterAll(() => {
  const isShort = (process.env['HEARTHD_TEST_RUNS'] ?? 'short') === 'short';
  if (isShort) expectBelow('processor time of the file, ms', processorMs(), MOST_MS);
});
