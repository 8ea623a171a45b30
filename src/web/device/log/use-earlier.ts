import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Timeline, TimelineLine } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export type Earlier = {
  readonly lines: readonly TimelineLine[];
  readonly isBusy: boolean;
  /** There may be older ones. */
  readonly goesOn: boolean;
  /** Reads the next lines: at first those before this time, and then on from the oldest. */
  readonly read: (before: string | undefined) => void;
};

type State = { readonly lines: readonly TimelineLine[]; readonly next: string | null | undefined };
const NOTHING: State = { lines: [], next: undefined };
const LINES = 50;

/** The lines of a device's logbook from before those that the page got as events. */
export function useEarlier(device: string): Earlier {
  const { client, messages } = useHub();
  const [state, setState] = useState(NOTHING);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => setState(NOTHING), [device]);
  const read = useCallback(
    (before: string | undefined): void => {
      if (isBusy || state.next === null) return;
      const to = before === undefined ? '' : `&to=${encodeURIComponent(before)}`;
      const onward = state.next === undefined ? to : `&cursor=${encodeURIComponent(state.next)}`;
      setIsBusy(true);
      void wordsIfRefused(async () => {
        const path = `/history/timeline?device=${device}&limit=${LINES}${onward}`;
        const { lines, next } = await client.call<Timeline>('GET', path);
        setState((known) => ({ lines: [...known.lines, ...lines], next }));
      }).then((words) => {
        setIsBusy(false);
        if (words !== undefined) messages.show(words, 'danger');
      });
    },
    [client, messages, device, isBusy, state],
  );
  return { lines: state.lines, isBusy, goesOn: state.next !== null, read };
}
