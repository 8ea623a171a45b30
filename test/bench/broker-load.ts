// Measures the whole way: real Mosquitto → the built hub → 100 subscribers, 1,000 changes a second for a minute, ten
// that never read, one in ten of the others cut off and back again each second. Fails where a healthy one misses or
// doubles an event. Run after npm run build:
// npx esbuild test/bench/broker-load.ts --bundle --platform=node --format=esm --packages=external --outfile=node_modules/.bench/broker-load.mjs && node node_modules/.bench/broker-load.mjs
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
const RATE = 1_000;
const SUBSCRIBERS = 100;
const NEVER_READING = 10;
const DEVICES = 200;
/** Each session may have 16 streams, each address 32 connections. */
const PER_SESSION = 15;
const OWNER = { email: 'ada@example.org', password: 'cup river stamp' };

type Subscriber = {
  lastId: number;
  received: number;
  faults: string[];
  request: ClientRequest | undefined;
  index: number;
};

const folder = mkdtempSync(join(tmpdir(), 'hearthd-bench-'));
const mqttPort = 20_000 + (process.pid % 10_000);
const children: ChildProcess[] = [];
const lags: number[] = [];
const startedMs = performance.now();
let port = 0;
let epoch = '';
const tokens: string[] = [];

function follow(subscriber: Subscriber): void {
  const { index, lastId } = subscriber;
  const request = get({
    host: '127.0.0.1',
    port,
    agent: false,
    localAddress: `127.0.0.${2 + Math.floor(index / PER_SESSION)}`,
    path: '/api/v1/event',
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${tokens[Math.floor(index / PER_SESSION)]}`,
      ...(lastId === 0 ? {} : { 'Last-Event-ID': `${epoch}-${lastId}` }),
    },
  });
  subscriber.request = request;
  request.on('error', () => undefined);
  request.on('response', (response) => {
    response.on('error', () => undefined);
    if (index < NEVER_READING) {
      response.pause();
      return;
    }
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) readFrame(subscriber, frame);
    });
  });
}

function readFrame(subscriber: Subscriber, frame: string): void {
  const sequence = Number(/^id: \w+-(\d+)\n/.exec(frame)?.[1]);
  if (frame.includes('event: hub.heartbeat\n')) {
    if (subscriber.lastId === 0) subscriber.lastId = sequence;
  } else if (sequence === subscriber.lastId + 1) {
    subscriber.lastId = sequence;
    subscriber.received += 1;
    if (subscriber.index === SUBSCRIBERS - 1 && frame.includes('event: feature.changed\n')) {
      lags.push(performance.now() - startedMs - Number(/"value":([\d.]+)/.exec(frame)?.[1]));
    }
  } else subscriber.faults.push(`after ${subscriber.lastId}: ${frame.slice(0, 160)}`);
}

async function call<Json>(line: string, body?: unknown, token?: string): Promise<Json> {
  const [method = '', path = ''] = line.split(' ');
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Json;
}

async function startHub(): Promise<ChildProcess> {
  writeFileSync(join(folder, 'mosquitto.conf'), `listener ${mqttPort} 127.0.0.1\nallow_anonymous true\n`);
  children.push(spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' }));
  await wait(500);
  const hub = spawn(process.execPath, ['dist/hearthd.mjs', 'serve', '--state-dir', join(folder, 'state')], {
    env: { ...process.env, HEARTHD_PORT: '0', HEARTHD_MQTT_URL: `mqtt://127.0.0.1:${mqttPort}`, HEARTHD_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(hub);
  let printed = '';
  while (!printed.includes(' is ready')) printed += String((await once(hub.stdout, 'data'))[0]);
  port = Number(/127\.0\.0\.1:(\d+)/.exec(printed)?.[1]);
  await call('POST /setup', { ...OWNER, claim_code: /Claim code: (\S+)/.exec(printed)?.[1] });
  for (let index = 0; index <= SUBSCRIBERS / PER_SESSION; index += 1) {
    tokens.push((await call<{ access_token: string }>('POST /login', OWNER)).access_token);
  }
  return hub;
}

const memoryMb = (pid: number): string =>
  `${(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024).toFixed(0)} MB`;

async function run(): Promise<boolean> {
  const hub = await startHub();
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`);
  const exposes = [{ type: 'numeric', name: 'power', property: 'power', access: 1, unit: 'W' }];
  const definition = {
    model: 'P1',
    vendor: 'Bench',
    description: 'plug',
    source: 'native',
    supports_ota: false,
    options: [],
    exposes,
  };
  const entries = Array.from({ length: DEVICES }, (_, index) => ({
    ieee_address: `0x00124b00${index.toString(16).padStart(8, '0')}`,
    type: 'Router',
    network_address: index,
    supported: true,
    disabled: false,
    friendly_name: `plug ${index}`,
    definition,
    interview_completed: true,
    interview_state: 'SUCCESSFUL',
  }));
  await client.publishAsync('zigbee2mqtt/bridge/state', '{"state":"online"}', { retain: true });
  await client.publishAsync('zigbee2mqtt/bridge/devices', JSON.stringify(entries), { retain: true });
  while ((await call<unknown[]>('GET /device', undefined, tokens[0])).length < DEVICES) await wait(100);
  await wait(1_000);
  const first = await fetch(`http://127.0.0.1:${port}/api/v1/device?limit=1`, {
    headers: { Authorization: `Bearer ${tokens[0]}` },
  });
  epoch = first.headers.get('event-cursor')?.split('-')[0] ?? '';
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index): Subscriber => {
    return { index, lastId: 0, received: 0, faults: [], request: undefined };
  });
  for (const subscriber of subscribers) follow(subscriber);
  await wait(1_500);
  const before = memoryMb(hub.pid ?? 0);
  let resumed = 0;
  const killer = setInterval(() => {
    for (const subscriber of subscribers) {
      if (subscriber.index < NEVER_READING || Math.random() > 0.1 || subscriber.index === SUBSCRIBERS - 1) continue;
      subscriber.request?.destroy();
      follow(subscriber);
      resumed += 1;
    }
  }, 1_000);
  const runMs = performance.now();
  let published = 0;
  while (performance.now() - runMs < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - runMs) / 1_000) * RATE);
    for (; published < due; published += 1) {
      client.publish(
        `zigbee2mqtt/plug ${published % DEVICES}`,
        JSON.stringify({ power: performance.now() - startedMs }),
      );
    }
    await wait(1);
  }
  clearInterval(killer);
  await wait(3_000);
  const cursor = await fetch(`http://127.0.0.1:${port}/api/v1/device?limit=1`, {
    headers: { Authorization: `Bearer ${tokens[0]}` },
  });
  const last = Number(cursor.headers.get('event-cursor')?.split('-')[1]);
  const healthy = subscribers.filter(({ index }) => index >= NEVER_READING);
  const faults = healthy.flatMap((one) => one.faults);
  const behind = healthy.filter(({ lastId }) => lastId !== last).length;
  lags.sort((left, right) => left - right);
  const percentile = (share: number): string => `${(lags[Math.floor(lags.length * share)] ?? 0).toFixed(1)} ms`;
  console.log(
    `published ${published} through Mosquitto; ${healthy.length} healthy of ${SUBSCRIBERS}, ${resumed} times resumed, ` +
      `${healthy.reduce((sum, one) => sum + one.received, 0)} events received, ${faults.length} faults, ${behind} behind`,
  );
  console.log(`publish → client: p50 ${percentile(0.5)}, p99 ${percentile(0.99)} of ${lags.length}`);
  console.log(`hub memory ${before} → ${memoryMb(hub.pid ?? 0)}`);
  for (const fault of faults.slice(0, 5)) console.log(fault);
  for (const { request } of subscribers) request?.destroy();
  await client.endAsync(true);
  return faults.length + behind === 0 && lags.length > 0;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
