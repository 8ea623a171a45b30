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
