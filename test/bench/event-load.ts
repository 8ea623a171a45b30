// Measures the event stream: 100 subscribers, 1,000 changes a second for a minute, ten that never read, and one in ten
// of the others cut off and back again each second. Fails where a healthy one misses or doubles an event.
// Run: npx esbuild test/bench/event-load.ts --bundle --platform=node --format=esm --outfile=var/event-load.mjs && node var/event-load.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionId } from '#auth/session.ts';
import { createLog } from '#base/log.ts';
import { createEventEncoder } from '#http/event-json.ts';
import { eventRoutes } from '#http/routes/event.ts';
import { createHttpServer } from '#http/server.ts';
import { systemClock } from '#base/clock.ts';
import { callerOf, createTestApp } from '#test/support/http-app.ts';
import { openTestHome } from '#test/support/http-home.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
const RATE = 1_000;
const NEVER_READING = Number(process.env['NEVER_READING'] ?? 10);
const SUBSCRIBERS = 90 + NEVER_READING;
const DEVICES = 200;

/** Wall time with fractions, the same in all processes. */
const nowMs = (): number => performance.timeOrigin + performance.now();

async function serve(): Promise<void> {
  const names = Array.from({ length: DEVICES }, (_, index) => `Lamp ${index}`);
  const home = await openTestHome(names, { clock: systemClock, capacity: 16_384 });
  measureAppend(home);
  const authenticate = ([token = '']: readonly string[]) => ({ ...callerOf('owner'), sessionId: token as SessionId });
  const routes = eventRoutes({ ...home, findRoom: home.rooms.findRoom, authenticate });
  const log = createLog({ level: 'error', write: (line) => console.error(line), journal: true, wallMs: () => 0 });
  const server = createHttpServer(createTestApp(routes, { authenticate, routes }).app, log);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
  await once(process, 'message');
  const reports = home.registry.reportsOf('zigbee2mqtt');
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const idleRss = process.memoryUsage.rss();
  let published = 0;
  let costliest = 0;
  while (performance.now() - startMs < SECONDS * 1000) {
    const due = Math.floor(((performance.now() - startMs) / 1000) * RATE);
    for (; published < due; published += 1) {
      reports.reportValues(`0x${published % DEVICES}`, new Map([['power', nowMs()]]));
    }
    for (const socket of sockets) costliest = Math.max(costliest, socket.writableLength);
    await wait(1);
  }
  const used = process.cpuUsage(cpu);
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  console.log(
    `published ${published}; server CPU ${((used.user + used.system) / 10_000 / SECONDS).toFixed(1)} % of a core, ` +
      `RSS ${mb(idleRss)} → ${mb(process.memoryUsage.rss())}, most bytes waiting for one client ${costliest}, ` +
      `streams ${home.eventStreams.count()}`,
  );
  process.send?.({ last: home.events.lastSequence() });
}

type Home = Awaited<ReturnType<typeof openTestHome>>;

function measureAppend({ registry, rooms, events }: Home): void {
  const device = registry.devices()[0];
  if (device === undefined) return;
  const encode = createEventEncoder({ findRoom: rooms.findRoom, wallMs: systemClock.wallMs });
  const state = { value: 42, quality: 'confirmed', observedAtMs: 1e12, changedAtMs: 1e12 } as const;
  const event = { type: 'feature.changed', device, key: 'brightness', state } as const;
  const microseconds = (run: () => void): string => {
    for (let index = 0; index < 20_000; index += 1) run();
    const startMs = performance.now();
    for (let index = 0; index < 20_000; index += 1) run();
    return ((performance.now() - startMs) / 20).toFixed(2);
  };
  const whole = { type: 'device.changed', device, oldRoomId: null } as const;
  console.log(
    `feature.changed: encode ${microseconds(() => void encode(event, 'run1-12345'))} µs, ` +
      `append ${microseconds(() => events.append(event))} µs, ${encode(event, 'run1-12345').length} bytes; ` +
      `device.changed: encode ${microseconds(() => void encode(whole, 'run1-12345'))} µs, ` +
      `${encode(whole, 'run1-12345').length} bytes`,
  );
}

type Subscriber = { lastId: number; received: number; faults: string[]; request: ClientRequest; reads: boolean };

/** The process of all the others is busier than the hub: a client alone in its process says how late the hub is. */
const measuresLag = process.argv[2] === 'probe';
const lags: number[] = [];

function follow(port: number, index: number): Subscriber {
  const subscriber: Subscriber = {
    lastId: 0,
    received: 0,
    faults: [],
    reads: index >= NEVER_READING,
    request: connect(port, index, undefined),
  };
  attend(subscriber);
  return subscriber;
}

function connect(port: number, index: number, lastId: number | undefined): ClientRequest {
  const headers = {
    Accept: 'text/event-stream',
    Authorization: `s${index}`,
    ...(lastId === undefined ? {} : { 'Last-Event-ID': `run1-${lastId}` }),
  };
  return get({ host: '127.0.0.1', port, agent: false, path: '/api/v1/event', headers });
}

function attend(subscriber: Subscriber): void {
  subscriber.request.on('error', () => undefined);
  subscriber.request.on('response', (response) => {
    response.on('error', () => undefined);
    if (!subscriber.reads) {
      response.pause();
      return;
    }
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      const arrivedMs = nowMs();
      for (const frame of frames) readFrame(subscriber, frame, arrivedMs);
    });
  });
}

function readFrame(subscriber: Subscriber, frame: string, arrivedMs: number): void {
  const sequence = Number(/^id: run1-(\d+)\n/.exec(frame)?.[1]);
  if (frame.includes('event: hub.heartbeat\n')) {
    if (subscriber.lastId === 0) subscriber.lastId = sequence;
    return;
  }
  if (sequence !== subscriber.lastId + 1) {
    subscriber.faults.push(`after ${subscriber.lastId}: ${frame.slice(0, 120)}`);
  }
  subscriber.lastId = sequence;
  subscriber.received += 1;
  if (!measuresLag) return;
  const sentMs = Number(/"value":([\d.]+)/.exec(frame)?.[1]);
  lags.push(arrivedMs - sentMs);
}

async function probe(port: number): Promise<void> {
  const { faults, request } = follow(port, SUBSCRIBERS);
  await once(process, 'message');
  lags.sort((left, right) => left - right);
  const percentile = (share: number): string => `${(lags[Math.floor(lags.length * share)] ?? 0).toFixed(1)} ms`;
  console.log(
    `published to received, by a client in a process of its own: p50 ${percentile(0.5)}, p99 ${percentile(0.99)}, ` +
      `p99.9 ${percentile(0.999)} of ${lags.length}, ${faults.length} faults`,
  );
  request.destroy();
  process.disconnect();
}

async function run(): Promise<void> {
  const child = fork(process.argv[1] ?? '', ['serve']);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) => follow(port, index));
  const measuring = fork(process.argv[1] ?? '', ['probe', String(port)]);
  await wait(1_000);
  child.send('go');
  let resumed = 0;
  const killer = setInterval(() => {
    for (const [index, subscriber] of subscribers.entries()) {
      if (!subscriber.reads || Math.random() > 0.1) continue;
      subscriber.request.destroy();
      subscriber.request = connect(port, index, subscriber.lastId);
      attend(subscriber);
      resumed += 1;
    }
  }, 1_000);
  const [{ last }] = (await once(child, 'message')) as [{ last: number }];
  clearInterval(killer);
  await wait(2_000);
  const healthy = subscribers.filter(({ reads }) => reads);
  const faults = healthy.flatMap((one) => one.faults);
  const behind = healthy.filter(({ lastId }) => lastId !== last).length;
  measuring.send('end');
  console.log(
    `${healthy.length} healthy of ${SUBSCRIBERS}, ${resumed} times resumed, ` +
      `${healthy.reduce((sum, one) => sum + one.received, 0)} events received, ${faults.length} faults, ${behind} behind`,
  );
  for (const fault of faults.slice(0, 5)) console.log(fault);
  child.kill();
  process.exitCode = faults.length + behind === 0 ? 0 : 1;
  for (const { request } of subscribers) request.destroy();
}

if (process.argv[2] === 'serve') await serve();
else if (measuresLag) await probe(Number(process.argv[3]));
else await run();
