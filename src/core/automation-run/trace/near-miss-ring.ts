import type { NearMiss as TriggerMiss, NearMissReason } from '#core/automation/trigger/happening.ts';
import { shownOf } from '#core/automation/condition/sight.ts';
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
const NEAR_MISSES_SAVED = 16;
const SAME_WITHIN_MS = 60_000;

/** The near misses of one automation. A noisy sensor fills it with one line a minute at most. */
export function createNearMissRing(saved: readonly StoredNearMiss[] = []): NearMissRing {
  // They are counted in their place, because a meter makes a thousand of them an hour; copies are given out.
  let misses: Counted[] = saved.slice(-NEAR_MISSES_KEPT).map((one) => ({ ...one }));
  let dropped: StoredNearMiss | undefined;
  /** Where the last one of each trigger was counted: most often the next one is the same. */
  const last = new Map<string, Counted>();
  const findSame = (miss: NearMiss & OfEpoch): Counted | undefined => {
    const usual = last.get(miss.trigger);
    if (usual !== undefined && isSame(usual, miss)) return usual;
    // It is the newest of its kind: where even that is too long ago, so are the others.
    if (usual !== undefined && isLongAgo(usual, miss) && isOfKind(usual, miss)) return undefined;
    return misses.findLast((one) => isSame(one, miss));
  };
  const add = (miss: NearMiss & OfEpoch): Counted => {
    const { automation, trigger, device, key, atMs, epoch } = miss;
    const reason = shortened(miss.reason);
    // Member by member: a spread of it costs more than all else here.
    const one: Counted = { automation, trigger, device, key, reason, atMs, epoch, count: 1, lastAtMs: atMs };
    misses.push(one);
    if (misses.length <= NEAR_MISSES_KEPT) return one;
    const oldest = misses.shift();
    dropped = oldest;
    if (oldest !== undefined && last.get(oldest.trigger) === oldest) last.delete(oldest.trigger);
    return one;
  };
  return {
    put: (miss) => {
      const same = findSame(miss);
      if (same !== undefined) {
        same.reason = shortened(miss.reason);
        same.count += 1;
        same.lastAtMs = miss.atMs;
      }
      last.set(miss.trigger, same ?? add(miss));
    },
    list: () => misses.toSorted((left, right) => right.lastAtMs - left.lastAtMs).map((one) => ({ ...one })),
    saved: () => misses.slice(-NEAR_MISSES_SAVED).map((one) => ({ ...one })),
    dropped: () => dropped,
    remove: (isUnwanted) => {
      misses = misses.filter((miss) => !isUnwanted(miss));
      last.clear();
    },
  };
}

type Missed = NearMiss & OfEpoch;

/** A text of a device may have 64 kB, and there are 64 near misses of each automation. */
function shortened(reason: NearMiss['reason']): NearMiss['reason'] {
  if (!('value' in reason)) return reason;
  const value = shownOf(reason.value);
  return value === reason.value ? reason : { ...reason, value };
}

function isSame(known: StoredNearMiss, miss: Missed): boolean {
  // A replay asks this for each of the others at each sample: the number first.
  return miss.atMs >= known.lastAtMs && !isLongAgo(known, miss) && isOfKind(known, miss);
}

function isLongAgo({ lastAtMs }: StoredNearMiss, { atMs }: Missed): boolean {
  return atMs - lastAtMs >= SAME_WITHIN_MS;
}

function isOfKind(known: StoredNearMiss, miss: Missed): boolean {
  return (
    known.epoch === miss.epoch &&
    known.trigger === miss.trigger &&
    known.reason.why === miss.reason.why &&
    known.device === miss.device &&
    known.key === miss.key
  );
}
