// Clients that send requests on connections of their own until SIGTERM; then prints their answers as JSON.
import { get } from 'node:http';

const [address = ''] = process.argv.slice(2);
const CLIENTS = 4;
const PAUSE_MS = 10;
const WAIT_MS = 2_000;
let [asked, failed, longestGapMs, lastAnswerMs] = [0, 0, 0, performance.now()];
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());

function ask() {
  return new Promise((resolve) => {
    const sent = get(`${address}/api/v1/health`, { agent: false, timeout: WAIT_MS }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200));
    });
    sent.once('timeout', () => sent.destroy()).once('error', () => resolve(false));
  });
}

async function runClient() {
  while (!ended.signal.aborted) {
    asked += 1;
    if (await ask()) {
      longestGapMs = Math.max(longestGapMs, performance.now() - lastAnswerMs);
      lastAnswerMs = performance.now();
    } else failed += 1;
    await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
  }
}

process.stdout.write('asking\n');
await Promise.all(Array.from({ length: CLIENTS }, runClient));
process.stdout.write(JSON.stringify({ asked, failed, longestGapMs: Math.round(longestGapMs) }));
