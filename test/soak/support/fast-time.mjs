// Loaded into the daemon before its own code. Its clocks run SOAK_SPEED times as fast and each wait of half a minute or
// more ends that much sooner; shorter waits (retries, the 10 s in which values are gathered, what the network needs)
// take as long as ever. On SIGWINCH time goes on at its own pace. On SIGUSR2 garbage is collected and a line says what
// memory is left.
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const LONG_WAIT_MS = 30_000;
let speed = Number(process.env['SOAK_SPEED'] ?? 1);

const realNow = performance.now.bind(performance);
const realTimeout = globalThis.setTimeout;
const startWallMs = Date.now();
const startMs = realNow();
let turnMs = startMs;
let shownMs = startMs;
const now = () => shownMs + (realNow() - turnMs) * speed;

performance.now = now;
Date.now = () => Math.round(startWallMs + now() - startMs);
/** @type {(run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => unknown} */
const fastTimeout = (run, ms = 0, ...args) => realTimeout(run, ms < LONG_WAIT_MS ? ms : ms / speed, ...args);
globalThis.setTimeout = /** @type {typeof setTimeout} */ (Object.assign(fastTimeout, realTimeout));

if (isMainThread) {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  process.on('SIGWINCH', () => {
    shownMs = now();
    turnMs = realNow();
    speed = 1;
  });
  process.on('SIGUSR2', () => {
    collect();
    collect();
    process.stderr.write(`soak ${JSON.stringify(process.memoryUsage())}\n`);
  });
}
