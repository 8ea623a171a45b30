import type { Log } from '#base/log.ts';
import type { HistoryStore } from './history-store.ts';

export type RetentionDeps = {
  readonly history: Pick<HistoryStore, 'forgetMonths'>;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  /** The size of the file system on which the history is. */
  readonly diskBytes: number;
  readonly log: Log;
};

const DAY_MS = 86_400_000;
/** A little more than a year, so that a month can be compared with the same one of last year. */
const KEEP_MS = 400 * DAY_MS;
const MAX_BYTES = 1024 ** 3;
const MAX_PART_OF_DISK = 0.1;

/** Removes the months that are too old, or for which there is no room. A clock that may be wrong removes nothing. */
export async function forgetOldHistory({ history, hubClock, diskBytes, log }: RetentionDeps): Promise<void> {
  if (!hubClock.isSynced()) return;
  const limits = {
    keepFromMs: hubClock.nowMs() - KEEP_MS,
    maxBytes: Math.min(MAX_BYTES, diskBytes * MAX_PART_OF_DISK),
  };
  const months = await history.forgetMonths(limits);
  if (months.length > 0) log.info('old history was removed', { months });
}
