import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { type BenchHub, startBenchHub } from './support/bench-hub.ts';
import { startChild } from './support/child.ts';
import { interleave, recordFigure } from './support/figure.ts';
import { residentMb } from './support/process-cost.ts';
import { UNIT_ENV, UNIT_FLAGS } from './support/unit-flags.ts';

const HELLO = `require('node:http').createServer((_, response) => response.end('hello')).listen(+process.argv[1], '127.0.0.1')`;
const mb = (value: number): string => `${value.toFixed(1)} MB`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/api', agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
  });
}

/** From the start of the process to its first answer. */
async function startMs(start: (port: number) => ChildProcess): Promise<number> {
  const port = await findFreePort();
  const begunMs = performance.now();
  const child = start(port);
  const gone = once(child, 'exit');
  while (!(await answers(port))) await wait(2);
  const tookMs = performance.now() - begunMs;
  // Stopped in order: a hub that was killed twice would start without its integrations.
  child.kill('SIGTERM');
  await gone;
  return tookMs;
}

const startHello = (port: number): ChildProcess =>
  spawn(process.execPath, ['-e', HELLO, String(port)], { stdio: 'ignore' });

async function helloMb(): Promise<number> {
  const port = await findFreePort();
  const child = startHello(port);
  while (!(await answers(port))) await wait(10);
  await wait(500);
  const used = residentMb(child.pid ?? 0);
  child.kill('SIGKILL');
  return used;
}

test.each([100, 1_000])('a hub of %i devices starts and stays within bounds', async (devices) => {
  const started = await startBenchHub(devices);
  const { folder, mosquitto } = started;
  const startHub = (port: number): ChildProcess =>
    spawn(process.execPath, [...UNIT_FLAGS.split(' '), BUNDLE, 'serve', '--state-dir', folder], {
      env: { ...UNIT_ENV, PATH: process.env['PATH'], HEARTHD_PORT: String(port), HEARTHD_MQTT_URL: mosquitto.url },
      stdio: 'ignore',
    });
  try {
    await measureMemory(started, devices);
    await started.hub.end('SIGTERM');
    const took = await interleave({ hub: () => startMs(startHub), hello: () => startMs(startHello) });
    recordFigure({
      what: `start to the first answer, ${devices} devices`,
      hub: ms(took.hub),
      reference: `hello world ${ms(took.hello)}`,
      ratio: took.hub / took.hello,
      target: { atMost: 3 },
    });
  } finally {
    await started.stop();
  }
});

async function measureMemory(started: BenchHub, devices: number): Promise<void> {
  const hello = await helloMb();
  const clients = devices === 1_000 ? 20 : 0;
  const followers = startChild('followers.mjs');
  const publisher = startChild('publisher.mjs');
  const tokens = [await started.newToken(), await started.newToken()];
  await followers.ask({ do: 'followEvents', port: started.port, path: '/api/v1/event', tokens, clients });
  await publisher.ask({ do: 'connect', url: started.mosquitto.url });
  await publisher.ask({ do: 'start', perSecond: 50, devices });
  await wait(10_000);
  const used = residentMb(started.hub.pid);
  await followers.stop();
  await publisher.stop();
  recordFigure({
    what: `memory, broker connected, after logins, ${devices} devices that report, ${clients} event clients`,
    hub: mb(used),
    reference: `hello world ${mb(hello)}`,
    ratio: used / hello,
    target: { atMost: devices === 1_000 ? 3 : 2.5 },
  });
}

test('the program is small', () => {
  const files = readdirSync(dirname(BUNDLE)).filter((name) => name.endsWith('.mjs'));
  const bytes = files.reduce((sum, name) => sum + statSync(join(dirname(BUNDLE), name)).size, 0);
  const wasm = statSync(BUNDLE.replace('hearthd.mjs', 'node-sqlite3-wasm.wasm')).size;
  expect(bytes).toBeGreaterThan(0);
  recordFigure({
    what: `size of the program, ${files.length} files`,
    hub: `${(bytes / 1_000).toFixed(0)} kB`,
    reference: `SQLite's wasm beside it ${(wasm / 1_000).toFixed(0)} kB`,
    ratio: bytes / wasm,
  });
});
