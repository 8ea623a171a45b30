import type { Clock } from './clock.ts';

/**
 * The clock by which lifetimes are measured: the one door for token and session expiry.
 * An epoch is a stretch of time in which the hub's idea of "now" was not corrected.
 */
export type HubClock = {
  /** Hub time in whole milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Id of the current epoch; tokens carry it (claim `epoch`). */
  readonly epoch: () => string;
  /** The present as the given epoch would count it, in milliseconds; `undefined` for an epoch the hub never had. */
  readonly nowInEpochMs: (epoch: string) => number | undefined;
};

/** A hub clock that trusts the wall clock and has a single epoch. */
export function createWallHubClock(clock: Clock): HubClock {
  const epoch = '0';
  return {
    nowMs: clock.wallMs,
    epoch: () => epoch,
    nowInEpochMs: (asked) => (asked === epoch ? clock.wallMs() : undefined),
  };
}
