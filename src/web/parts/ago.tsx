import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** `since 14:02`: for a state that lasts. */
export function Since({ at }: { readonly at: string }) {
  const { time } = useHub();
  const words = useMemo(() => computed(() => pageWords.time.since(time.momentOf(at))), [at, time]);
  return <time dateTime={at}>{words}</time>;
}

/** When something happened, in words that update by themselves. Drawn again only when the words change. */
export function Ago({ at }: { readonly at: string }) {
  const { time } = useHub();
  const words = useMemo(() => computed(() => time.agoOf(at)), [at, time]);
  return <time dateTime={at}>{words}</time>;
}
