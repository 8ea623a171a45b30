export type RetryDelays = {
  /** Milliseconds to wait before the next try; grows twofold with each call up to the maximum, with full jitter above half. */
  readonly nextMs: () => number;
  /** After a success: the next wait is the first one again. */
  readonly reset: () => void;
};

export function createRetryDelays(range: { minMs: number; maxMs: number }, random: () => number): RetryDelays {
  let attempt = 0;
  return {
    nextMs: () => {
      const ceilingMs = Math.min(range.maxMs, range.minMs * 2 ** Math.min(attempt, 30));
      attempt += 1;
      return Math.max(range.minMs, Math.round(ceilingMs * (0.5 + random() / 2)));
    },
    reset: () => {
      attempt = 0;
    },
  };
}
