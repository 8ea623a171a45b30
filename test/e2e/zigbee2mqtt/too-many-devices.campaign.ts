import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectAsync, type MqttClient } from 'mqtt';
import { UNIT_FLAGS } from '#test/bench/support/unit-flags.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
} from '#test/support/daemon/hub-process.ts';
import { deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { describeLatency, startLatencyProbe } from '#test/support/machine/latency-probe.ts';
import { machinePace } from '#test/support/machine/pace.ts';
import { needs } from '#test/support/machine/requires.ts';

const TURNS = join(import.meta.dirname, 'children/turns.cjs');
const LONGEST_TURN_MS = 50;
const MAX_RSS_MB = 300;
const MIB = 1024 * 1024;
const PATIENCE = { timeout: 120_000, interval: 50 };

const ieee = (index: number): string => `0x${index.toString(16).padStart(16, '0')}`;
const minimal = (index: number): string =>
  `{"ieee_address":"${ieee(index)}","friendly_name":"d${index}","definition":{"exposes":[]}}`;
const lamp = (index: number): string =>
  JSON.stringify({
    ieee_address: ieee(index),
    type: 'Router',
    friendly_name: `Lamp ${index}`,
    supported: true,
    definition: {
      model: 'L1',
      vendor: 'Test',
      description: 'lamp',
      exposes: [
        {
          type: 'light',
          features: [
            { type: 'binary', name: 'state', property: 'state', access: 7, value_on: 'ON', value_off: 'OFF' },
            { type: 'numeric', name: 'brightness', property: 'brightness', access: 7, value_min: 0, value_max: 254 },
          ],
        },
      ],
    },
  });
const listOf = (count: number, entry: (index: number) => string, from = 1): string =>
  `[${Array.from({ length: count }, (_, index) => entry(from + index)).join(',')}]`;

type Listed = { readonly id: string; readonly selector: string; readonly name: string; readonly external_id: string };
const identityOf = ({ id, selector, name, external_id }: Listed): object => ({ id, selector, name, external_id });
type IntegrationJson = { readonly status: string; readonly error: { readonly code: string } | null };

describe.skipIf(!needs('mosquitto'))('I1: a hub with the memory that its unit gives it', () => {
  let broker: Mosquitto;
  let client: MqttClient;
  let hubs: HubFolder;
  let token = '';
  let subscriptions = 0;

  beforeAll(async () => {
    // Counts each second how many topics are subscribed to.
    broker = await startMosquitto(undefined, ['sys_interval 1']);
    client = await connectAsync(broker.url);
    client.on('message', (_topic, payload) => (subscriptions = Number(payload.toString())));
    await client.subscribeAsync('$SYS/broker/subscriptions/count');
  });
  afterAll(async () => {
    await client.endAsync();
    await broker.stop();
  });
  beforeEach(async () => {
    hubs = createHubFolder();
    await publish('bridge/devices', '');
    await publish('bridge/state', '{"state":"online"}');
  });
  afterEach(() => hubs.close());

  const publish = (topic: string, payload: string): Promise<unknown> =>
    client.publishAsync(`zigbee2mqtt/${topic}`, payload, { retain: true, qos: 1 });
  const serve = (): Promise<HubProcess> =>
    hubs.serve({
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: broker.url,
      NODE_OPTIONS: `${UNIT_FLAGS} --require ${TURNS}`,
      TURNS_FILE: turnsFile(),
    });
  const turnsFile = (): string => join(hubs.folder, 'turns');
  const longestTurnMs = (): Promise<number> =>
    vi.waitFor(
      () => {
        const turnMs = Number(readFileSync(turnsFile(), 'utf8'));
        expect(turnMs).toBeGreaterThan(0);
        return turnMs;
      },
      { interval: 100 },
    );
  const integration = async (hub: HubProcess): Promise<IntegrationJson> =>
    (await hub.ask('GET', '/api/v1/integration/zigbee2mqtt', { token })).json as IntegrationJson;
  const report = async (what: string, hub: HubProcess): Promise<void> => {
    expectBelow(`${what}: longest turn, ms`, await longestTurnMs(), LONGEST_TURN_MS * machinePace());
    expectBelow(`${what}: memory, MB`, hub.memoryMb(), MAX_RSS_MB);
  };

  test('lives on with what it had when a list of 32 MiB is kept at the broker, over three starts', async () => {
    let hub = await serve();
    token = (await claimHub(hub)).access_token;
    await publish('bridge/devices', listOf(2, lamp));
    const before = await listDevices(hub, token, 2);
    const count = Math.floor((32 * MIB - 2) / (minimal(1_000_000).length + 1));
    await publish('bridge/devices', listOf(count, minimal, 1_000_000));
    for (let start = 1; start <= 3; start += 1) {
      await vi.waitFor(
        async () =>
          expect(await integration(hub)).toMatchObject({ status: 'connected', error: { code: 'TOO_MANY_DEVICES' } }),
        PATIENCE,
      );
      expect((await hub.ask('GET', '/api/v1/health')).json).toEqual({ status: 'degraded' });
      expect((await listDevices(hub, token, 2)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      await report(`${count} devices refused, start ${start}`, hub);
      await hub.end('SIGTERM');
      hub = await serve();
    }
    await publish('bridge/devices', listOf(3, lamp));
    await listDevices(hub, token, 3);
    await vi.waitFor(
      async () => expect(await integration(hub)).toMatchObject({ status: 'connected', error: null }),
      PATIENCE,
    );
    expect((await hub.ask('GET', '/api/v1/health')).json).toEqual({ status: 'ok' });
  });

  test('takes each of the 4,478 devices there are, one that is renamed, and 5,000 others in their place', async () => {
    let hub = await serve();
    token = (await claimHub(hub)).access_token;
    // Measured from behind the start on.
    await longestTurnMs();
    const ask = (path: string) => hub.ask('GET', `/api/v1/device${path}`, { token });
    const listed = async (): Promise<readonly Listed[]> => (await ask('')).json as readonly Listed[];
    const untilCount = (query: string, wanted: number): Promise<void> =>
      vi.waitFor(async () => {
        const { headers } = await ask(`?limit=1${query}`);
        expect(Number(headers.get('x-total-count'))).toBe(wanted);
      }, PATIENCE);
    const eventSequence = async (): Promise<number> =>
      Number((await ask('?limit=1')).headers.get('event-cursor')?.split('-')[1]);
    const take = async (what: string, list: string, [query, wanted]: [string, number]): Promise<number> => {
      const probe = startLatencyProbe(hub.address, token, { everyMs: 5 });
      const beganCpuMs = hub.cpuMs();
      await publish('bridge/devices', list);
      await untilCount(query, wanted);
      const cpuMs = hub.cpuMs() - beganCpuMs;
      const latency = await probe.end();
      process.stdout.write(`${what}: meanwhile ${describeLatency(latency)}\n`);
      expectBelow(`${what}: 99 % of small requests, ms`, latency.p99, 500);
      await report(what, hub);
      return cpuMs;
    };

    const texts = deviceEntryTexts();
    const cpuMs = await take('4,478 devices', `[${texts.join(',')}]`, ['', texts.length]);
    expectBelow('4,478 devices: processor, ms', cpuMs, 10_000);
    const first = await listed();
    const addresses = texts.map((text) => (JSON.parse(text) as { readonly ieee_address: string }).ieee_address);
    expect(new Set(first.map(({ external_id }) => external_id))).toEqual(new Set(addresses));
    expect(new Set(first.map(({ selector }) => selector)).size).toBe(texts.length);

    // The work on the first list has ended when the hub listens to each device of it, and to whether it is available.
    await vi.waitFor(() => expect(subscriptions).toBeGreaterThanOrEqual(2 * texts.length), PATIENCE);
    const before = await eventSequence();
    // One event for each device, and few others: a client that follows a new home gets nothing twice.
    expect(before).toBeLessThan(texts.length + 10);
    const renamed = texts.with(0, texts[0]?.replace('"friendly_name":"', '"friendly_name":"Renamed ') ?? '');
    const renamingMs = await take('one of them renamed', `[${renamed.join(',')}]`, ['&search=renamed', 1]);
    expectBelow('one of them renamed: processor, ms', renamingMs, 3_000);
    expect((await eventSequence()) - before).toBeLessThan(5);
    const second = await listed();
    const names = new Map(first.map(({ id, name }) => [id, name]));
    expect(second.filter(({ id, name }) => names.get(id) !== name).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^Renamed /),
    ]);
    expect(hub.stderr()).not.toMatch(/ (?:error|warn) /);

    expect((await hub.end('SIGTERM')).code).toBe(0);
    hub = await serve();
    expectBelow('ready with 4,478 devices, ms', hub.readyMs, 10_000);
    expect((await listed()).map(identityOf)).toEqual(second.map(identityOf));
    await vi.waitFor(
      async () => expect(await integration(hub)).toMatchObject({ status: 'connected', devices: texts.length }),
      PATIENCE,
    );
    expect((await listed()).map(identityOf)).toEqual(second.map(identityOf));
    expect(hub.stderr()).not.toMatch(/ error /);

    await take('5,000 others in their place', listOf(5_000, lamp, 100_001), ['&search=lamp%20105000', 1]);
    expect(await listDevices(hub, token, 5_000)).toHaveLength(5_000);
  });
});
