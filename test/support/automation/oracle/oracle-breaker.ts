import type { OracleWorld } from './oracle-world.ts';

const MOST_STARTS = 30;
const START_COSTS_MS = 1_000;
const FIRST_TRIP_MS = 600_000;

/** The bucket of an automation with the usual limits, in whole milliseconds of saving: a start costs a second. */
type Bucket = { savedMs: number; atMs: number; tripsUntilMs: number; trips: number };

export type OracleBreakers = {
  readonly isTripped: (automation: string) => boolean;
  /** For how long the automation trips where it had no start left; `undefined`: it starts. */
  readonly takeStart: (automation: string) => number | undefined;
  /** The hub starts: all buckets are full, and what tripped stays so. */
  readonly fill: () => void;
};

/** Thirty starts at once and one more each second. One more than that trips it for ten minutes, then for twenty. */
export function createBreakers(world: OracleWorld): OracleBreakers {
  const buckets = new Map<string, Bucket>();
  const full = MOST_STARTS * START_COSTS_MS;
  const bucketOf = (automation: string): Bucket => {
    const bucket = buckets.get(automation) ?? { savedMs: full, atMs: world.nowMs, tripsUntilMs: -Infinity, trips: 0 };
    buckets.set(automation, bucket);
    return bucket;
  };
  return {
    isTripped: (automation) => world.nowMs < bucketOf(automation).tripsUntilMs,
    takeStart: (automation) => {
      const bucket = bucketOf(automation);
      // After a trip it is full.
      if (bucket.atMs < bucket.tripsUntilMs) Object.assign(bucket, { savedMs: full, atMs: bucket.tripsUntilMs });
      bucket.savedMs = Math.min(full, bucket.savedMs + world.nowMs - bucket.atMs);
      bucket.atMs = world.nowMs;
      if (bucket.savedMs >= START_COSTS_MS) {
        bucket.savedMs -= START_COSTS_MS;
        return undefined;
      }
      const forMs = FIRST_TRIP_MS * 2 ** bucket.trips;
      bucket.trips += 1;
      bucket.tripsUntilMs = world.nowMs + forMs;
      return forMs;
    },
    fill: () => {
      for (const bucket of buckets.values()) bucket.savedMs = full;
    },
  };
}
