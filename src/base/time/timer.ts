/** Calls back once after this long; the returned function cancels it. A parameter, so that tests can control time. */
export type StartTimer = (afterMs: number, run: () => void) => () => void;

/** Node fires a timer of more at once, so that one which is set anew each time would spin. */
const LONGEST_MS = 2 ** 31 - 1;

export const startSystemTimer: StartTimer = (afterMs, run) => {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    timer = setTimeout(() => (leftMs > LONGEST_MS ? wait(leftMs - LONGEST_MS) : run()), Math.min(leftMs, LONGEST_MS));
  };
  wait(afterMs);
  return () => clearTimeout(timer);
};

/** Resolves after this long, or at once when the signal aborts; no timer is left in either case. */
export function waitMs(ms: number, startTimer: StartTimer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = startTimer(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
