import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** One timer for all that is to be done at some time. */
type Look = {
  /** Looks at this time, or earlier if that was asked for before. */
  readonly at: (atMs: number) => void;
  readonly stop: () => void;
};

type LookDeps = {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly startTimer: StartTimer;
  /** The least time between two looks. */
  readonly everyMs: number;
};

/** `look` returns the time of the next look; infinity for none. */
export function createLook({ clock, startTimer, everyMs }: LookDeps, look: (nowMs: number) => number): Look {
  let timer: { readonly atMs: number; readonly stop: () => void } | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const stop = (): void => {
    timer?.stop();
    timer = undefined;
  };
  const at = (atMs: number): void => {
    const dueMs = Math.max(atMs, lookedMs + everyMs);
    if (dueMs === Number.POSITIVE_INFINITY || (timer !== undefined && timer.atMs <= dueMs)) return;
    stop();
    timer = { atMs: dueMs, stop: startTimer(Math.max(0, dueMs - clock.monotonicMs()), run) };
  };
  const run = (): void => {
    timer = undefined;
    lookedMs = clock.monotonicMs();
    at(look(lookedMs));
  };
  return { at, stop };
}
