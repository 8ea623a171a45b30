// Preloaded into the hub: writes the longest turn of its event loop since it was ready, in milliseconds of processor
// time, to a file.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const FILE = process.env.TURNS_FILE;

function onProcessorMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

function watch() {
  let lastMs = onProcessorMs();
  let longestMs = 0;
  const turn = () => {
    const nowMs = onProcessorMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    setImmediate(turn).unref();
  };
  setImmediate(turn).unref();
  setInterval(() => {
    // In one step: a reader must not find it empty.
    writeFileSync(`${FILE}.new`, String(longestMs));
    renameSync(`${FILE}.new`, FILE);
  }, 50).unref();
}

if (isMainThread && FILE !== undefined && process.argv.includes('serve')) {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (...args) => {
    if (String(args[0]).includes(' is ready')) {
      stdout.write = write;
      setImmediate(watch);
    }
    return write(...args);
  };
}
