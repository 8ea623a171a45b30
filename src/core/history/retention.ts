import type { Log } from '#base/log.ts';
import type { HistoryLimits, HistoryStore } from './history-store.ts';
import type { HistorySettings } from './history-settings.ts';

export type RetentionDeps = {
  readonly history: Pick<HistoryStore, 'forgetMonths'>;
  readonly settings: HistorySettings;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  /** The size of the file system on which the history is. */
  readonly diskBytes: number;
  readonly log: Log;
};

const DAY_MS = 86_400_000;
const MAX_BYTES = 1024 ** 3;
const MAX_PART_OF_DISK = 0.1;

/** Removes the months that are too old, or for which there is no room. A clock that may be wrong removes nothing. */
export async function forgetOldHistory(deps: RetentionDeps): Promise<void> {
  if (!deps.hubClock.isSynced()) return;
  const months = await deps.history.forgetMonths(limitsOf(deps));
  if (months.length > 0) deps.log.info('old history was removed', { months });
}

/** The months that `forgetOldHistory` would remove with these settings. */
export async function findOldHistory(deps: Omit<RetentionDeps, 'log'>): Promise<readonly string[]> {
  return deps.hubClock.isSynced() ? deps.history.forgetMonths({ ...limitsOf(deps), isTrial: true }) : [];
}

function limitsOf({ settings, hubClock, diskBytes }: Omit<RetentionDeps, 'log'>): HistoryLimits {
  return {
    keepFromMs: hubClock.nowMs() - settings.rawDays * DAY_MS,
    maxBytes: settings.maxBytes ?? Math.min(MAX_BYTES, diskBytes * MAX_PART_OF_DISK),
  };
}
