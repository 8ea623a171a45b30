import { setImmediate as turnOfOthers } from 'node:timers/promises';

/** Long work in parts, between which the event loop gets its turn. */
export type WorkSlices = {
  /** To await where it is not `undefined`: this part of the work has lasted long enough. */
  readonly pause: () => Promise<void> | undefined;
};

/** Others wait for this long at most, and for what one step takes. */
const SLICE_MS = 8;

export function createWorkSlices(monotonicMs: () => number): WorkSlices {
  let sinceMs = monotonicMs();
  return {
    pause: () => {
      if (monotonicMs() - sinceMs < SLICE_MS) return undefined;
      return turnOfOthers().then(() => {
        sinceMs = monotonicMs();
      });
    },
  };
}

/** Does one thing after the other; where nothing of it takes long, before this returns. */
export async function eachInSlices<Item>(
  items: Iterable<Item>,
  monotonicMs: () => number,
  step: (item: Item) => void,
): Promise<void> {
  const slices = createWorkSlices(monotonicMs);
  for (const item of items) {
    step(item);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
}
