import type { Runtime } from '#base/time/runtime.ts';
import type { Sealing } from './sealing.ts';
import { isOfDisk } from '#storage/engine/storage-failure.ts';
import type { LaterWrites } from '#storage/tables/stored-noun.ts';
import type { Journal } from '#storage/journal/journal.ts';

/** The journal, and when it is flushed: what a power cut may undo is written within 30 s (S6). */
export type JournalWriter = LaterWrites & {
  /** Call after each addition to the journal itself. */
  readonly noteAdded: () => void;
  readonly flushWithin: (withinMs: number) => void;
  /** Throws if the disk does not take it; everything is kept for the next attempt. */
  readonly flush: () => void;
  readonly stop: () => void;
};

type JournalWriterDeps = Pick<Runtime, 'log' | 'startTimer' | 'wallMs'> & {
  readonly journal: Journal;
  /** Moves what is flushed into the files of months. */
  readonly seal: Sealing['start'];
  /** Called after each attempt to write; `undefined` means success. */
  readonly onWrite: (failure: unknown) => void;
};

const FLUSH_MS = 30_000;
const RETRY_MS = 5_000;
const MAX_WAITING_BYTES = 65_536;
/** A block with more samples of one series is no smaller; more in all would take memory, and time at the next start. */
const SEAL_AT = { ofSeries: 4_096, inAllBytes: 480_000, afterMs: 6 * 3_600_000 };
const SEAL_RETRY_MS = 300_000;

/** No timer runs while nothing waits. */
export function createJournalWriter(deps: JournalWriterDeps): JournalWriter {
  const { journal, log, startTimer, onWrite } = deps;
  const sealIfDue = createSealer(deps);
  let timer: { readonly stop: () => void; readonly delayMs: number } | undefined;
  let isFailing = false;
  let isStopped = false;

  const disarm = (): void => {
    timer?.stop();
    timer = undefined;
  };
  const arm = (delayMs: number): void => {
    if (isStopped || (timer !== undefined && timer.delayMs <= delayMs)) return;
    disarm();
    timer = { delayMs, stop: startTimer(delayMs, tryToFlush) };
  };
  const flush = (): void => {
    disarm();
    try {
      journal.flush();
    } catch (cause) {
      if (!isOfDisk(cause)) {
        // Kept, it would block everything that comes later.
        log.error('last values cannot be stored and are dropped', { count: journal.dropWaiting(), cause });
        return;
      }
      if (!isFailing) log.error('last values cannot be written and wait in memory', { cause });
      isFailing = true;
      onWrite(cause);
      arm(RETRY_MS);
      throw cause;
    }
    if (isFailing) log.info('last values are written again');
    isFailing = false;
    sealIfDue();
  };
  function tryToFlush(): void {
    try {
      flush();
      onWrite(undefined);
    } catch (cause) {
      if (!isOfDisk(cause)) throw cause;
    }
  }
  const noteAdded = (): void => {
    // While the disk fails, only the retry timer writes: an attempt per addition would be a storm.
    if (journal.waitingBytes() >= MAX_WAITING_BYTES && !isFailing) tryToFlush();
    else arm(FLUSH_MS);
  };
  return {
    addValue: (value) => {
      journal.addValue(value);
      noteAdded();
    },
    addTouches: (touches) => {
      journal.addTouches(touches);
      if (touches.length > 0) noteAdded();
    },
    addMeta: journal.addMeta,
    ridingMeta: journal.ridingMeta,
    settleMeta: journal.settleMeta,
    forgetRidingMeta: journal.forgetRidingMeta,
    forgetTouches: journal.forgetTouches,
    noteAdded,
    flushWithin: arm,
    flush,
    stop: () => {
      tryToFlush();
      isStopped = true;
      disarm();
      try {
        journal.runs.writeNow();
      } catch (cause) {
        if (!isOfDisk(cause)) throw cause;
        log.warn('the newest traces were lost at the end because they could not be written', { cause });
      }
      const lost = journal.dropWaiting();
      if (lost > 0) log.warn('last values were lost at the end because they could not be written', { lost });
    },
  };
}

/** Seals after a flush, when enough waits or the first of it has waited long enough: nothing is written while nothing changes. */
function createSealer({ journal, log, wallMs, seal }: JournalWriterDeps): () => void {
  let sinceMs: number | undefined;
  let retryMs = -Infinity;
  const noteEnd = (nowMs: number, failure: { readonly cause: unknown } | undefined): void => {
    if (failure === undefined) sinceMs = undefined;
    else if (isOfDisk(failure.cause)) {
      retryMs = nowMs;
      log.error('history cannot be written and waits in the journal', { cause: failure.cause });
    }
  };
  const writeRuns = (nowMs: number): void => {
    try {
      journal.runs.writeNow();
      noteEnd(nowMs, undefined);
    } catch (cause) {
      if (!isOfDisk(cause)) throw cause;
      noteEnd(nowMs, { cause });
    }
  };
  return () => {
    const { samples, runs } = journal;
    const nowMs = wallMs();
    if (samples.count() === 0 && runs.isEmpty()) return;
    sinceMs ??= nowMs;
    // The wall clock may jump in either direction.
    const isOld = Math.abs(nowMs - sinceMs) >= SEAL_AT.afterMs;
    const isDue = isOld || samples.longest() >= SEAL_AT.ofSeries || samples.bytes() >= SEAL_AT.inAllBytes;
    if (!isDue || Math.abs(nowMs - retryMs) < SEAL_RETRY_MS) return;
    if (samples.count() === 0) writeRuns(nowMs);
    else seal((failure) => noteEnd(nowMs, failure));
  };
}
