import { useHub } from '#web/hub.ts';

/** When something was, in words that move on by themselves. */
export function Ago({ at }: { readonly at: string }) {
  const { time } = useHub();
  return <time dateTime={at}>{time.agoOf(at)}</time>;
}
