import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** Real time that passes so many times faster, for parts that wait long beside real sockets. */
export function createFastTime(factor: number): { readonly clock: Clock; readonly startTimer: StartTimer } {
  const startedMs = performance.now();
  const wallStartMs = Date.now();
  const passedMs = (): number => (performance.now() - startedMs) * factor;
  return {
    clock: { monotonicMs: passedMs, wallMs: () => wallStartMs + passedMs() },
    startTimer: (afterMs, run) => {
      const timer = setTimeout(run, afterMs / factor);
      return () => clearTimeout(timer);
    },
  };
}
