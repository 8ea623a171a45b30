import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useHub } from '#web/hub.ts';

/** When something was, in words that move on by themselves; drawn anew only when the words are others. */
export function Ago({ at }: { readonly at: string }) {
  const { time } = useHub();
  const words = useMemo(() => computed(() => time.agoOf(at)), [at, time]);
  return <time dateTime={at}>{words}</time>;
}
