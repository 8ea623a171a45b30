/** Says whether a line may be logged now, and if so how many were withheld since the last one; else `undefined`. */
export type LogTurn = () => { readonly withheld: number } | undefined;

/** At most one line per interval, so that a stranger cannot fill the disk with refusals. */
export function createLogTurn(intervalMs: number, monotonicMs: () => number): LogTurn {
  let nextMs = Number.NEGATIVE_INFINITY;
  let withheld = 0;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs < nextMs) {
      withheld += 1;
      return undefined;
    }
    const turn = { withheld };
    withheld = 0;
    nextMs = nowMs + intervalMs;
    return turn;
  };
}
