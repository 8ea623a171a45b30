// Preloaded into the hub: writes the longest turn of its event loop, in milliseconds of processor time, to a file.
const { readFileSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const FILE = process.env.TURNS_FILE;
// What the start itself does is not asked for.
const AFTER_MS = 1_500;

function onProcessorMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

if (isMainThread && FILE !== undefined && process.argv.includes('serve')) {
  let lastMs = 0;
  let longestMs = 0;
  const turn = () => {
    const nowMs = onProcessorMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    setImmediate(turn).unref();
  };
  setTimeout(() => {
    lastMs = onProcessorMs();
    turn();
    setInterval(() => writeFileSync(FILE, String(longestMs)), 50).unref();
  }, AFTER_MS).unref();
}
