import { Worker } from 'node:worker_threads';

export type Stall = {
  readonly longestMs: number;
  /** Answers for which no thread waited long for a processor; the others would measure the machine. */
  readonly samples: number;
  readonly asked: number;
  /** Of all. */
  readonly longestAnswerMs: number;
};
/** An answer waits for the turn under way and for its own: one that takes longer proves a turn of more than 50 ms. */
export const MAX_ANSWER_MS = 2 * 50;

export type StallProbe = { readonly end: () => Promise<Stall> };

/**
 * Finds the longest time for which the hub's event loop did not come round. A thread asks `GET /api` without a break.
 * Before and after each it reads from Linux for how long the hub's threads and its own waited for a processor. An answer
 * with more than 10 ms of that measures the busy machine and is left out. Slow work and blocking calls of the hub show in
 * the other answers as well, because the requests that cause them come by the hundred.
 */
export function startStallProbe(address: string, pid: number): StallProbe {
  const worker = new Worker(new URL('stall-probe.mjs', import.meta.url), { workerData: { address, pid } });
  let failure: Error | undefined;
  worker.on('error', (error: Error) => (failure = error));
  return {
    end: () =>
      new Promise<Stall>((resolve, reject) => {
        if (failure !== undefined) reject(failure);
        worker.once('message', resolve).once('error', reject).postMessage('end');
      }),
  };
}
