import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { createTimeZone, type TimeZone } from '#base/time/time-zone.ts';
import { answerQuestion } from '#core/past/answer/answer.ts';
import type { AnswerHistory, HistoryAnswer, HistoryQuestion } from '#core/past/answer/question.ts';
import type { HourPartsDeps } from '#core/past/hour/hour-parts.ts';
import type { History } from './history.ts';
import { answer, type PortOf, post } from '#storage/tables/operation.ts';
import type { createHoursOperations } from './hours-operations.ts';

type QuestionDeps = {
  readonly history: History;
  readonly hours: ReturnType<typeof createHoursOperations>;
  /** Throws while the storage is closed, as for a restore. */
  readonly refuseIfClosed: () => void;
};

/** Drawing a sample takes as long as reading it, so that both together take as long as any other slice. */
const SLICE_SAMPLES = 10_000;

/** Questions are answered where the samples are. Each slice of one is read in a turn of its own, between the calls of others. */
export function createQuestionOperations({ history, hours, refuseIfClosed }: QuestionDeps) {
  const underWay = new Set<number>();
  const zones = new Map<string, TimeZone>();
  const timeZone = (name: string): TimeZone => {
    const known = zones.get(name) ?? createTimeZone(name);
    // The hub has one at a time.
    zones.clear();
    zones.set(name, known);
    return known;
  };
  const inTurn = async <Result>(read: () => Result): Promise<Result> => {
    await turnOfOthers();
    refuseIfClosed();
    return read();
  };
  const stores: HourPartsDeps = {
    history: {
      findBefore: (series, atMs) => inTurn(() => history.findBefore(series, atMs)),
      readSlice: (range, afterMs) => inTurn(() => history.readSlice(range, { afterMs, samples: SLICE_SAMPLES })),
    },
    hours: {
      readSamplesFrom: (series) => inTurn(() => hours.readSamplesFrom.run(series)),
      readHours: (series, range) => inTurn(() => hours.readHours.run(series, range)),
    },
  };
  return {
    answer: answer(async (id: number, question: HistoryQuestion): Promise<HistoryAnswer> => {
      underWay.add(id);
      try {
        return await answerQuestion({ ...stores, timeZone, isStopped: () => !underWay.has(id) }, question);
      } finally {
        underWay.delete(id);
      }
    }),
    stop: post((id: number): void => void underWay.delete(id)),
  };
}

type Questions = PortOf<ReturnType<typeof createQuestionOperations>>;

/** Asks the thread, and says so when nobody waits for the answer any more. */
export function createAnswerHistory({ answer: ask, stop }: Questions): AnswerHistory {
  let lastId = 0;
  return async (question, signal) => {
    lastId += 1;
    const id = lastId;
    const onAbort = (): void => stop(id);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const answered = ask(id, question);
      // It may have waited for its turn longer than the client did.
      if (signal.aborted) onAbort();
      return await answered;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}
