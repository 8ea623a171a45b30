import { useLayoutEffect, useRef } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';

/** Asks before a page with unsaved changes is left, be it by a link, by going back or by closing. Returns what ends that. */
export function useLeaving(isChanged: boolean): () => void {
  const { router, questions } = useHub();
  const isHeld = useRef(false);
  isHeld.current = isChanged;
  // With the change itself: the effects after the next frame are too late for somebody who types and leaves at once.
  useLayoutEffect(() => {
    if (!isChanged) return undefined;
    const stay = (event: BeforeUnloadEvent): void => {
      if (isHeld.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', stay);
    router.hold((leave) =>
      questions.ask(
        { title: rulePageWords.leaveTitle, text: rulePageWords.leaveText, confirm: rulePageWords.leave },
        leave,
      ),
    );
    return () => {
      window.removeEventListener('beforeunload', stay);
      router.hold(null);
    };
  }, [isChanged, router, questions]);
  return () => {
    isHeld.current = false;
    router.hold(null);
  };
}
