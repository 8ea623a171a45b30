import { effect } from '@preact/signals';
import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry, PendingValue } from './home-state.ts';

/** One feature of one device. */
export type Spot = { readonly entry: DeviceEntry; readonly key: string };

export function putPending({ entry, key }: Spot, pending: PendingValue): void {
  entry.pending.value = new Map(entry.pending.peek()).set(key, pending);
}

/** Keeps a newer pending value that has replaced this one. */
export function dropPending({ entry, key }: Spot, pending: PendingValue): void {
  if (!isShown({ entry, key }, pending)) return;
  const left = new Map(entry.pending.peek());
  left.delete(key);
  entry.pending.value = left;
}

/**
 * The command is confirmed: the device's report replaces the pending value. It comes with the events, or is there
 * already. If the device reports another value, or nothing new, the wait ends after `withinMs`.
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

/** Sets the stage of a pending value that is still shown. */
export function markPending(spot: Spot, pending: PendingValue, stage: PendingValue['stage']): void {
  const shown = spot.entry.pending.peek().get(spot.key);
  if (shown !== undefined && shown.value === pending.value && shown.stage !== stage)
    putPending(spot, { ...pending, stage });
}

function isShown({ entry, key }: Spot, pending: PendingValue): boolean {
  const shown = entry.pending.peek().get(key);
  return shown !== undefined && shown.value === pending.value;
}
