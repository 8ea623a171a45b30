import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** Work in the order in which it came, in turns of bounded time: a thousand costly templates may listen to one topic. */
export type WorkTurns = { readonly add: (steps: readonly (() => void)[]) => void; readonly stop: () => void };

export type WorkTurnsDeps = { readonly startTimer: StartTimer; readonly monotonicMs: () => number; readonly log: Log };

const TURN_MS = 5;
const BREAK_MS = 1;
const MOST_WAITING = 50_000;

export function createWorkTurns({ startTimer, monotonicMs, log }: WorkTurnsDeps): WorkTurns {
  let waiting: (() => void)[] = [];
  let next = 0;
  let stopTimer: (() => void) | undefined;
  let isLossLogged = false;

  const work = (): void => {
    stopTimer = undefined;
    const startMs = monotonicMs();
    while (next < waiting.length) {
      const step = waiting[next];
      // Before it runs: one that throws must not be the first again.
      next += 1;
      try {
        step?.();
      } catch (cause) {
        log.error('a state could not be read', { cause });
      }
      if (monotonicMs() - startMs < TURN_MS) continue;
      stopTimer = startTimer(BREAK_MS, work);
      return;
    }
    waiting = [];
    next = 0;
  };

  return {
    add: (steps) => {
      if (waiting.length - next + steps.length > MOST_WAITING) {
        if (!isLossLogged) log.warn('states come faster than they can be read: some are dropped');
        isLossLogged = true;
        return;
      }
      if (next > MOST_WAITING) {
        waiting = waiting.slice(next);
        next = 0;
      }
      for (const step of steps) waiting.push(step);
      if (stopTimer === undefined) work();
    },
    stop: () => {
      stopTimer?.();
      waiting = [];
      next = 0;
    },
  };
}
