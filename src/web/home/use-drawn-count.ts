import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const FIRST = 36;
const MORE = 48;

/**
 * How many cards are drawn: a screenful at once, then more whenever the browser has time, until all are there. A home of
 * a thousand devices is there to be used before its last card is.
 */
export function useDrawnCount(total: number, anew: unknown): ReadonlySignal<number> {
  const drawn = useSignal(FIRST);
  useEffect(() => {
    drawn.value = Math.min(drawn.peek(), FIRST);
  }, [anew, drawn]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const grow = (): void => {
      if (drawn.peek() >= total) return;
      drawn.value += MORE;
      stop = whenIdle(grow);
    };
    stop = whenIdle(grow);
    return () => stop?.();
  }, [total, anew, drawn]);
  return drawn;
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 200 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(task, 30);
  return () => clearTimeout(handle);
}
