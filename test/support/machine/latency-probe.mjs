// A thread of its own, so that it measures the hub and not the busy test.
import { request, Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { address, token, everyMs, paths } = workerData;
const agent = new Agent({ keepAlive: true });
/** @type {{ path: string, ms: number, status: number }[]} */
const samples = [];
const ended = new AbortController();

/** @param {string} path */
function ask(path) {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const done = (/** @type {number} */ status) => {
      samples.push({ path, ms: performance.now() - startMs, status });
      resolve(undefined);
    };
    const sent = request(`${address}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0));
    });
    sent.once('error', () => done(0)).end();
  });
}

async function run() {
  while (!ended.signal.aborted) {
    for (const path of paths) await ask(path);
    await new Promise((resolve) => void setTimeout(resolve, everyMs));
  }
  parentPort?.postMessage(samples);
  agent.destroy();
}

parentPort?.once('message', () => ended.abort());
await run();
