import type { Due, TimerId } from '#core/automation-run/engine.ts';
import type { ReplayClock } from './simulation.ts';

/** What is due at a moment of the replay. `lateMs`: of a time of the wall clock, how long ago it was. */
export type DueTimer = { readonly timer: TimerId; readonly atMs: number; readonly isCivil: boolean };

type VirtualTimers = {
  readonly arm: (timer: TimerId, due: Due, nowMs: number) => void;
  readonly disarm: (timer: TimerId) => void;
  /** The first one; those of one moment come in the order of their names. */
  readonly next: () => DueTimer | undefined;
  /** A variable changed, which may hold a time of the clock. */
  readonly reviewCivil: (nowMs: number) => void;
  readonly clear: () => void;
};

/** The timers of one engine, on a clock that stands between two things that happen. */
export function createVirtualTimers(clock: ReplayClock): VirtualTimers {
  const timers = new Map<TimerId, { readonly due: Due; readonly atMs: number }>();
  let first: DueTimer | undefined;
  let isStale = false;
  /** The last such time up to now that was not dealt with yet, else the next one. */
  const timeOf = (due: Due, nowMs: number): number | undefined => {
    if ('hubMs' in due) return due.hubMs;
    const { civil, afterWallMs } = due;
    return clock.last(civil, afterWallMs, nowMs) ?? clock.next(civil, Math.max(afterWallMs, nowMs));
  };
  const put = (timer: TimerId, due: Due, nowMs: number): void => {
    timers.set(timer, { due, atMs: timeOf(due, nowMs) ?? Infinity });
    isStale = true;
  };
  return {
    arm: put,
    disarm: (timer) => {
      timers.delete(timer);
      isStale = true;
    },
    next: () => {
      if (!isStale) return first;
      isStale = false;
      first = undefined;
      for (const [timer, { due, atMs }] of timers) {
        const isFirst = first === undefined || atMs < first.atMs || (atMs === first.atMs && timer < first.timer);
        if (isFirst && atMs < Infinity) first = { timer, atMs, isCivil: 'civil' in due };
      }
      return first;
    },
    reviewCivil: (nowMs) => {
      for (const [timer, { due }] of timers) if ('civil' in due) put(timer, due, nowMs);
    },
    clear: () => {
      timers.clear();
      isStale = true;
    },
  };
}
