import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log, LogFields, LogLevel } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { openSafeModeOf } from '#base/safe-mode/safe-mode.ts';
import { createMachine } from '#base/time/machine.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { encodeFailure, type StorageReply, type StorageRequest, type StorageWorkerData } from './storage-message.ts';
import { openStorage, type OwnedEngine } from '#storage/open/open-storage.ts';

/** Whether a worker thread was started to be the storage. */
export function isStorageWorker(workerData: unknown): workerData is StorageWorkerData {
  return typeof workerData === 'object' && workerData !== null && 'role' in workerData && workerData.role === 'storage';
}

/** The whole life of the storage's thread: opens the storage, answers calls in order, and closes it on request. */
export async function runStorageWorker(
  port: MessagePort,
  { folders }: StorageWorkerData,
  version: string,
): Promise<void> {
  const post: Post = (reply, moved = []) => port.postMessage(reply, moved);
  const log = createPostingLog(post);
  let engine: OwnedEngine;
  try {
    engine = await openStorage({
      folders,
      version,
      log,
      wallMs: systemClock.wallMs,
      startTimer: startSystemTimer,
      random: systemRandom,
      openSafeMode: () =>
        openSafeModeOf({
          folders,
          machine: createMachine({ clock: systemClock, random: systemRandom, isSynced: () => false }),
          startTimer: startSystemTimer,
          isQuiet: true,
          log: log.part('safe mode'),
        }),
      onFailure: (cause) => post({ type: 'broken', failure: encodeFailure(cause) }),
    });
  } catch (cause) {
    post({ type: 'broken', failure: encodeFailure(cause) });
    port.close();
    return;
  }
  engine.onMoved((samples) => post({ type: 'moved', samples }));
  port.on('message', (requests: readonly StorageRequest[]) => {
    for (const request of requests) {
      if (request.type === 'call') answerCall(engine, request, post);
      else void engine.close().finally(() => port.close());
    }
  });
  // After the opening, for which the whole start waits.
  letOthersFirst(log);
  post({ type: 'ready', kinds: engine.kinds });
}

/** With one core for both, a thread of usual priority gets three quarters of it. */
const NICER_BY = 5;
const NICEST = 19;

/**
 * A question about a year, a backup or the hours of a day keeps this thread busy, and the first thread, which answers
 * requests, shall not wait for the processor meanwhile. Linux lets a thread lower its own priority without any right, and
 * raise it only with one; so it is low also for a change whose answer waits for the disk.
 */
function letOthersFirst(log: Log): void {
  try {
    const [program, , thread] = readlinkSync('/proc/thread-self').split('/').map(Number);
    // The numbers of another namespace would name a process of somebody else.
    if (program !== process.pid || thread === undefined) throw new Error('/proc is not of this process');
    setPriority(thread, Math.min(getPriority(thread) + NICER_BY, NICEST));
  } catch (cause) {
    log.debug('the storage keeps the priority of the program', { cause });
  }
}

type Post = (reply: StorageReply, moved?: readonly ArrayBuffer[]) => void;

function answerCall(
  engine: OwnedEngine,
  { id, operation, args }: Extract<StorageRequest, { type: 'call' }>,
  post: Post,
): void {
  const fail = (cause: unknown): void => {
    if (id !== null) post({ type: 'failed', id, failure: encodeFailure(cause) });
    // After an abort nothing works in wasm any more: the thread must end and a new one start.
    if (cause instanceof Error && cause.name === 'RuntimeError') throw cause;
    // A value that arrives while the storage is closed for a restore is dropped; a bug of ours is not ignored.
    if (id === null && !(cause instanceof HubError)) throw cause;
  };
  try {
    const value = engine.run(operation, args);
    if (id === null) return;
    if (value instanceof Promise) {
      const answered = (value as Promise<MovedResult>).then((moved) =>
        post({ type: 'result', id, value: moved }, [moved.bytes.buffer]),
      );
      // What this throws ends the thread, as below.
      void answered.catch(fail);
    } else post({ type: 'result', id, value });
  } catch (cause) {
    fail(cause);
  }
}

/** Only operations of the kind `answer` return promises. */
type MovedResult = { readonly bytes: Uint8Array<ArrayBuffer> };

/** Sends lines to the main thread's log, which knows the level and the format and writes them all in order. */
function createPostingLog(post: (reply: StorageReply) => void): Log {
  const postAt =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      const { cause, ...others } = fields;
      const plain = JSON.parse(JSON.stringify(others)) as LogFields;
      post({
        type: 'log',
        level,
        message,
        fields: cause === undefined ? plain : { ...plain, cause: encodeFailure(cause) },
      });
    };
  const log: Log = {
    error: postAt('error'),
    warn: postAt('warn'),
    info: postAt('info'),
    debug: postAt('debug'),
    part: () => log,
  };
  return log;
}
