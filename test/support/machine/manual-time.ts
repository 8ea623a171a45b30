import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

export type ManualTime = {
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  /** Turns both clocks by this much, stopping at every timer that is due on the way and letting promises settle there. */
  readonly advance: (ms: number) => Promise<void>;
  /** Milliseconds until each timer that is still set. */
  readonly pendingMs: () => number[];
};

/** Time that moves only by `advance`. */
export function createManualTime(startWallMs = Date.UTC(2026, 0, 1)): ManualTime {
  let nowMs = 0;
  const timers = new Set<{ dueMs: number; run: () => void }>();
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    clock: { wallMs: () => startWallMs + nowMs, monotonicMs: () => nowMs },
    startTimer: (afterMs, run) => {
      const timer = { dueMs: nowMs + afterMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: async (ms) => {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (due === undefined) break;
        nowMs = Math.max(nowMs, due.dueMs);
        timers.delete(due);
        due.run();
        await settle();
      }
      nowMs = endMs;
    },
    pendingMs: () => [...timers].map((timer) => timer.dueMs - nowMs).sort((a, b) => a - b),
  };
}
