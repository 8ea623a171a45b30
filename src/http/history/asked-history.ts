import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { RouteRequest } from '#http/routing/route.ts';

type Reading = Pick<HistoryStore, 'readSlice' | 'findBefore'>;

const NOTHING = { timesMs: new Float64Array(), values: [], gaps: new Map(), next: null };

/** Reads for a request: no further part once its caller has lost the right, which it throws, or has gone. */
export function askedHistory(
  { readSlice, findBefore }: Reading,
  { authorize, signal }: Pick<RouteRequest<unknown, unknown>, 'authorize' | 'signal'>,
): Reading {
  return {
    readSlice: async (range, afterMs) => {
      authorize();
      return signal().aborted ? NOTHING : readSlice(range, afterMs);
    },
    findBefore,
  };
}
