import { Worker } from 'node:worker_threads';
import {
  readRecorded,
  tooLarge,
  type ReadingRequest,
  type RecordedSource,
} from '#core/automation-replay/recorded/read-recorded.ts';
import { type Simulation, SIMULATION_LIMITS } from '#core/automation-replay/simulation.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { ReplayJob, ReplayReply, ReplayRequest, ReplayWorkerData } from './replay-message.ts';

export type ReplayWorkerDeps = RecordedSource & {
  readonly threadUrl: URL;
  readonly startTimer: StartTimer;
};

export type ReplayWork = Omit<ReadingRequest, 'take' | 'inputs'> & {
  readonly job: Omit<ReplayJob, 'missing' | 'startMs' | 'workMs'>;
};

/** With the bundle of `replay-thread.ts`. */
export function simulateWith(threadUrl: URL) {
  return (source: Omit<ReplayWorkerDeps, 'threadUrl'>, work: ReplayWork): Promise<Simulation> =>
    simulateInThread({ ...source, threadUrl }, work);
}

/** The thread stops by itself; this is for one that hangs in a single step. */
const HANG_MS = 2 * SIMULATION_LIMITS.workMs;

/**
 * Reads in the storage's thread and replays in one of its own, so that the event loop only hands over. Throws HubError
 * HISTORY_NOT_KEPT and SIMULATION_TOO_LARGE, and the reason of the signal.
 */
async function simulateInThread(deps: ReplayWorkerDeps, { job, ...work }: ReplayWork): Promise<Simulation> {
  const { signal } = work;
  signal.throwIfAborted();
  const workerData: ReplayWorkerData = { role: 'replay' };
  const worker = new Worker(deps.threadUrl, { workerData, resourceLimits: { maxOldGenerationSizeMb: 192 } });
  const end = new AbortController();
  const stop = (): void => end.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const replied = replyOf(worker, end);
  // It is awaited only after the samples are read: a failure before that is thrown where it is awaited.
  replied.catch(() => undefined);
  let stopTimer: (() => void) | undefined;
  try {
    const inputs = new Set(job.inputs.keys());
    const { startMs, missing } = await readRecorded(deps, {
      ...work,
      inputs,
      signal: end.signal,
      take: (series, part) => {
        const request: ReplayRequest = { type: 'samples', series, part };
        worker.postMessage(request, [part.timesMs.buffer as ArrayBuffer]);
      },
    });
    const request: ReplayRequest = {
      type: 'replay',
      job: { ...job, startMs, missing, workMs: SIMULATION_LIMITS.workMs },
    };
    worker.postMessage(request);
    stopTimer = deps.startTimer(HANG_MS, () => end.abort(tooLarge()));
    const { simulation } = await replied;
    if (simulation === undefined) throw tooLarge();
    return simulation;
  } finally {
    stopTimer?.();
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function replyOf(worker: Worker, end: AbortController): Promise<ReplayReply> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    // Also where it has not the memory for it, which its limit makes an error and not the end of the hub.
    worker.once('error', (cause) => {
      reject(isOutOfMemory(cause) ? tooLarge() : cause);
      end.abort(cause);
    });
    worker.once('exit', (code) => reject(new Error(`the thread of a replay ended with code ${code}`)));
    end.signal.addEventListener('abort', () => reject(end.signal.reason as Error));
  });
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
