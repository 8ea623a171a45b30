import { useEffect, useRef, useState } from 'preact/hooks';
import type { Timeline, TimelineLine } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

type State = {
  /** `null` until the first ones are there. */
  readonly lines: readonly TimelineLine[] | null;
  readonly next: string | null;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
};
type LogPages = Omit<State, 'next'> & {
  /** There may be older ones. */
  readonly goesOn: boolean;
  readonly readOn: () => void;
};

const LINES = 50;
const NOTHING: State = { lines: null, next: null, isBusy: false, fault: undefined };

/** The lines of the logbook, the newest first; of a device or room unless these are ''. */
export function useLogPages(device: string, room: string): LogPages {
  const { client } = useHub();
  const [state, setState] = useState(NOTHING);
  // An answer to an earlier question comes too late.
  const turn = useRef(0);
  const about = [
    device === '' ? '' : `device=${encodeURIComponent(device)}&`,
    room === '' ? '' : `room=${encodeURIComponent(room)}&`,
  ].join('');
  const read = async (known: State): Promise<void> => {
    const own = (turn.current += 1);
    setState({ ...known, isBusy: true });
    let next = known;
    const fault = await wordsIfRefused(async () => {
      const cursor = known.next === null ? '' : `&cursor=${encodeURIComponent(known.next)}`;
      const answer = await client.call<Timeline>('GET', `/history/timeline?${about}limit=${LINES}${cursor}`);
      next = { ...known, lines: [...(known.lines ?? []), ...answer.lines], next: answer.next };
    });
    if (own === turn.current) setState({ ...next, isBusy: false, fault });
  };
  useEffect(() => void read(NOTHING), [client, about]);
  return {
    ...state,
    goesOn: state.lines === null || state.next !== null,
    readOn: () => {
      if (!state.isBusy) void read(state);
    },
  };
}
