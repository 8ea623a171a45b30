import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createManualTime } from './manual-time.ts';

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

/**
 * Time that passes a step in each turn of the event loop, at most one in a millisecond, until the test ends: on a busy
 * machine it waits for what the turn has to do. Starts at noon, so that no day ends meanwhile.
 */
export function createPatientTime(stepMs: number): { readonly clock: Clock; readonly startTimer: StartTimer } {
  const time = createManualTime(Date.UTC(2026, 0, 1, 12));
  const turn = async (): Promise<void> => {
    await time.advance(stepMs);
    timer = setTimeout(() => void turn(), 1);
  };
  let timer = setTimeout(() => void turn(), 1);
  onTestFinished(() => clearTimeout(timer));
  return time;
}
