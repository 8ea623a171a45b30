import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubProcess,
  logInAnother,
  OWNER,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';
import { type Followers, PER_SESSION, startFollowers } from './followers.ts';
import { quantile } from './slope.ts';
import { startSoakBroker } from './soak-broker.ts';

export type SoakOptions = {
  readonly seconds: number;
  /** How much faster the hub's own clocks run. */
  readonly speed: number;
  readonly devices: number;
  readonly changesPerS: number;
  readonly clients: number;
  readonly neverReading: number;
  readonly sampleEveryMs: number;
  readonly flapEveryMs: number;
  /** Gets each sample as it is taken, so that a long run that never ends has left something. */
  readonly onSample?: (sample: Sample) => void;
  /** A program that breaks the daemon, loaded before its own code; such a run only measures memory. */
  readonly preload?: string;
};

export type Sample = {
  readonly atS: number;
  /** Memory in use after a garbage collection, and memory that the system gave the process. */
  readonly heapMb: number;
  readonly residentMb: number;
  /** The part that the heap has taken, used or not, and the part outside of it: buffers and WebAssembly. */
  readonly heapTakenMb: number;
  readonly externalMb: number;
  readonly descriptors: number;
  readonly eventClients: number;
  /** Bytes written to the disk since the start. */
  readonly writtenKb: number;
  /** Of the reports since the last sample, from the device to the event clients, while the broker was well. */
  readonly eventP99Ms: number;
  readonly requestP99Ms: number;
};

export type SoakResult = {
  readonly samples: readonly Sample[];
  /** With no event client, when it was all over, and before it began. */
  readonly descriptorsBefore: number;
  readonly descriptorsAfter: number;
  readonly idleBytes: number;
  readonly published: number;
  readonly flaps: number;
  readonly received: number;
  readonly resumed: number;
  readonly gaps: number;
  readonly logins: number;
  readonly refreshes: number;
  readonly faults: readonly string[];
  readonly unreceived: number;
  readonly revoked: number;
  readonly hubLog: string;
};

const RENEW_EVERY_MS = 30_000;
/** By then the last of the short hours is over, and the last uses of sessions, which wait for 25 s, are written. */
const SETTLE_MS = 34_000;
const IDLE_MS = 6_000;
/** More than the hub keeps: of values, and then of devices that come and go. */
const KEPT_EVENTS = [17_000, 10_500] as const;
const BURST = 250;

const preloadOf = (name: string): string => `--import ${pathToFileURL(`${import.meta.dirname}/${name}`).href}`;

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const startMs = performance.now();
  const nowMs = (): number => performance.now() - startMs;
  const broker = await startSoakBroker({ ...options, nowMs });
  const hubs = createHubFolder();
  const preloads = ['fast-time.mjs', ...(options.preload === undefined ? [] : [options.preload])];
  try {
    const hub = await hubs.serve({
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: broker.url,
      NODE_OPTIONS: preloads.map(preloadOf).join(' '),
      SOAK_SPEED: String(options.speed),
    });
    return await soak(hub, options, { broker, nowMs });
  } finally {
    await hubs.close();
    await broker.stop();
  }
}

type World = { readonly broker: Awaited<ReturnType<typeof startSoakBroker>>; readonly nowMs: () => number };

async function soak(hub: HubProcess, options: SoakOptions, { broker, nowMs }: World): Promise<SoakResult> {
  const owner = await claimHub(hub);
  const lasting: Tokens[] = [];
  for (let group = 0; group * PER_SESSION < options.clients; group += 1)
    lasting.push(await logInAnother(hub, owner.access_token));
  await untilDevices(hub, owner.access_token, options.devices);
  await fillEventLog(hub, owner.access_token, broker);
  const before = await probe(hub);
  const lags: number[] = [];
  const followers: Followers = startFollowers({
    port: Number(new URL(hub.address).port),
    token: (group) => lasting[group]?.access_token,
    ...options,
    nowMs,
    onReport: (sentMs, tookMs) => void (broker.wasCalm(sentMs) && lags.push(tookMs)),
  });
  // Streams end with their tokens, after 24 hours of the hub.
  const renewing = repeat(RENEW_EVERY_MS, async () => {
    for (const [group, { refresh_token }] of lasting.entries()) {
      const { json } = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token } });
      lasting[group] = { ...(json as Tokens), refresh_token };
    }
  });
  const people = startPeople(hub, owner);
  const flapping = repeat(1_000, async () => followers.flap());
  const storms = repeat(options.flapEveryMs, broker.flap);
  const publishedBefore = broker.published();
  const samples: Sample[] = [];
  const beganMs = nowMs();
  for (let atMs = 0; atMs < options.seconds * 1_000; atMs = nowMs() - beganMs) {
    await wait(options.sampleEveryMs);
    const sample: Sample = {
      ...(await probe(hub)),
      atS: (nowMs() - beganMs) / 1_000,
      eventClients: followers.connected(),
      eventP99Ms: quantile(lags.splice(0), 0.99),
      requestP99Ms: quantile(people.tookMs.splice(0), 0.99),
    };
    samples.push(sample);
    options.onSample?.(sample);
  }
  await Promise.all([storms(), renewing(), flapping(), people.stop()]);
  broker.hush();
  const idleBytes = options.preload === undefined ? await bytesWhileIdle(hub) : 0;
  const faults = [...followers.faults(), ...followers.refused(), ...people.faults];
  const unreceived = followers.unreceived();
  followers.stop();
  await wait(2_000);
  return {
    samples,
    descriptorsBefore: before.descriptors,
    descriptorsAfter: (await probe(hub)).descriptors,
    idleBytes,
    published: broker.published() - publishedBefore,
    flaps: broker.flaps(),
    received: followers.received(),
    resumed: followers.resumed(),
    gaps: followers.gaps(),
    ...people.counts,
    faults,
    unreceived,
    hubLog: hub.stderr().replaceAll(/^soak .*\n/gm, ''),
  };
}

async function untilDevices(hub: HubProcess, token: string, count: number): Promise<void> {
  const known = async (): Promise<number> =>
    Number((await hub.ask('GET', '/api/v1/device?limit=1', { token })).headers.get('x-total-count'));
  await vi.waitFor(async () => expect(await known()).toBe(count), { interval: 200 });
}

/** The events that the hub keeps take their memory once: with a full log only what leaks still grows. */
async function fillEventLog(hub: HubProcess, token: string, broker: World['broker']): Promise<void> {
  const kept = async (): Promise<number> =>
    Number((await hub.ask('GET', '/api/v1/device?limit=1', { token })).headers.get('event-cursor')?.split('-')[1]);
  const fill = async (wanted: number, make: (count: number) => void): Promise<void> => {
    const until = (await kept()) + wanted;
    for (let tries = 0; tries < 200 && (await kept()) < until; tries += 1) {
      make(BURST);
      await wait(100);
    }
    expect(await kept()).toBeGreaterThanOrEqual(until);
  };
  const [values, comings] = KEPT_EVENTS;
  await fill(comings, broker.comeAndGo);
  await fill(values, broker.burst);
}

/** Users who log in, look at the house, renew their tokens and leave, and one who never gets the password right. */
function startPeople(hub: HubProcess, owner: Tokens) {
  const tookMs: number[] = [];
  const faults: string[] = [];
  const counts = { logins: 0, refreshes: 0, revoked: 0 };
  let token = owner.access_token;
  const expectStatus = async (line: string, status: number, ask: object): Promise<unknown> => {
    const [method = '', path = ''] = line.split(' ');
    const sentMs = performance.now();
    const answer = await hub.ask(method, `/api/v1/${path}`, { ...ask, localAddress: '127.0.0.2' });
    if (line === 'GET device') tookMs.push(performance.now() - sentMs);
    if (answer.status !== status) faults.push(`${line} is answered ${answer.status}: ${answer.bytes.toString()}`);
    return answer.json;
  };
  const watch = repeat(1_000, async () => {
    const body = { refresh_token: owner.refresh_token };
    token = ((await expectStatus('POST access_token', 200, { body })) as Tokens).access_token;
    counts.refreshes += 1;
    for (let times = 0; times < 5; times += 1) await expectStatus('GET device', 200, { token });
    await expectStatus('GET health', 200, { token });
  });
  const visit = repeat(5_000, async () => {
    const visitor = (await expectStatus('POST login', 200, { body: { ...OWNER, rotate: true } })) as Tokens;
    counts.logins += 1;
    const body = { refresh_token: visitor.refresh_token };
    const renewed = (await expectStatus('POST access_token', 200, { body })) as Tokens;
    await expectStatus('POST logout', 204, { token: renewed.access_token });
    counts.revoked += 1;
    await hub.ask('POST', '/api/v1/login', { body: { ...OWNER, password: 'wrong' }, localAddress: '127.0.0.3' });
  });
  return { tookMs, faults, counts, stop: () => Promise.all([watch(), visit()]) };
}

/** Repeats work, each time at least so long after the last began; the result ends it and waits for the last. */
function repeat(everyMs: number, task: () => Promise<void>): () => Promise<void> {
  const ended = new AbortController();
  const running = (async () => {
    while (!ended.signal.aborted) {
      const beganMs = performance.now();
      await task();
      const leftMs = Math.max(0, everyMs - (performance.now() - beganMs));
      await wait(leftMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    ended.abort();
    await running;
  };
}

type Probe = Pick<Sample, 'heapMb' | 'residentMb' | 'heapTakenMb' | 'externalMb' | 'descriptors' | 'writtenKb'>;

async function probe(hub: HubProcess): Promise<Probe> {
  const lines = (): string[] => hub.stderr().match(/^soak .*$/gm) ?? [];
  const known = lines().length;
  process.kill(hub.pid, 'SIGUSR2');
  await vi.waitFor(
    () => {
      if (lines().length === known) throw new Error('the hub does not say what memory it has');
    },
    { interval: 20 },
  );
  const memory = JSON.parse(lines().at(-1)?.slice(5) ?? '') as NodeJS.MemoryUsage;
  return {
    heapMb: (memory.heapUsed + memory.external) / 2 ** 20,
    residentMb: memory.rss / 2 ** 20,
    heapTakenMb: memory.heapTotal / 2 ** 20,
    externalMb: memory.external / 2 ** 20,
    descriptors: readdirSync(`/proc/${hub.pid}/fd`).length,
    writtenKb: writtenKb(hub.pid),
  };
}

/** Measures while the event clients are still connected. */
async function bytesWhileIdle(hub: HubProcess): Promise<number> {
  // From here on the hub's clocks run at the true pace: what it does each hour is not idleness.
  process.kill(hub.pid, 'SIGWINCH');
  await wait(SETTLE_MS);
  const quietKb = writtenKb(hub.pid);
  await wait(IDLE_MS);
  return (writtenKb(hub.pid) - quietKb) * 1_024;
}

/** As the kernel counts what the process gave to its disks. */
function writtenKb(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]) / 1_024;
}
