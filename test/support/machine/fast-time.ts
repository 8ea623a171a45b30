import { systemClock, type Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** Node.js takes a longer time for none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Real time that passes so many times faster, for parts that wait long beside real sockets. */
export function createFastTime(factor: number): { readonly clock: Clock; readonly startTimer: StartTimer } {
  const startedMs = systemClock.monotonicMs();
  const wallStartMs = systemClock.wallMs();
  const passedMs = (): number => (systemClock.monotonicMs() - startedMs) * factor;
  return {
    clock: { monotonicMs: passedMs, wallMs: () => wallStartMs + passedMs() },
    startTimer: (afterMs, run) => {
      const timer = setTimeout(run, Math.min(afterMs / factor, MAX_TIMER_MS));
      return () => clearTimeout(timer);
    },
  };
}
