import { setImmediate as turnOfOthers } from 'node:timers/promises';

/** Splits long work into parts; between them the event loop gets its turn. */
export type WorkSlices = {
  /** A promise to await before going on, once this part has lasted long enough; else `undefined`. */
  readonly pause: () => Promise<void> | undefined;
};

/** Other tasks wait for this long at most, plus the time of one step. */
const SLICE_MS = 4;

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

/** Runs the step for each item. Short work is done before this returns. */
export async function eachInSlices<Item>(
  items: Iterable<Item>,
  monotonicMs: () => number,
  step: (item: Item) => void,
): Promise<void> {
  return each(items, step, createWorkSlices(monotonicMs));
}

async function each<Item>(items: Iterable<Item>, step: (item: Item) => void, slices: WorkSlices): Promise<void> {
  for (const item of items) {
    step(item);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
}

/** The same by counting, where no clock is at hand: after so many steps there is a promise to await. */
export function createStepSlices(steps: number): WorkSlices {
  let done = 0;
  return {
    pause: () => {
      done += 1;
      return done % steps === 0 ? turnOfOthers() : undefined;
    },
  };
}

/** Runs the step for each item, where each takes a millisecond or two: other calls run in between. */
export async function eachInTurns<Item>(items: readonly Item[], step: (item: Item) => void): Promise<void> {
  return each(items, step, createStepSlices(AT_ONCE));
}
const AT_ONCE = 4;
