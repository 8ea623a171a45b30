import type { Log } from '#base/log.ts';
import type { Clock } from './clock.ts';
import type { StartTimer } from './timer.ts';

/** The process gives these to its parts, which have no other time, chance or log. A part picks what it uses. */
export type Runtime = Clock & {
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
};
