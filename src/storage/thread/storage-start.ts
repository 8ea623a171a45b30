import { startStorageWorker, type StorageWorkerOptions } from './storage-client.ts';
import type { Storage } from '#storage/storage.ts';

/** Storage that is being opened before its user is ready. */
export type StorageStart = ReturnType<typeof startStorageAhead>;

/** Starts the storage's thread, which opens the database while this thread loads the rest of the program. */
export function startStorageAhead(options: Omit<StorageWorkerOptions, 'onFailure'>) {
  let failure: { readonly cause: unknown } | undefined;
  let hear = (cause: unknown): void => void (failure = { cause });
  let ahead: Promise<Storage> | undefined = startStorageWorker({ ...options, onFailure: (cause) => hear(cause) });
  const take = (): Promise<Storage> | undefined => {
    const taken = ahead;
    ahead = undefined;
    return taken;
  };
  // A failure is reported to the first caller of `open`; the empty catch keeps Node from reporting an unhandled rejection.
  ahead.catch(() => undefined);
  return {
    /** The first call gets the storage that was opened ahead; each later call opens another one. */
    open: (onFailure: StorageWorkerOptions['onFailure']): Promise<Storage> => {
      const taken = take();
      if (taken === undefined) return startStorageWorker({ ...options, onFailure });
      hear = onFailure;
      if (failure !== undefined) onFailure(failure.cause);
      return taken;
    },
    /** Closes the storage that was opened ahead, if no call took it. */
    abandon: async (): Promise<void> => {
      const [opened] = await Promise.allSettled([take()]);
      if (opened.status === 'fulfilled') await opened.value?.close();
    },
  };
}
