import { readFileSync } from 'node:fs';

/** Milliseconds for which this thread had a processor; waiting for one does not count. */
export function onProcessorMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** Watches for the longest stretch of work between two turns of the event loop; `stop` returns it in milliseconds. */
export function watchStalls(): { readonly stop: () => number } {
  let longestMs = 0;
  let lastMs = onProcessorMs();
  let isOn = true;
  const turn = (): void => {
    const nowMs = onProcessorMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop: () => {
      isOn = false;
      return longestMs;
    },
  };
}
