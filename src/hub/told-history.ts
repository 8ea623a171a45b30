import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';

/** Tells when somebody changes the past. */
export type PastChanges = {
  /** Calls the listener when samples of these series came into the past or went from it; `null`: of any. */
  readonly onPastChange: (listener: (series: ReadonlySet<string> | null) => void) => () => void;
};

/** The same storage, whose history tells of each change of the past: what was read of it before does not hold any more. */
export function tellPast<Stores extends { readonly history: HistoryStore }>(
  storage: Stores,
  log: Log,
): Stores & PastChanges {
  const listeners = createSubscribers<[ReadonlySet<string> | null]>(log);
  return { ...storage, history: toldHistory(storage.history, listeners.tell), onPastChange: listeners.add };
}

function toldHistory(history: HistoryStore, tell: (series: ReadonlySet<string> | null) => void): HistoryStore {
  return {
    ...history,
    importSamples: async (descriptions, samples) => {
      const count = await history.importSamples(descriptions, samples);
      tell(new Set(samples.map(({ series }) => series)));
      return count;
    },
    noteShift: async (epoch, shiftMs) => {
      await history.noteShift(epoch, shiftMs);
      tell(null);
    },
    deleteSamples: async (ranges) => {
      await history.deleteSamples(ranges);
      tell(new Set(ranges.map(({ series }) => series)));
    },
    forgetMonths: async (limits) => {
      const months = await history.forgetMonths(limits);
      if (months.length > 0 && limits.isTrial !== true) tell(null);
      return months;
    },
  };
}
