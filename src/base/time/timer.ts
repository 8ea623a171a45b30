/** Calls back once after this long; the returned function cancels it. A parameter, so that tests can control time. */
export type StartTimer = (afterMs: number, run: () => void) => () => void;

export const startSystemTimer: StartTimer = (afterMs, run) => {
  const timer = setTimeout(run, afterMs);
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
