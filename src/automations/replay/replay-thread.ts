import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#base/time/clock.ts';
import { createSeriesBox, runReplayJob } from './replay-job.ts';
import { isReplayWorker, type ReplayReply, type ReplayRequest } from './replay-message.ts';

// The entry of a separate bundle, `dist/replay-thread.mjs`: a thread compiles the whole file that it runs.
if (parentPort === null || !isReplayWorker(workerData)) {
  throw new Error('this file is a thread of hearthd, not a program');
}
const port = parentPort;
const box = createSeriesBox();
port.on('message', (request: ReplayRequest) => {
  if (request.type === 'samples') {
    box.add(request.series, request.part);
    return;
  }
  const reply: ReplayReply = { simulation: runReplayJob(request.job, box.all(), systemClock) };
  port.postMessage(reply);
  port.close();
});
