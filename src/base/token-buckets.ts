/** Rations by name: each name may take so many at once, and gets one back per interval. */
export type TokenBuckets = {
  /** True if there were so many left to take, one unless told otherwise; then they are gone. */
  readonly take: (name: string, amount?: number) => boolean;
  /** Undoes a `take` that was true. */
  readonly giveBack: (name: string) => void;
};

type Bucket = { left: number; readonly sinceMs: number };

/**
 * Remembers at most `maxNames` that are not full; the names beyond share one ration, so that nobody gets a new one by
 * taking a new name.
 */
export function createTokenBuckets(options: {
  readonly capacity: number;
  readonly refillMs: number;
  readonly maxNames: number;
  readonly monotonicMs: () => number;
}): TokenBuckets {
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
    take: (asked, amount = 1) => {
      const nowMs = monotonicMs();
      if (!buckets.has(asked) && buckets.size >= maxNames) dropFull(nowMs);
      const name = buckets.has(asked) || buckets.size < maxNames ? asked : '';
      const known = buckets.get(name);
      const bucket = known === undefined ? { left: capacity, sinceMs: nowMs } : refilled(known, nowMs);
      // A full one begins to refill when it is first taken from.
      const sinceMs = bucket.left === capacity ? nowMs : bucket.sinceMs;
      if (bucket.left < amount) return false;
      buckets.set(name, { left: bucket.left - amount, sinceMs });
      return true;
    },
    giveBack: (asked) => {
      const name = buckets.has(asked) ? asked : '';
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.left = Math.min(capacity, bucket.left + 1);
    },
  };
}

export type Ration = { readonly burst: number; readonly perSecond: number };

/** So much of something at once, and so much more with each second. */
export type Budget = {
  readonly isLeft: () => boolean;
  /** May take more than is left: what follows then waits the longer. */
  readonly spend: (amount: number) => void;
};

/** For what is known to cost so much only when it is done; `createTokenBuckets` is for what costs one, or is refused. */
export function createBudget({ burst, perSecond }: Ration, monotonicMs: () => number): Budget {
  let left = burst;
  let sinceMs = monotonicMs();
  const refill = (): void => {
    const nowMs = monotonicMs();
    left = Math.min(burst, left + ((nowMs - sinceMs) * perSecond) / 1_000);
    sinceMs = nowMs;
  };
  return {
    isLeft: () => {
      refill();
      return left > 0;
    },
    spend: (amount) => {
      refill();
      left -= amount;
    },
  };
}
