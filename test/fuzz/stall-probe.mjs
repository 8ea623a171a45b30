// A thread of its own, so that it measures the hub and not the busy test.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 5;
const MAX_LATE_MS = 10;
const { address, pid } = workerData;
const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.99' });
const ended = new AbortController();
let longestMs = 0;
let longestAnswerMs = 0;
let samples = 0;
let asked = 0;

/** Milliseconds for which a thread could have run but had no processor. */
const waitedMs = (/** @type {string} */ thread) =>
  Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

function look() {
  let hubMs = 0;
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      hubMs += waitedMs(`${pid}/task/${id}`);
    } catch (cause) {
      // A thread that has ended waits for nothing.
      if (cause.code !== 'ENOENT' && cause.code !== 'ESRCH') throw cause;
    }
  }
  return { hubMs, selfMs: waitedMs('thread-self') };
}

function ask() {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/api`, { agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end();
  });
}

parentPort?.once('message', () => ended.abort());
while (!ended.signal.aborted) {
  const before = look();
  const startMs = performance.now();
  await ask();
  const answerMs = performance.now() - startMs;
  const after = look();
  const lateMs = after.hubMs - before.hubMs + after.selfMs - before.selfMs;
  longestAnswerMs = Math.max(longestAnswerMs, answerMs);
  asked += 1;
  if (lateMs < MAX_LATE_MS) {
    samples += 1;
    longestMs = Math.max(longestMs, answerMs);
  }
  await new Promise((resolve) => void setTimeout(resolve, EVERY_MS));
}
parentPort?.postMessage({ longestMs, longestAnswerMs, samples, asked });
agent.destroy();
