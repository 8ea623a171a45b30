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
      waiting[next]?.();
      next += 1;
      if (monotonicMs() - startMs < TURN_MS) continue;
      stopTimer = startTimer(BREAK_MS, work);
      return;
    }
    waiting = [];
    next = 0;
  };

  return {
    add: (steps) => {
      if (waiting.length + steps.length > MOST_WAITING) {
        if (!isLossLogged) log.warn('states come faster than they can be read: some are dropped');
        isLossLogged = true;
        return;
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
