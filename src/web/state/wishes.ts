import type { DeviceEntry, Wish } from './home-state.ts';

/** One feature of one device. */
export type Spot = { readonly entry: DeviceEntry; readonly key: string };

export function putWish({ entry, key }: Spot, wish: Wish): void {
  entry.wishes.value = new Map(entry.wishes.peek()).set(key, wish);
}

/** Another wish may have taken its place meanwhile; that one stays. */
export function dropWish({ entry, key }: Spot, wish: Wish): void {
  if (!isShown({ entry, key }, wish)) return;
  const left = new Map(entry.wishes.peek());
  left.delete(key);
  entry.wishes.value = left;
}

/** Says of a wish that is still shown that it waits for the device to wake. */
export function markWaiting(spot: Spot, wish: Wish): void {
  if (isShown(spot, wish)) putWish(spot, { ...wish, isWaiting: true });
}

function isShown({ entry, key }: Spot, wish: Wish): boolean {
  const shown = entry.wishes.peek().get(key);
  return shown !== undefined && shown.value === wish.value;
}
