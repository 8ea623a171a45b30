import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const FIRST = 20;
/** Few enough that an old phone can respond to a finger in between. */
const MORE = 10;
const MORE_ON_SCROLL = 30;
/** Draws this far ahead of what is visible. */
const AHEAD_PX = 1_600;

/**
 * How many cards are drawn: a screenful at once, then more whenever the browser has time or their end comes near, until
 * all are there. A home of a thousand devices is there to be used before its last card is.
 */
export function useDrawnCount(
  total: number,
  anew: unknown,
  end: RefObject<HTMLElement | null>,
): ReadonlySignal<number> {
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
  useEffect(() => {
    const isNear = (): boolean => (end.current?.getBoundingClientRect().top ?? Infinity) < innerHeight + AHEAD_PX;
    const onScroll = (): void => {
      if (drawn.peek() < total && isNear()) drawn.value += MORE_ON_SCROLL;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [total, end, drawn]);
  return drawn;
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 500 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(task, 60);
  return () => clearTimeout(handle);
}
