import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import {
  decodeFailure,
  type StorageReply,
  type StorageRequest,
  type StorageWorkerData,
  type WireFailure,
} from './storage-message.ts';
import type { MovedSample } from '#core/past/history/history-store.ts';
import { createStorage, type Storage } from '#storage/storage.ts';
import type { OperationKinds } from '#storage/tables/operation.ts';

export type StorageWorkerOptions = {
  readonly threadUrl: URL;
  readonly folders: StorageWorkerData['folders'];
  readonly log: Log;
  /** Called once, with a failure that only closing and starting again can repair: the thread ended, the database is damaged. */
  readonly onFailure: (cause: unknown) => void;
};

/**
 * Waking the thread costs as much as everything else that a change of a value needs. Messages without an answer therefore
 * wait this long for others, or until a call goes out.
 */
const COMPANY_MS = 100;

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (cause: Error) => void };

/** Opens the storage in a thread, so that a slow fsync does not block the event loop. Throws what opening it threw. */
export async function startStorageWorker({
  threadUrl,
  folders,
  log,
  onFailure,
}: StorageWorkerOptions): Promise<Storage> {
  const worker = startThread(threadUrl, { role: 'storage', folders });
  const waiting = new Map<number, Waiting>();
  const moved = createSubscribers<[readonly MovedSample[]]>(log);
  let state: 'starting' | 'running' | 'failed' | 'closing' = 'starting';
  let lastId = 0;

  let outbox: StorageRequest[] = [];
  let stopTimer: (() => void) | undefined;
  const post = (...requests: readonly StorageRequest[]): void => {
    stopTimer?.();
    stopTimer = undefined;
    worker.postMessage([...outbox, ...requests]);
    outbox = [];
  };
  const settle = (id: number, use: (call: Waiting) => void): void => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call !== undefined) use(call);
  };
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      for (const { reject } of waiting.values()) reject(notRunning());
      waiting.clear();
      resolve();
    });
  });
  const kinds = await new Promise<OperationKinds>((resolve, reject) => {
    const fail = (cause: Error): void => {
      reject(cause);
      if (state !== 'running') return;
      state = 'failed';
      log.error('the storage failed', { cause });
      onFailure(cause);
    };
    worker.on('error', (cause) => fail(cause instanceof Error ? cause : new Error(String(cause))));
    worker.once('exit', (code) => fail(new Error(`the storage thread ended with code ${code}`)));
    worker.on('message', (reply: StorageReply) => {
      switch (reply.type) {
        case 'ready':
          state = 'running';
          return resolve(reply.kinds);
        case 'broken':
          return fail(decodeFailure(reply.failure));
        case 'result':
          return settle(reply.id, (call) => call.resolve(reply.value));
        case 'failed':
          return settle(reply.id, (call) => call.reject(decodeFailure(reply.failure)));
        case 'moved':
          return moved.tell(reply.samples);
        case 'log':
          return writeLog(log, reply);
      }
    });
  });
  return createStorage({
    kinds,
    call: (operation, args) =>
      new Promise((resolve, reject) => {
        if (state !== 'running') return reject(notRunning());
        lastId += 1;
        post({ type: 'call', id: lastId, operation, args });
        return void waiting.set(lastId, { resolve, reject });
      }),
    send: (operation, args) => {
      outbox.push({ type: 'call', id: null, operation, args });
      stopTimer ??= startSystemTimer(COMPANY_MS, post);
    },
    onMoved: moved.add,
    close: async () => {
      state = 'closing';
      post({ type: 'close' });
      await ended;
    },
  });
}

function startThread(threadUrl: URL, workerData: StorageWorkerData): Worker {
  // Few objects live long in this thread: a young generation of the usual size would only hold 10 MB of garbage. The flag
  // of the program, which its own heap has obeyed already, would win over the limit of the thread.
  setFlagsFromString('--max-semi-space-size=0');
  return new Worker(threadUrl, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 2 } });
}

function writeLog(log: Log, { level, message, fields }: Extract<StorageReply, { type: 'log' }>): void {
  const { cause, ...others } = fields;
  log[level](message, cause === undefined ? others : { ...others, cause: decodeFailure(cause as WireFailure) });
}

function notRunning(): HubError {
  return new HubError('STORAGE_UNAVAILABLE', 'The storage is not running.', { retryAfterS: 5 });
}
