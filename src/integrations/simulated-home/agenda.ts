import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createWorkTurns } from '#base/time/work-turns.ts';

/** Tasks for later, with one timer for all of them. */
export type Agenda = ReturnType<typeof createAgenda>;

export type AgendaDeps = { readonly clock: Clock; readonly startTimer: StartTimer; readonly log: Log };

export function createAgenda({ clock, startTimer, log }: AgendaDeps) {
  const entries: { readonly dueMs: number; readonly run: () => void }[] = [];
  let stopTimer: (() => void) | undefined;
  let isRunning = false;
  const turns = createWorkTurns({
    startTimer,
    monotonicMs: clock.monotonicMs,
    onFailure: (cause) => log.error('a task of the simulated home failed', { cause }),
  });

  const arm = (): void => {
    stopTimer?.();
    const first = entries[0];
    stopTimer = first && startTimer(Math.max(0, Math.ceil(first.dueMs - clock.monotonicMs())), runDue);
  };
  const runDue = (): void => {
    isRunning = true;
    const nowMs = clock.monotonicMs();
    for (let first = entries[0]; first !== undefined && first.dueMs <= nowMs; first = entries[0]) {
      entries.shift();
      turns.add([first.run]);
    }
    isRunning = false;
    arm();
  };

  return {
    add: (afterMs: number, run: () => void): void => {
      const entry = { dueMs: clock.monotonicMs() + afterMs, run };
      const place = entries.findIndex(({ dueMs }) => dueMs > entry.dueMs);
      entries.splice(place === -1 ? entries.length : place, 0, entry);
      if (entries[0] === entry && !isRunning) arm();
    },
    /** Drops all tasks, and leaves no timer. */
    clear: (): void => {
      entries.length = 0;
      turns.stop();
      if (!isRunning) arm();
    },
  };
}
