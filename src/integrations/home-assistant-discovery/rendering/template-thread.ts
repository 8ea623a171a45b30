import { parentPort } from 'node:worker_threads';
import { createInterpreter } from '#integrations/home-assistant-discovery/template/template.ts';
import type { Answer, Task } from './thread.ts';

// The entry of a separate bundle, `dist/template-thread.mjs`: a thread compiles the whole file that it runs.
if (parentPort === null) throw new Error('this file is a thread of hearthd, not a program');
const port = parentPort;
const render = createInterpreter((epochMs) => -new Date(epochMs).getTimezoneOffset());
port.on('message', (tasks: readonly Task[]) => {
  for (const { id, rendering } of tasks) {
    const answer: Answer = { id, rendered: render(rendering) };
    port.postMessage(answer);
  }
});
port.postMessage('ready');
