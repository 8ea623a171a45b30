import { createTimeZone } from '#base/time/time-zone.ts';
import { answerQuestion } from '#core/past/answer/answer.ts';
import type { AnswerHistory } from '#core/past/answer/question.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { isGap, type Sample } from '#core/past/history/sample.ts';
import type { HourStore } from '#core/past/hour/hour-store.ts';

/** A store of hours of which none are made. */
export function createNoHours(): HourStore {
  const unused = (): never => {
    throw new Error('this store is only read');
  };
  return {
    readDue: unused,
    putDays: unused,
    finishDays: unused,
    readSamplesFrom: async () => 0,
    readHours: async () => ({ hours: [], gaps: [], made: [], next: null }),
  };
}

/** A store that has these samples of every series and takes no more. It gives them in slices of so many moments. */
export function createHistory(samples: readonly Sample[], moments = 3): HistoryStore {
  const unused = (): never => {
    throw new Error('this store is only read');
  };
  return {
    describeSeries: unused,
    append: unused,
    importSamples: unused,
    flushWithin: unused,
    flush: unused,
    noteShift: unused,
    listEpochs: unused,
    findSeries: async () => null,
    listSeries: async () => ({ series: [], next: null }),
    readNumbered: unused,
    locate: unused,
    deleteSamples: unused,
    eraseDeleted: unused,
    scrub: unused,
    forgetMonths: unused,
    readUsage: unused,
    readMonthUse: unused,
    findBefore: async (_, atMs) => samples.findLast((one) => one.atMs < atMs) ?? null,
    readSlice: async ({ fromMs, toMs }, afterMs) => {
      const from = afterMs === null ? fromMs : afterMs + 1;
      const found = samples.filter(({ atMs }) => atMs >= from && atMs < toMs);
      // A slice ends between two moments.
      const lastMs = found[moments - 1]?.atMs ?? Infinity;
      const slice = found.filter(({ atMs }) => atMs <= lastMs);
      return {
        timesMs: Float64Array.from(slice, ({ atMs }) => atMs),
        values: slice.map(({ value }) => (isGap(value) ? null : value)),
        gaps: new Map(slice.flatMap(({ value }, index) => (isGap(value) ? [[index, value] as const] : []))),
        next: slice.length === found.length ? null : lastMs,
      };
    },
  };
}

/** Answers from the samples of a store, of which no hours are made. */
export function createAnswers(history: Pick<HistoryStore, 'findBefore' | 'readSlice'>): AnswerHistory {
  const deps = { history, hours: createNoHours(), timeZone: createTimeZone };
  return (question, signal) => answerQuestion({ ...deps, isStopped: () => signal.aborted }, question);
}
