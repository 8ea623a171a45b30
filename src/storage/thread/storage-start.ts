import { startStorageWorker, type StorageWorkerOptions } from './storage-client.ts';
import type { Storage } from '#storage/storage.ts';

/** Storage that is being opened before anybody is there to use it. */
export type StorageStart = {
  /** The one that was begun ahead goes to the first who asks; each later call starts another. */
  readonly open: (onFailure: StorageWorkerOptions['onFailure']) => Promise<Storage>;
  /** Closes what was begun ahead, if nobody asked for it. */
  readonly abandon: () => Promise<void>;
};

/** Starts the storage's thread, which opens the database while this thread reads the rest of the program. */
export function startStorageAhead(options: Omit<StorageWorkerOptions, 'onFailure'>): StorageStart {
  let failure: { readonly cause: unknown } | undefined;
  let hear = (cause: unknown): void => void (failure = { cause });
  let ahead: Promise<Storage> | undefined = startStorageWorker({ ...options, onFailure: (cause) => hear(cause) });
  const take = (): Promise<Storage> | undefined => {
    const taken = ahead;
    ahead = undefined;
    return taken;
  };
  // What prevents it is told to who asks for it: until then a rejection is not one that nobody hears.
  ahead.catch(() => undefined);
  return {
    open: (onFailure) => {
      const taken = take();
      if (taken === undefined) return startStorageWorker({ ...options, onFailure });
      hear = onFailure;
      if (failure !== undefined) onFailure(failure.cause);
      return taken;
    },
    abandon: async () => {
      const [opened] = await Promise.allSettled([take()]);
      if (opened.status === 'fulfilled') await opened.value?.close();
    },
  };
}
