import { expect, onTestFinished } from 'vitest';
import { startStopwatch } from '#test/support/machine/bounds.ts';
import type { Ask } from './bridge-world.ts';

/** Asks the hub for its devices until it is called, and returns how long the slowest answer took. */
export function askMeanwhile(ask: Ask): () => Promise<number> {
  const over = new AbortController();
  let slowestMs = 0;
  const asked = (async () => {
    while (!over.signal.aborted) {
      const tookMs = startStopwatch();
      expect((await ask('GET', '/device')).status).toBe(200);
      slowestMs = Math.max(slowestMs, tookMs());
    }
  })();
  const stop = async (): Promise<number> => {
    over.abort();
    await asked;
    return slowestMs;
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}
