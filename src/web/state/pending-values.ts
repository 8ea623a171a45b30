import { effect } from '@preact/signals';
import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry, PendingValue } from './home-state.ts';

/** One feature of one device. */
export type Spot = { readonly entry: DeviceEntry; readonly key: string };

export function putPending({ entry, key }: Spot, pending: PendingValue): void {
  entry.pending.value = new Map(entry.pending.peek()).set(key, pending);
}

/** Another pending may have taken its place meanwhile; that one stays. */
export function dropPending({ entry, key }: Spot, pending: PendingValue): void {
  if (!isShown({ entry, key }, pending)) return;
  const left = new Map(entry.pending.peek());
  left.delete(key);
  entry.pending.value = left;
}

/**
 * The pending has come true: what the device reports takes its place, which is about to come with the events or is there
 * already. Where it reports something else than was asked for, or nothing anew, `withinMs` is the end of waiting.
 */
export function dropOnceReported(spot: Spot, pending: PendingValue, withinMs: number): void {
  const featureNow = (): Feature | undefined => spot.entry.device.value.features.find(({ key }) => key === spot.key);
  const first = featureNow();
  const end = (): void => {
    stop();
    clearTimeout(timer);
    dropPending(spot, pending);
  };
  const timer = setTimeout(end, withinMs);
  const stop = effect(() => {
    const now = featureNow();
    const isReported = now !== first && now?.quality !== 'assumed';
    if (isReported || (now?.quality === 'confirmed' && now.value === pending.value)) queueMicrotask(end);
  });
}

/** Says of a pending that is still shown how far it has come. */
export function markPending(spot: Spot, pending: PendingValue, stage: PendingValue['stage']): void {
  const shown = spot.entry.pending.peek().get(spot.key);
  if (shown !== undefined && shown.value === pending.value && shown.stage !== stage)
    putPending(spot, { ...pending, stage });
}

function isShown({ entry, key }: Spot, pending: PendingValue): boolean {
  const shown = entry.pending.peek().get(key);
  return shown !== undefined && shown.value === pending.value;
}
