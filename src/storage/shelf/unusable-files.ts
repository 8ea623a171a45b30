import type { Log } from '#base/log.ts';
import type { UnusableFile } from '#core/past/history/history-store.ts';
import type { Month } from '#storage/samples/segment.ts';

/** A sound file that the hub cannot use. It is left where it is. */
export class UnusableFileError extends Error {
  readonly reason: UnusableFile['reason'];

  constructor(reason: UnusableFile['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableFileError';
    this.reason = reason;
  }
}

export function notPermitted(cause: unknown): UnusableFileError {
  return new UnusableFileError('not_permitted', 'its rights do not let the hub use it', { cause });
}

/** Stands for all files of the folder. */
export const FOLDER = 'history';

type UnusableFilesDeps = {
  readonly kind: { readonly what: string };
  readonly log: Log;
  /** Called when a file can be used again. */
  readonly onBack: (month: Month) => void;
};

/** Remembers which files are left alone, so that each is said once, and once more when it can be used again. */
export function createUnusableFiles({ kind, log, onBack }: UnusableFilesDeps) {
  const found = new Map<Month, UnusableFileError>();
  return {
    add: (month: Month, cause: UnusableFileError): void => {
      if (found.get(month)?.reason !== cause.reason) log.error(`${kind.what} is left alone`, { month, cause });
      found.set(month, cause);
    },
    remove: (month: Month): void => {
      if (!found.delete(month)) return;
      log.info(`${kind.what} can be used again`, { month });
      if (month !== FOLDER) onBack(month);
    },
    /** Forgets files that are gone. */
    keepOnly: (months: readonly Month[]): void => {
      for (const month of found.keys()) if (!months.includes(month)) found.delete(month);
    },
    find: (month: Month): UnusableFileError | undefined => found.get(month),
    list: (): readonly UnusableFile[] => [...found].map(([file, { reason }]) => ({ file, reason })),
  };
}
