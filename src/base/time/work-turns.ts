import type { StartTimer } from './timer.ts';

/** Part of some work. Where it returns a promise, the next one waits for that. */
export type Step = () => void | Promise<void>;

/**
 * Steps in the order in which they came, in turns of bounded time: a thousand costly ones may come at once. One that
 * fails is over, and holds up none behind it; `onFailure` gets why.
 */
export type WorkTurns = {
  /** Begins at once where nothing waits. Takes all of them or, where too many wait, none. */
  readonly add: (steps: readonly Step[]) => void;
  /** Drops what waits. */
  readonly stop: () => void;
};

export type WorkTurnsDeps = {
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
  /** A step threw this, or its promise was rejected with it. */
  readonly onFailure: (cause: unknown) => void;
  /** Some are dropped, for the first time. */
  readonly onLoss?: () => void;
};

const TURN_MS = 5;
const BREAK_MS = 1;
const MOST_WAITING = 50_000;

export function createWorkTurns({ startTimer, monotonicMs, onFailure, onLoss }: WorkTurnsDeps): WorkTurns {
  let waiting: Step[] = [];
  let next = 0;
  /** A step runs, or the end of a promise or of a break goes on. */
  let isBusy = false;
  let stopBreak: (() => void) | undefined;
  let isLossTold = false;

  const attempt = (step: Step | undefined): Promise<void> | undefined => {
    try {
      return step?.()?.catch(onFailure);
    } catch (cause) {
      onFailure(cause);
      return undefined;
    }
  };
  const work = (): void => {
    stopBreak = undefined;
    isBusy = true;
    const startMs = monotonicMs();
    while (next < waiting.length) {
      const step = waiting[next];
      // Before it runs: one that fails must not be the first again.
      next += 1;
      const doing = attempt(step);
      if (doing !== undefined) return void doing.then(work);
      if (monotonicMs() - startMs < TURN_MS) continue;
      stopBreak = startTimer(BREAK_MS, work);
      return;
    }
    waiting = [];
    next = 0;
    isBusy = false;
  };

  return {
    add: (steps) => {
      if (waiting.length - next + steps.length > MOST_WAITING) {
        if (!isLossTold) onLoss?.();
        isLossTold = true;
        return;
      }
      // Half of them at least is over, so each is moved once in the mean.
      if (next > waiting.length / 2) {
        waiting = waiting.slice(next);
        next = 0;
      }
      for (const step of steps) waiting.push(step);
      if (!isBusy) work();
    },
    stop: () => {
      waiting = [];
      next = 0;
      if (stopBreak === undefined) return;
      stopBreak();
      stopBreak = undefined;
      isBusy = false;
    },
  };
}
