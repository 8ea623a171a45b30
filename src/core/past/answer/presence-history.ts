import type { AnswerHistory } from './question.ts';
import type { HistoryStore, SeriesSummary } from '#core/past/history/history-store.ts';
import type { HourStore } from '#core/past/hour/hour-store.ts';
import { shownFrom } from '#core/past/hour/shown-history.ts';
import type { UserId } from '#core/person/user.ts';
import { houseSeriesFrom, houseSeriesOf, isPresence } from '#core/past/history/house-series.ts';

const DAY_MS = 86_400_000;
/** It tells how people live, so that it is shown for no longer. */
const SHOWN_MS = 30 * DAY_MS;
/** Overwriting a part of a month writes all of it, so that it waits for a month of samples. */
const KEPT_MS = 2 * SHOWN_MS;

/** The same stores, in which no presence is older than 30 days. */
export function withRecentPresence(
  { history, hours }: { readonly history: HistoryStore; readonly hours: HourStore },
  nowMs: () => number,
): { readonly history: HistoryStore; readonly hours: HourStore } {
  const limitMs = (series: string): number => shownFromMs(series, nowMs());
  const shown = shownFrom({ history, hours }, limitMs);
  return {
    history: {
      ...history,
      ...shown.history,
      importSamples: (descriptions, samples) =>
        history.importSamples(
          descriptions,
          samples.filter(({ series, atMs }) => atMs >= limitMs(series)),
        ),
      findSeries: async (name) => {
        const found = await history.findSeries(name);
        return found && recentSummary(found, limitMs(name));
      },
      listSeries: async (after) => {
        const page = await history.listSeries(after);
        return { ...page, series: page.series.map((one) => recentSummary(one, limitMs(one.name))) };
      },
    },
    hours: { ...hours, ...shown.hours },
  };
}

/** Answers of the same kind. */
export function withRecentAnswers(answerHistory: AnswerHistory, nowMs: () => number): AnswerHistory {
  return (question, signal) => {
    const series = question.series.map((one) => ({ ...one, shownFromMs: shownFromMs(one.name, nowMs()) }));
    return answerHistory({ ...question, series }, signal);
  };
}

/** Nothing before it is read. */
function shownFromMs(series: string, nowMs: number): number {
  return isPresence(series) ? nowMs - SHOWN_MS : -Infinity;
}

function recentSummary(summary: SeriesSummary, limitMs: number): SeriesSummary {
  const firstMs = Math.max(summary.firstMs, limitMs);
  return { ...summary, firstMs, lastMs: Math.max(firstMs, summary.lastMs) };
}

export type ForgetPersonDeps = {
  readonly history: Pick<HistoryStore, 'deleteSamples'>;
  /** Deletes what automations kept of the presence of people in this time. */
  readonly forgetTraces: (range: { readonly fromMs: number; readonly toMs: number }) => Promise<void>;
};

type PresenceUpkeepDeps = ForgetPersonDeps & {
  readonly history: Pick<HistoryStore, 'listSeries'>;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  readonly isPerson: (id: UserId) => boolean;
};

/** Deletes the presence of people who have no account, and what is too old of the others. */
export async function forgetOldPresence(deps: PresenceUpkeepDeps): Promise<void> {
  const { history, hubClock, isPerson } = deps;
  const nowMs = hubClock.nowMs();
  for (let after: string | null = null; ;) {
    const page = await history.listSeries(after);
    for (const { name, firstMs } of page.series) {
      if (!isPresence(name)) continue;
      const key = houseSeriesFrom(name)?.key as UserId;
      if (!isPerson(key)) await forgetPerson(deps, key, nowMs);
      else if (hubClock.isSynced() && firstMs < nowMs - KEPT_MS) {
        await history.deleteSamples([{ series: name, fromMs: -Infinity, toMs: nowMs - SHOWN_MS, retires: 'all' }]);
      }
    }
    if (page.next === null) return;
    after = page.next;
  }
}

/** The recorder sends what it noted at last within this time. */
const SETTLE_MS = 1_000;

/**
 * Nobody reads the presence of this person any more. The traces go first: as long as there are samples, the next upkeep
 * tries both again.
 */
export async function forgetPerson(
  { history, forgetTraces }: ForgetPersonDeps,
  id: UserId,
  nowMs: number,
): Promise<void> {
  const series = houseSeriesOf('presence', id);
  await forgetTraces({ fromMs: -Infinity, toMs: nowMs + SETTLE_MS });
  await history.deleteSamples([{ series, fromMs: -Infinity, toMs: nowMs + SETTLE_MS, isEnd: true, retires: 'all' }]);
}
