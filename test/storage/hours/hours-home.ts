import type { NewSample } from '#core/past/history/history-store.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createStorage, type Storage } from '#storage/storage.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A storage whose hours are made on demand. */
export type HoursHome = {
  readonly bench: Bench;
  readonly storage: () => Storage;
  readonly add: (samples: readonly NewSample[]) => void;
  /** Makes the hours of the days that are over at this moment. */
  readonly rollUpAt: (nowMs: number, zone?: string) => Promise<void>;
  /** Moves all samples into the files of their months. */
  readonly seal: () => Promise<void>;
  readonly reopen: () => Promise<void>;
  /** After the storage was closed. */
  readonly reopenClosed: () => Promise<void>;
};

export function openHoursHome(zone = 'Europe/Berlin', bench = createBench()): HoursHome {
  let storage = openStorage(bench);
  return {
    bench,
    storage: () => storage,
    add: (samples) =>
      storage.history.append({ epoch: 'e1', samples: samples.toSorted((left, right) => left.atMs - right.atMs) }),
    rollUpAt: (nowMs, name = zone) =>
      rollUp({
        ...storage,
        timeZone: () => createTimeZone(name),
        hubClock: { nowMs: () => nowMs, isSynced: () => true },
        log: bench.log,
      }),
    seal: () => storage.seal(),
    reopen: async () => {
      await storage.close();
      storage = openStorage(bench);
    },
    reopenClosed: async () => {
      storage = openStorage(bench);
    },
  };
}

function openStorage(bench: Bench): Storage & { readonly seal: () => Promise<void> } {
  const { kinds, run, onMoved, close, operations } = bench.open();
  const storage = createStorage({
    kinds,
    call: async (operation, args) => run(operation, args),
    send: (operation, args) => void run(operation, args),
    onMoved,
    close: async () => close(),
  });
  return { ...storage, seal: async () => operations.history.seal() };
}
