import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectAsync } from 'mqtt';
import { expect, test, vi } from 'vitest';
import { claimHub, createHubFolder } from '#test/support/daemon/hub-process.ts';
import { createDeviceCrowd, powerSensor } from '#test/support/discovery/device-crowd.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { median } from '#test/support/median.ts';
import { recordFigure, ROUNDS } from './support/figure.ts';
import { heapMb } from './support/house/heap.ts';
import { UNIT_FLAGS } from './support/unit-flags.ts';

const ENTITIES = 1_000;
const MESSAGES = 20_000;
const STATE = JSON.stringify({
  p: 41.25,
  voltage: 230.4,
  current: 0.18,
  energy: 1_234.5,
  linkquality: 120,
  state: 'ON',
});

/** A home of a hundred devices with ten entities each, without a broker. */
async function openHome() {
  const crowd = createDeviceCrowd();
  const changed = new Set<string>();
  for (let at = 0; at < ENTITIES; at += 1) {
    const payload = Buffer.from(JSON.stringify(powerSensor(at)));
    for (const id of crowd.announce(`u${at}`, payload)) changed.add(id);
  }
  await crowd.describe(changed);
  return crowd;
}

const usPerMessage = (startMs: number): number => ((performance.now() - startMs) * 1_000) / MESSAGES;

test('a state message of a discovered entity, beside the reading of its JSON alone', async () => {
  const standMs: number[] = [];
  const hubUs: number[] = [];
  const bareUs: number[] = [];
  const bytes = Buffer.from(STATE);
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const { book, sink } = await openHome();
    standMs.push(performance.now() - startMs);
    const hubStartMs = performance.now();
    for (let at = 0; at < MESSAGES; at += 1)
      book.onState({ topic: `meter/${at % ENTITIES}`, payload: bytes, retained: false });
    while ((sink.calls.get('reportValues') ?? 0) < MESSAGES) await new Promise((resolve) => setTimeout(resolve, 1));
    hubUs.push(usPerMessage(hubStartMs));
    const bareStartMs = performance.now();
    let sum = 0;
    for (let at = 0; at < MESSAGES; at += 1) sum += (JSON.parse(bytes.toString('utf8')) as { readonly p: number }).p;
    bareUs.push(usPerMessage(bareStartMs));
    expect(sum).toBeGreaterThan(0);
    book.stop();
  }
  const [hub, bare] = [median(hubUs), median(bareUs)];
  recordFigure({
    what: `a state message of one of ${ENTITIES} discovered entities`,
    hub: `${hub.toFixed(1)} µs`,
    reference: `${bare.toFixed(1)} µs for its JSON alone`,
    ratio: hub / bare,
  });
  recordFigure({
    what: `${ENTITIES} discovered entities stand`,
    hub: `${median(standMs).toFixed(0)} ms`,
    reference: '1000 ms',
    ratio: median(standMs) / 1_000,
    target: { atMost: 1 },
  });
});

const FAST_TIME = pathToFileURL(join(import.meta.dirname, '../soak/support/fast-time.mjs')).href;

/** Mosquitto, which keeps the discovery messages of all entities. */
async function startFullBroker(): Promise<Mosquitto> {
  const broker = await startMosquitto(undefined, ['set_tcp_nodelay true']);
  const client = await connectAsync(broker.url);
  for (let at = 0; at < ENTITIES; at += 1) {
    await client.publishAsync(`homeassistant/sensor/u${at}/config`, JSON.stringify(powerSensor(at)), {
      retain: true,
      qos: 1,
    });
  }
  await client.endAsync();
  return broker;
}

/** Until somebody who only parses their JSON has all of them. */
async function bareMs(url: string): Promise<number> {
  const client = await connectAsync(url);
  const sinceMs = performance.now();
  let bytes = 0;
  let heard = 0;
  const done = new Promise<void>((resolve) =>
    client.on('message', (_topic, payload) => {
      bytes += Object.keys(JSON.parse(payload.toString()) as object).length;
      heard += 1;
      if (heard === ENTITIES) resolve();
    }),
  );
  await client.subscribeAsync('homeassistant/#');
  await done;
  const tookMs = performance.now() - sinceMs;
  await client.endAsync();
  expect(bytes).toBeGreaterThan(0);
  return tookMs;
}

test('a thousand discovered entities at a real broker: time until they stand, and memory', async () => {
  const broker = await startFullBroker();
  const [standMs, cpuMs, bare, grown, resident]: number[][] = [[], [], [], [], []];
  try {
    for (let round = 0; round < Math.min(ROUNDS, 3); round += 1) {
      bare?.push(await bareMs(broker.url));
      const hubs = createHubFolder();
      try {
        const hub = await hubs.serve({
          HEARTHD_SIMULATE: '0',
          HEARTHD_MQTT_URL: broker.url,
          NODE_OPTIONS: `${UNIT_FLAGS} --import ${FAST_TIME}`,
          SOAK_SPEED: '1',
        });
        const { access_token: token } = await claimHub(hub);
        const [emptyMb, emptyResidentMb] = [await heapMb(hub), hub.memoryMb()];
        const [sinceMs, sinceCpuMs] = [performance.now(), hub.cpuMs()];
        const body = { kind: 'home_assistant_discovery', settings: { broker: 'mqtt' } };
        const { json } = await hub.ask('POST', '/api/v1/integration', { token, body });
        const { id } = json as { readonly id: string };
        await vi.waitFor(
          async () => {
            const answer = await hub.ask('GET', `/api/v1/device?integration=${id}`, { token });
            const devices = answer.json as readonly { readonly features: readonly unknown[] }[];
            expect(devices.reduce((sum, { features }) => sum + features.length, 0)).toBe(ENTITIES);
          },
          { timeout: 60_000, interval: 50 },
        );
        standMs?.push(performance.now() - sinceMs);
        cpuMs?.push(hub.cpuMs() - sinceCpuMs);
        grown?.push((await heapMb(hub)) - emptyMb);
        resident?.push(hub.memoryMb() - emptyResidentMb);
      } finally {
        await hubs.close();
      }
    }
  } finally {
    await broker.stop();
  }
  const of = (list: readonly number[] | undefined): number => median(list ?? []);
  recordFigure({
    what: `${ENTITIES} discovered entities of 100 devices stand at a new hub, from a real broker`,
    hub: `${of(standMs).toFixed(0)} ms, ${of(cpuMs).toFixed(0)} ms of processor time`,
    reference: `${of(bare).toFixed(0)} ms until a bare subscriber has parsed them`,
    ratio: of(standMs) / of(bare),
  });
  recordFigure({
    what: `memory of ${ENTITIES} discovered entities of 100 devices`,
    hub: `${of(grown).toFixed(1)} MB of heap, ${of(resident).toFixed(0)} MB resident`,
    reference: '20 MB',
    ratio: of(grown) / 20,
  });
});
