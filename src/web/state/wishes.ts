import { effect } from '@preact/signals';
import type { Feature } from '#web/client/api.ts';
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

/**
 * The wish has come true: what the device reports takes its place, which is about to come with the events or is there
 * already. Where it reports something else than was asked for, or nothing anew, `withinMs` is the end of waiting.
 */
export function dropOnceReported(spot: Spot, wish: Wish, withinMs: number): void {
  const featureNow = (): Feature | undefined => spot.entry.device.value.features.find(({ key }) => key === spot.key);
  const first = featureNow();
  const end = (): void => {
    stop();
    clearTimeout(timer);
    dropWish(spot, wish);
  };
  const timer = setTimeout(end, withinMs);
  const stop = effect(() => {
    const now = featureNow();
    const isReported = now !== first && now?.quality !== 'assumed';
    if (isReported || (now?.quality === 'confirmed' && now.value === wish.value)) queueMicrotask(end);
  });
}

/** Says of a wish that is still shown how far it has come. */
export function markWish(spot: Spot, wish: Wish, stage: Wish['stage']): void {
  const shown = spot.entry.wishes.peek().get(spot.key);
  if (shown !== undefined && shown.value === wish.value && shown.stage !== stage) putWish(spot, { ...wish, stage });
}

function isShown({ entry, key }: Spot, wish: Wish): boolean {
  const shown = entry.wishes.peek().get(key);
  return shown !== undefined && shown.value === wish.value;
}
