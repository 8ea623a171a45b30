/** Limits of a ring: items and bytes of frames. The newest item stays, however large it is. */
export type RingSize = { readonly capacity: number; readonly maxBytes: number };

type Item = { readonly sequence: number; readonly frame: Buffer };

/** Keeps the newest items in the order of arrival. Their numbers rise, with gaps. */
export type EventRing<Kept extends Item> = {
  readonly push: (item: Kept) => void;
  /** Number of the newest item that was dropped; 0 before the first. */
  readonly lastGone: () => number;
  /** The place of the first item after this number; valid until the next push. */
  readonly placeAfter: (sequence: number) => number;
  /** `undefined` after the last item. */
  readonly at: (place: number) => Kept | undefined;
};

export function createEventRing<Kept extends Item>({ capacity, maxBytes }: RingSize): EventRing<Kept> {
  // The n-th item is at index n modulo the capacity. The ring has those from `first` to before `end`.
  const items: (Kept | undefined)[] = [];
  let first = 0;
  let end = 0;
  let bytes = 0;
  let lastGone = 0;

  const at = (place: number): Kept | undefined => (place < end ? items[place % capacity] : undefined);
  const dropFirst = (): void => {
    const gone = at(first);
    items[first % capacity] = undefined;
    first += 1;
    bytes -= gone?.frame.length ?? 0;
    lastGone = gone?.sequence ?? lastGone;
  };

  const isTooLarge = (): boolean => bytes > maxBytes && end - first > 1;

  return {
    push: (item) => {
      if (end - first === capacity) dropFirst();
      items[end % capacity] = item;
      end += 1;
      bytes += item.frame.length;
      while (isTooLarge()) dropFirst();
    },
    lastGone: () => lastGone,
    placeAfter: (sequence) => {
      let [low, high] = [first, end];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if ((at(middle)?.sequence ?? 0) > sequence) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    at,
  };
}
