import { setMaxListeners } from 'node:events';
import { ConnectionFault } from '#base/network/connection-failure.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** A call ends with its time, its caller's signal, or the end of the client. */
export type CallLimit = {
  /** Aborts with a ConnectionFault. */
  readonly signal: AbortSignal;
  readonly stopTimer: () => void;
  /** Leaves no timer and no listener. */
  readonly end: () => void;
};

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Starts the time of a call. Its signals may live on for long, so `end` must be called in the end. */
export function startCallLimit(
  startTimer: StartTimer,
  timeoutMs: number,
  signals: readonly (AbortSignal | undefined)[],
): CallLimit {
  const ending = new AbortController();
  const abort = (): void => ending.abort(new ConnectionFault('aborted', 'the hub broke off'));
  const stopTimer = startTimer(timeoutMs, () =>
    ending.abort(new ConnectionFault('timeout', `no answer within ${timeoutMs / 1_000} s`)),
  );
  const given = signals.filter((signal) => signal !== undefined);
  // All calls of an instance may have one signal; Node.js would warn of a leak.
  setMaxListeners(0, ...given);
  for (const signal of given) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: ending.signal,
    stopTimer,
    end: () => {
      stopTimer();
      for (const signal of given) signal.removeEventListener('abort', abort);
    },
  };
}
