import { useEffect, useRef, useState } from 'preact/hooks';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

type State<Item> = {
  /** `null` until the first ones are there. */
  readonly items: readonly Item[] | null;
  readonly next: string | null;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
};
type Pages<Item> = Omit<State<Item>, 'next'> & {
  /** There may be older ones. */
  readonly goesOn: boolean;
  readonly readOn: () => void;
};
/** The hub answers a page at once, with the cursor of the next. */
type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

const NOTHING = { items: null, next: null, isBusy: false, fault: undefined };

/** A long list that is read page by page. It begins anew when `about` changes. */
export function usePages<Item>(about: string, read: (cursor: string | null) => Promise<Page<Item>>): Pages<Item> {
  const [state, setState] = useState<State<Item>>(NOTHING);
  // An answer to an earlier question comes too late.
  const turn = useRef(0);
  const readAfter = async (known: State<Item>): Promise<void> => {
    const own = (turn.current += 1);
    setState({ ...known, isBusy: true });
    let next = known;
    const fault = await wordsIfRefused(async () => {
      const page = await read(known.next);
      next = { ...known, items: [...(known.items ?? []), ...page.items], next: page.next };
    });
    if (own === turn.current) setState({ ...next, isBusy: false, fault });
  };
  useEffect(() => void readAfter(NOTHING), [about]);
  return {
    ...state,
    goesOn: state.items === null || state.next !== null,
    readOn: () => {
      if (!state.isBusy) void readAfter(state);
    },
  };
}
