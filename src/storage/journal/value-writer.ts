import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';
import { putMetaRow } from '#storage/tables/meta-table.ts';
import { CorruptDatabaseError } from '#storage/engine/storage-failure.ts';
import { touchSessionRow } from '#storage/tables/session-table.ts';
import type { LaterWrites, SessionTouch } from '#storage/tables/stored-noun.ts';
import { appendValues, mergeLongValueLog } from './value-log.ts';

/** Writes what a power cut may undo for up to 30 s (S6): last values of devices, last uses of sessions, marks of the clock. */
export type ValueWriter = LaterWrites & {
  /** Writes what waits. If that fails, the failure is logged once and everything is kept for the next attempt. */
  readonly flush: () => void;
  /** Flushes for the last time; nothing is written afterwards. */
  readonly stop: () => void;
};

export type ValueWriterDeps = {
  readonly database: Database;
  readonly log: Log;
  readonly startTimer: StartTimer;
  /** Called after each attempt to write; `undefined` means success. */
  readonly onWrite: (failure: unknown) => void;
};

const MAX_WAITING = 200;
const VALUE_DELAY_MS = 10_000;
/** No caller waits for these: they are written with the next values, or after this time. */
const TOUCH_DELAY_MS = 25_000;
const RETRY_DELAY_MS = 5_000;

/** Keeps the last of each kind and writes all in one transaction. No timer runs while nothing waits. */
export function createValueWriter({ database, log, startTimer, onWrite }: ValueWriterDeps): ValueWriter {
  const values = new Map<string, StoredValue>();
  const touches = new Map<SessionId, SessionTouch>();
  const riders = new Map<string, string>();
  let stopTimer: (() => void) | undefined;
  let isSoon = false;
  let isFailing = false;
  let isStopped = false;

  const disarm = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    isSoon = false;
  };
  const arm = (delayMs: number): void => {
    const soon = delayMs < TOUCH_DELAY_MS;
    if (isStopped || (stopTimer !== undefined && (isSoon || !soon))) return;
    disarm();
    isSoon = soon;
    stopTimer = startTimer(delayMs, flush);
  };
  const flush = (): void => {
    disarm();
    if (values.size === 0 && touches.size === 0) return;
    try {
      database.transaction(() => {
        appendValues(database, values.values());
        for (const touch of touches.values()) touchSessionRow(database, touch);
        for (const [key, value] of riders) putMetaRow(database, key, value);
      });
      values.clear();
      touches.clear();
      riders.clear();
      mergeLongValueLog(database);
    } catch (cause) {
      if (!isOfDisk(cause)) {
        // Kept, it would block every later value.
        log.error('last values cannot be stored and are dropped', { count: values.size + touches.size, cause });
        values.clear();
        touches.clear();
        riders.clear();
        return;
      }
      if (!isFailing) log.error('last values cannot be written and wait in memory', { cause });
      isFailing = true;
      onWrite(cause);
      arm(RETRY_DELAY_MS);
      return;
    }
    if (isFailing) log.info('last values are written again');
    isFailing = false;
    onWrite(undefined);
  };

  return {
    addValue: (value) => {
      values.set(`${value.deviceId} ${value.key}`, value);
      // While the disk fails, only the retry timer writes: an attempt per change would be a storm.
      if (values.size >= MAX_WAITING && !isFailing) flush();
      else arm(VALUE_DELAY_MS);
    },
    addTouches: (touched) => {
      for (const touch of touched) touches.set(touch.id, touch);
      if (touches.size > 0) arm(TOUCH_DELAY_MS);
    },
    addMeta: (entries) => {
      for (const [key, value] of entries) riders.set(key, value);
    },
    forgetMeta: (keys) => {
      for (const key of keys) riders.delete(key);
    },
    forgetTouches: (ids) => {
      for (const id of ids) touches.delete(id);
    },
    flush,
    stop: () => {
      flush();
      isStopped = true;
      disarm();
      const lost = values.size + touches.size;
      if (lost > 0) log.warn('last values were lost at the end because they could not be written', { lost });
    },
  };
}

function isOfDisk(cause: unknown): boolean {
  return cause instanceof CorruptDatabaseError || (cause instanceof HubError && cause.code.startsWith('STORAGE_'));
}
