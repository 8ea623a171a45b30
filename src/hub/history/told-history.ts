import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { HistoryStore, MovedSample } from '#core/past/history/history-store.ts';

/** Calls the listener when samples of these series came into the past or went from it; `null`: of any. */
type OnPastChange = (listener: (series: ReadonlySet<string> | null) => void) => () => void;

/** Calls the listener with samples that did not keep their times when they were stored. */
type OnMoved = (listener: (moved: readonly MovedSample[]) => void) => () => void;

type WithPast = {
  readonly storage: { readonly history: HistoryStore; readonly onMoved: OnMoved };
  readonly log: Log;
};

/** The same deps, whose history tells when somebody changes the past: what was read of it before does not hold any more. */
export function tellPast<Deps extends WithPast>(
  given: Deps,
): {
  readonly deps: Deps;
  readonly history: HistoryStore;
  readonly onPastChange: OnPastChange;
  readonly onMoved: OnMoved;
} {
  const listeners = createSubscribers<[ReadonlySet<string> | null]>(given.log);
  const { storage } = given;
  const history = toldHistory(storage.history, listeners.tell);
  const { add: onPastChange } = listeners;
  return { deps: { ...given, storage: { ...storage, history } }, history, onPastChange, onMoved: storage.onMoved };
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
