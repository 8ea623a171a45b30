import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log, LogFields, LogLevel } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { encodeFailure, type StorageReply, type StorageRequest, type StorageWorkerData } from './storage-message.ts';
import { openStorage, type OwnedEngine } from '#storage/open-storage.ts';

/** Whether a worker thread was started to be the storage. */
export function isStorageWorker(workerData: unknown): workerData is StorageWorkerData {
  return typeof workerData === 'object' && workerData !== null && 'role' in workerData && workerData.role === 'storage';
}

/** The whole life of the storage's thread: opens, answers in the order of asking, closes when told to. */
export async function runStorageWorker(port: MessagePort, { folders }: StorageWorkerData): Promise<void> {
  const post = (reply: StorageReply): void => port.postMessage(reply);
  let engine: OwnedEngine;
  try {
    engine = await openStorage({
      folders,
      log: createPostingLog(post),
      wallMs: systemClock.wallMs,
      startTimer: startSystemTimer,
      random: systemRandom,
      onFailure: (cause) => post({ type: 'broken', failure: encodeFailure(cause) }),
    });
  } catch (cause) {
    post({ type: 'broken', failure: encodeFailure(cause) });
    port.close();
    return;
  }
  port.on('message', (requests: readonly StorageRequest[]) => {
    for (const request of requests) {
      if (request.type === 'call') answerCall(engine, request, post);
      else void engine.close().finally(() => port.close());
    }
  });
  post({ type: 'ready', kinds: engine.kinds });
}

function answerCall(
  engine: OwnedEngine,
  { id, operation, args }: Extract<StorageRequest, { type: 'call' }>,
  post: (reply: StorageReply) => void,
): void {
  try {
    const value = engine.run(operation, args);
    if (id !== null) post({ type: 'result', id, value });
  } catch (cause) {
    if (id !== null) post({ type: 'failed', id, failure: encodeFailure(cause) });
    // Nothing works in wasm after it has aborted: the thread must end, and a new one begin.
    if (cause instanceof Error && cause.name === 'RuntimeError') throw cause;
    // Nobody hears of a value that comes while the storage is closed for a restore; a fault of ours is not passed over.
    if (id === null && !(cause instanceof HubError)) throw cause;
  }
}

/** Lines go to the main thread's log, which has the level, the form and the one output. */
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
