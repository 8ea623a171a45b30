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

/**
 * Files of the project `test` share a process. A hub that one of them leaves running ends with it, and does not run on
 * under the clock of the next.
 */
const real = globalThis.setTimeout;
const running = new Set<NodeJS.Timeout>();

function start(target: typeof real, self: unknown, [run, ms, ...rest]: Parameters<typeof real>): NodeJS.Timeout {
  const end = (): void => {
    running.delete(timer);
    (run as (...values: unknown[]) => void)(...(rest as unknown[]));
  };
  const timer = target.call(self, end, ms);
  running.add(timer);
  return timer;
}

// A proxy, because `util.promisify` finds its form of the function as a property of it.
globalThis.setTimeout = new Proxy(real, { apply: start });

afterAll(() => {
  globalThis.setTimeout = real;
  for (const timer of running) clearTimeout(timer);
});
