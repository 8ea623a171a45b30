import type { DeviceId } from '#core/device/device.ts';

/**
 * A breaker keeps an automation from starting without end: it has a bucket of starts, and its trips grow each time. It
 * is plain data, so that a restart closes no breaker.
 */
export type Breaker = {
  /** Starts that are left. */
  left: number;
  /** Up to which moment the bucket has been refilled. */
  refilledMs: number;
  /** `null` while it is closed. */
  tripped: (TripCause & { readonly untilMs: number }) | null;
  /** How often in a row it tripped: each doubles the time. */
  trips: number;
  lastTripMs: number;
};

export type TripReason = 'too_many_starts' | 'flapping';
/** `device`: of a fight. `detail`: for programs and the log, with ids. */
export type TripCause = {
  readonly reason: TripReason;
  readonly detail: string;
  readonly device?: DeviceId;
};

const BUCKET = { burst: 30, perSecond: 1, mostPerSecond: 10 } as const;
/** A start has so many parts; less than one of them is no difference. */
const PRECISION = 1e6;
/** A chain of more automations than this is a loop. */
export const MAX_DEPTH = 8;
const TRIP_MS = 600_000;
const LONGEST_TRIP_MS = 86_400_000;
/** After a day without a trip the next one is short again. */
const FORGIVEN_MS = 86_400_000;

export function createBreaker(nowMs: number): Breaker {
  return { left: BUCKET.burst, refilledMs: nowMs, tripped: null, trips: 0, lastTripMs: 0 };
}

/** Takes one start out of the bucket; `false` where it is empty. */
export function takeStart(breaker: Breaker, nowMs: number, perSecond: number = BUCKET.perSecond): boolean {
  const rate = Math.min(BUCKET.mostPerSecond, Math.max(BUCKET.perSecond, perSecond));
  // A clock that was corrected backwards takes nothing away.
  const gained = (Math.max(0, nowMs - breaker.refilledMs) * rate) / 1_000;
  // Ten times a tenth are a whole start: what a sum of fractions lacks is rounded away.
  breaker.left = Math.min(BUCKET.burst, Math.round((breaker.left + gained) * PRECISION) / PRECISION);
  breaker.refilledMs = nowMs;
  if (breaker.left < 1) return false;
  breaker.left -= 1;
  return true;
}

/** Opens the breaker: 10 minutes, then 20, up to a day. Returns for how long. */
export function trip(breaker: Breaker, nowMs: number, why: TripCause): number {
  if (nowMs - breaker.lastTripMs > FORGIVEN_MS) breaker.trips = 0;
  const forMs = Math.min(LONGEST_TRIP_MS, TRIP_MS * 2 ** Math.min(breaker.trips, 10));
  breaker.trips += 1;
  breaker.lastTripMs = nowMs;
  breaker.tripped = { untilMs: nowMs + forMs, ...why };
  return forMs;
}

/** Closes it with a full bucket; how often it tripped stays known. */
export function closeBreaker(breaker: Breaker, nowMs: number): void {
  breaker.tripped = null;
  breaker.left = BUCKET.burst;
  breaker.refilledMs = nowMs;
}
