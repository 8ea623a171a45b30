import type { NearMiss as TriggerMiss, NearMissReason } from '#core/automation/trigger/happening.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';

/** Why a trigger that fired, or a time that came, started nothing. */
export type IdleReason =
  | { readonly why: 'disabled' | 'suspended' | 'broken' | 'tripped' }
  | { readonly why: 'clock_unset' }
  | { readonly why: 'missed'; readonly lateMs: number };

/** Why an automation did not start though one of its triggers looked. */
export type NearMiss = Omit<TriggerMiss, 'reason'> & {
  readonly automation: AutomationId;
  readonly reason: NearMissReason | IdleReason;
  readonly atMs: number;
};

/** `reason` is the newest of those that were counted. */
export type KeptNearMiss = NearMiss & { readonly count: number; readonly lastAtMs: number };

/** Each has the epoch of the hub's clock that its times are of. */
type OfEpoch = { readonly epoch: string };
export type StoredNearMiss = KeptNearMiss & OfEpoch;

type Counted = { -readonly [Name in keyof StoredNearMiss]: StoredNearMiss[Name] };

export type NearMissRing = {
  /** Keeps it, or counts it if the same happened within a minute. */
  readonly put: (miss: NearMiss & OfEpoch) => void;
  /** Newest first. */
  readonly list: () => readonly StoredNearMiss[];
  /** The newest, oldest first: those that survive a restart. */
  readonly saved: () => readonly StoredNearMiss[];
  /** The newest that was dropped for a newer one. */
  readonly dropped: () => StoredNearMiss | undefined;
  readonly remove: (isUnwanted: (miss: StoredNearMiss) => boolean) => void;
};

export const NEAR_MISSES_KEPT = 64;
export const NEAR_MISSES_SAVED = 16;
const SAME_WITHIN_MS = 60_000;

/** The near misses of one automation. A noisy sensor fills it with one line a minute at most. */
export function createNearMissRing(saved: readonly StoredNearMiss[] = []): NearMissRing {
  // They are counted in their place, because a meter makes a thousand of them an hour; copies are given out.
  let misses: Counted[] = saved.slice(-NEAR_MISSES_KEPT).map((one) => ({ ...one }));
  let dropped: StoredNearMiss | undefined;
  return {
    put: (miss) => {
      for (let at = misses.length - 1; at >= 0; at -= 1) {
        const known = misses[at];
        if (known === undefined || !isSame(known, miss)) continue;
        known.reason = miss.reason;
        known.count += 1;
        known.lastAtMs = miss.atMs;
        return;
      }
      misses.push({ ...miss, count: 1, lastAtMs: miss.atMs });
      if (misses.length > NEAR_MISSES_KEPT) dropped = misses.shift();
    },
    list: () => misses.toSorted((left, right) => right.lastAtMs - left.lastAtMs).map((one) => ({ ...one })),
    saved: () => misses.slice(-NEAR_MISSES_SAVED).map((one) => ({ ...one })),
    dropped: () => dropped,
    remove: (isUnwanted) => {
      misses = misses.filter((miss) => !isUnwanted(miss));
    },
  };
}

function isSame(known: StoredNearMiss, miss: NearMiss & OfEpoch): boolean {
  const gapMs = miss.atMs - known.lastAtMs;
  // A replay asks this for each of the others at each sample: the number first.
  return (
    gapMs < SAME_WITHIN_MS &&
    gapMs >= 0 &&
    known.epoch === miss.epoch &&
    known.trigger === miss.trigger &&
    known.reason.why === miss.reason.why &&
    known.device === miss.device &&
    known.key === miss.key
  );
}
