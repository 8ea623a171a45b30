import type { Runtime } from '#base/time/runtime.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { repeat } from '#base/time/repeat.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { HistoryStore, NewSample } from './history-store.ts';
import type { GapMark, SampleValue } from './sample.ts';

export type RecorderClock = Pick<OpenHubClock, 'epoch' | 'nowMs' | 'nowInEpochMs' | 'learnedShiftMs' | 'isSynced'>;

type SampleSenderDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly store: Pick<HistoryStore, 'append' | 'listEpochs' | 'noteShift'>;
  readonly hubClock: RecorderClock;
};

/** A sample waits for this long, so that those of many devices reach the storage's thread together. */
const GATHER_MS = 100;
const CLOCK_CHECK_MS = 10_000;
/** The clock itself counts less as nothing. */
const LEAST_SHIFT_MS = 1_000;

/** Samples as they are made, a moment before they are stored. Their times are hub time. */
export type HeardSamples = {
  readonly subscribe: (listener: (sample: NewSample) => void) => () => void;
  /**
   * What is read after it has all samples that were made before, at their right times; resolves with `false` where these
   * are still to be corrected.
   */
  readonly settle: () => Promise<boolean>;
};

export type SampleSender = ReturnType<typeof createSampleSender>;

/** Sends samples to the storage's thread in batches, each with the epoch of the clock that counts its times. */
export function createSampleSender({ store, hubClock, startTimer, log }: SampleSenderDeps) {
  const waiting: NewSample[] = [];
  const listeners = createSubscribers<[NewSample]>(log);
  let stopTimer: (() => void) | undefined;
  let epoch = hubClock.epoch();

  const send = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    const samples = waiting.splice(0).toSorted((left, right) => left.atMs - right.atMs);
    if (samples.length > 0) store.append({ epoch, samples });
  };
  /** Where the last run ended before it said so, or the storage could not take it, the shift of an epoch is not kept yet. */
  let mustCheck = false;
  let wasSynced = hubClock.isSynced();
  const keepShifts = async (): Promise<void> => {
    mustCheck = false;
    try {
      for (const { epoch: past, shiftMs } of await store.listEpochs()) {
        const learnedMs = hubClock.learnedShiftMs(past);
        const isNews = learnedMs !== null && Math.abs(learnedMs - shiftMs) >= LEAST_SHIFT_MS;
        if (isNews && past !== hubClock.epoch()) await store.noteShift(past, learnedMs);
      }
    } catch (cause) {
      mustCheck = true;
      log.error('the shift of the clock could not be kept, and is tried again', { cause });
    }
  };
  const takeEpoch = (): void => {
    const now = hubClock.epoch();
    if (now !== epoch || hubClock.isSynced() !== wasSynced) mustCheck = true;
    if (now !== epoch) send();
    epoch = now;
    wasSynced = hubClock.isSynced();
  };
  const followClock = (): void => {
    takeEpoch();
    if (mustCheck) void keepShifts();
  };
  const stop = repeat(startTimer, CLOCK_CHECK_MS, followClock);
  return {
    add: (series: string, value: SampleValue | GapMark, ageMs: number = 0): void => {
      waiting.push({ series, value, atMs: (hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs()) - ageMs });
      stopTimer ??= startTimer(GATHER_MS, send);
      listeners.tell({ series, value, atMs: hubClock.nowMs() - ageMs });
    },
    send,
    stop,
    /** Notes the shifts of earlier epochs that the clock learned. Never rejects. */
    keepShifts,
    heard: {
      subscribe: listeners.add,
      settle: async () => {
        takeEpoch();
        await keepShifts();
        send();
        return !mustCheck;
      },
    },
  };
}

/** Describes a series of texts with its first one. */
export function createTextSender(
  { describeSeries }: Pick<HistoryStore, 'describeSeries'>,
  add: SampleSender['add'],
): (series: string, text: string) => void {
  const described = new Set<string>();
  return (series, text) => {
    if (!described.has(series)) describeSeries([{ name: series, kind: 'event', unit: null }]);
    described.add(series);
    add(series, text);
  };
}
