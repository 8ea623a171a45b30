import type { EntryStore, StoredEntry } from '#core/automation-run/live.ts';
import type { KeyedRecord, KeyedStore } from '#core/records/keyed-records.ts';

/** Where entries are kept: `cut` is what the power does to it. */
export type EntryDisk = {
  /** `onDeath`: the power went while it was writing. */
  readonly open: (onDeath: () => void) => EntryStore;
  readonly cut: () => void;
};

/** A disk of paper: what waits is written when its time comes, or with what must be written first. */
export function createPaperDisk(startTimer: (ms: number, run: () => void) => () => void): EntryDisk {
  const written = new Map<string, StoredEntry>();
  let waiting: StoredEntry[] = [];
  const flush = (): void => {
    for (const entry of waiting) {
      if (entry.value === null) written.delete(entry.key);
      else written.set(entry.key, entry);
    }
    waiting = [];
  };
  return {
    open: () => ({
      loadEntries: async () => JSON.parse(JSON.stringify([...written.values()])) as StoredEntry[],
      keepEntries: (entries, withinMs) => {
        waiting.push(...entries);
        startTimer(withinMs, flush);
      },
      writeEntries: async (entries) => {
        waiting.push(...entries);
        flush();
      },
    }),
    cut: () => {
      waiting = [];
    },
  };
}

/** A table of the modes, variables or presences, that outlives the hub. */
export function keyedDisk<Item extends KeyedRecord>(): KeyedStore<Item> {
  const items = new Map<string, Item>();
  return {
    load: async () => [...items.values()],
    save: async (item) => void items.set(item.key, item),
    remove: async (key) => void items.delete(key),
  };
}
