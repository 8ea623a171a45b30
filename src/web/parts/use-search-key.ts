import { useEffect } from 'preact/hooks';
import { page as pageWords } from '#web/strings/en/page.ts';

/** Calls back when the key of the search is pressed, but not in a field: there it is a letter. */
export function useSearchKey(onPress: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      if (event.key !== pageWords.home.searchKey || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onPress]);
}
