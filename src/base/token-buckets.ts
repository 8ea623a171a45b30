/** A ration for each name: a name may take `capacity` tokens at once and gets one back per interval. */
export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

type Bucket = { left: number; readonly sinceMs: number };

/**
 * Remembers at most `maxNames` buckets that are not full. All further names share one bucket, so that a client does not
 * get a fresh ration by taking a new name.
 */
export function createTokenBuckets(options: {
  readonly capacity: number;
  readonly refillMs: number;
  readonly maxNames: number;
  readonly monotonicMs: () => number;
}) {
  const { capacity, refillMs, maxNames, monotonicMs } = options;
  const buckets = new Map<string, Bucket>();

  const refilled = (bucket: Bucket, nowMs: number): Bucket => {
    const gained = Math.floor((nowMs - bucket.sinceMs) / refillMs);
    if (gained === 0) return bucket;
    return { left: Math.min(capacity, bucket.left + gained), sinceMs: bucket.sinceMs + gained * refillMs };
  };
  const dropFull = (nowMs: number): void => {
    for (const [name, bucket] of buckets) if (refilled(bucket, nowMs).left === capacity) buckets.delete(name);
  };
  return {
    /** Takes this many tokens (one by default) and returns true; takes none and returns false where fewer are left. */
    take: (asked: string, amount: number = 1): boolean => {
      const nowMs = monotonicMs();
      if (!buckets.has(asked) && buckets.size >= maxNames) dropFull(nowMs);
      const name = buckets.has(asked) || buckets.size < maxNames ? asked : '';
      const known = buckets.get(name);
      const bucket = known === undefined ? { left: capacity, sinceMs: nowMs } : refilled(known, nowMs);
      // A full bucket begins to refill when something is first taken from it.
      const sinceMs = bucket.left === capacity ? nowMs : bucket.sinceMs;
      if (bucket.left < amount) return false;
      buckets.set(name, { left: bucket.left - amount, sinceMs });
      return true;
    },
    /** Undoes a `take` that was true. */
    giveBack: (asked: string): void => {
      const name = buckets.has(asked) ? asked : '';
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.left = Math.min(capacity, bucket.left + 1);
    },
  };
}

export type Ration = { readonly burst: number; readonly perSecond: number };

/** An amount that may be spent at once and grows back with time. */
export type Budget = ReturnType<typeof createBudget>;

/** For work whose cost is known only afterwards; `createTokenBuckets` is for work that can be refused beforehand. */
export function createBudget({ burst, perSecond }: Ration, monotonicMs: () => number) {
  let left = burst;
  let sinceMs = monotonicMs();
  const refill = (): void => {
    const nowMs = monotonicMs();
    left = Math.min(burst, left + ((nowMs - sinceMs) * perSecond) / 1_000);
    sinceMs = nowMs;
  };
  return {
    isLeft: (): boolean => {
      refill();
      return left > 0;
    },
    /** May spend more than is left: the next caller then waits longer. */
    spend: (amount: number): void => {
      refill();
      left -= amount;
    },
  };
}
