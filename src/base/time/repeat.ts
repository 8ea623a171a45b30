import type { StartTimer } from './timer.ts';

/**
 * Runs the task every so many milliseconds, the first time after that long; the result ends it. The next timer is
 * started before the task runs, so a task that throws does not end the series.
 */
export function repeat(startTimer: StartTimer, everyMs: number, task: () => void): () => void {
  let cancel = startTimer(everyMs, function run() {
    cancel = startTimer(everyMs, run);
    task();
  });
  return () => cancel();
}
