import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { page as pageWords } from '#web/strings/en/page.ts';

type Keys = { readonly next: readonly string[]; readonly previous: readonly string[] };

const EVERY_ARROW: Keys = { next: ['ArrowDown', 'ArrowRight'], previous: ['ArrowUp', 'ArrowLeft'] };
/** The others change its value. */
const OF_A_SLIDER: Keys = { next: ['ArrowDown'], previous: ['ArrowUp'] };

/**
 * Makes one stop of the tab key of all controls in an element: the one that had the focus last, at first the first. The
 * arrow keys go from one to the next.
 */
export function useRovingFocus(element: RefObject<HTMLElement | null>, controls: string): void {
  const last = useRef<HTMLElement | null>(null);
  const stops = (): readonly HTMLElement[] => [
    ...(element.current?.querySelectorAll<HTMLElement>(`:is(${controls}):not(:disabled)`) ?? []),
  ];
  const mark = (): void => {
    const all = stops();
    const stop = all.find((one) => one === last.current) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  // After each drawing: controls come, go and are disabled.
  useLayoutEffect(mark);
  useEffect(() => {
    const own = element.current;
    if (own === null) return undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      if (!stops().includes(target as HTMLElement)) return;
      last.current = target as HTMLElement;
      mark();
    };
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const all = stops();
      const at = all.indexOf(target as HTMLElement);
      const isSlider = target instanceof HTMLInputElement && target.type === 'range';
      const { next, previous } = isSlider ? OF_A_SLIDER : EVERY_ARROW;
      const step = next.includes(key) ? 1 : previous.includes(key) ? -1 : 0;
      if (at === -1 || step === 0) return;
      event.preventDefault();
      all[at + step]?.focus();
    };
    own.addEventListener('focusin', onFocus);
    own.addEventListener('keydown', onKey);
    return () => {
      own.removeEventListener('focusin', onFocus);
      own.removeEventListener('keydown', onKey);
    };
  }, [element]);
}

/** Calls back when the key of the search is pressed, but not in a field, where it is a letter, nor in a dialog. */
export function useSearchKey(onPress: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
      if (event.key !== pageWords.home.searchKey || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onPress]);
}
