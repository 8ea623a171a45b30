import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { CorruptDatabaseError } from '#storage/engine/storage-failure.ts';
import type { Journal } from './journal.ts';

/** Decides when the journal is flushed. */
export type JournalWriter = {
  /** Call after each addition: flushes within 30 s, or at once where much waits. */
  readonly noteAdded: () => void;
  readonly flushWithin: (withinMs: number) => void;
  /** Throws if the disk does not take it; everything is kept for the next attempt. */
  readonly flush: () => void;
  /** Flushes for the last time. */
  readonly stop: () => void;
};

export type JournalWriterDeps = {
  readonly journal: Journal;
  readonly log: Log;
  readonly startTimer: StartTimer;
  /** Called after each attempt to write; `undefined` means success. */
  readonly onWrite: (failure: unknown) => void;
};

const FLUSH_MS = 30_000;
const RETRY_MS = 5_000;
const MAX_WAITING_BYTES = 65_536;

/** No timer runs while nothing waits. */
export function createJournalWriter({ journal, log, startTimer, onWrite }: JournalWriterDeps): JournalWriter {
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
      if (!isFailing && isOfDisk(cause)) log.error('the journal cannot be written and waits in memory', { cause });
      isFailing = true;
      onWrite(cause);
      arm(RETRY_MS);
      throw cause;
    }
    if (isFailing) log.info('the journal is written again');
    isFailing = false;
  };
  function tryToFlush(): void {
    try {
      flush();
      onWrite(undefined);
    } catch (cause) {
      if (!isOfDisk(cause)) throw cause;
    }
  }
  return {
    noteAdded: () => {
      // While the disk fails, only the retry timer writes: an attempt per addition would be a storm.
      if (journal.waitingBytes() >= MAX_WAITING_BYTES && !isFailing) tryToFlush();
      else arm(FLUSH_MS);
    },
    flushWithin: arm,
    flush,
    stop: () => {
      tryToFlush();
      isStopped = true;
      disarm();
    },
  };
}

function isOfDisk(cause: unknown): boolean {
  return cause instanceof CorruptDatabaseError || (cause instanceof HubError && cause.code.startsWith('STORAGE_'));
}
