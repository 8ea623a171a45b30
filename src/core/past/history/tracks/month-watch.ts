import { repeat } from '#base/time/repeat.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { MonthUse } from '#core/past/history/history-store.ts';
import type { MonthFigures } from './month-budget.ts';

/** Reads what the month of this moment takes on disk, and may take. */
export type ReadMonth = (atMs: number) => Promise<{ readonly use: MonthUse; readonly maxBytes: number }>;

type MonthWatchDeps = {
  readonly readMonth: ReadMonth;
  readonly nowMs: () => number;
  readonly startTimer: StartTimer;
  readonly log: Log;
  readonly onFigures: (figures: MonthFigures) => void;
};

const LOOK_MS = 600_000;

/** Asks the disk now and every ten minutes what the month takes. */
export function watchMonth({ readMonth, nowMs, startTimer, log, onFigures }: MonthWatchDeps) {
  const ended = new AbortController();
  let figures: MonthFigures | null = null;
  let wanted = 0;
  let begun = 0;
  let isLooking = false;
  const ask = async (): Promise<void> => {
    const atMs = nowMs();
    try {
      figures = { atMs, ...(await readMonth(atMs)) };
      if (!ended.signal.aborted) onFigures(figures);
    } catch (cause) {
      if (ended.signal.aborted) return;
      log.warn('what the month takes on disk could not be read, and is asked again', { cause });
    }
  };
  const run = async (): Promise<void> => {
    isLooking = true;
    while (begun !== wanted) {
      begun = wanted;
      await ask();
    }
    isLooking = false;
  };
  const look = (): void => {
    wanted += 1;
    // A caller that asks meanwhile, as after a change of the limit, gets the figures of a later look.
    if (!isLooking) void run();
  };
  look();
  const stopTimer = repeat(startTimer, LOOK_MS, look);
  return {
    look,
    /** As of the last look; `null` before the first one. */
    figures: (): MonthFigures | null => figures,
    stop: (): void => {
      ended.abort();
      stopTimer();
    },
  };
}
