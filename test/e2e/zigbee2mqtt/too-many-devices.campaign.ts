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
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { machinePace } from '#test/support/machine/pace.ts';
import { needs } from '#test/support/machine/requires.ts';

const TURNS = join(import.meta.dirname, 'children/turns.cjs');
const LONGEST_TURN_MS = 50;
const MAX_RSS_MB = 300;
const MIB = 1024 * 1024;
const PATIENCE = { timeout: 30_000, interval: 50 };

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

type IntegrationJson = { readonly status: string; readonly error: { readonly code: string } | null };

describe.skipIf(!needs('mosquitto'))('I1: a hub with the memory that its unit gives it', () => {
  let broker: Mosquitto;
  let client: MqttClient;
  let hubs: HubFolder;
  let token = '';

  beforeAll(async () => {
    broker = await startMosquitto();
    client = await connectAsync(broker.url);
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
      { timeout: 5_000, interval: 100 },
    );
  const integration = async (hub: HubProcess): Promise<IntegrationJson> =>
    (await hub.ask('GET', '/api/v1/integration/zigbee2mqtt', { token })).json as IntegrationJson;
  const report = async (what: string, hub: HubProcess): Promise<{ turnMs: number; rssMb: number }> => {
    const measured = { turnMs: await longestTurnMs(), rssMb: hub.memoryMb() };
    process.stdout.write(
      `${what}: longest turn ${measured.turnMs.toFixed(1)} ms, RSS ${measured.rssMb.toFixed(0)} MB\n`,
    );
    return measured;
  };

  test(
    'lives on with what it had when a list of 32 MiB is kept at the broker, over three starts',
    { timeout: 120_000 },
    async () => {
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
        const { turnMs, rssMb } = await report(`${count} devices refused, start ${start}`, hub);
        expect(turnMs).toBeLessThan(LONGEST_TURN_MS * machinePace());
        expect(rssMb).toBeLessThan(MAX_RSS_MB);
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
    },
  );

  test('takes 5,000 devices, and 5,000 others in their place, without a stall', { timeout: 120_000 }, async () => {
    const hub = await serve();
    token = (await claimHub(hub)).access_token;
    // Measured from behind the start on.
    await longestTurnMs();
    for (const [what, from] of [
      ['5,000 devices taken', 1],
      ['5,000 others in their place', 100_001],
    ] as const) {
      await publish('bridge/devices', listOf(5_000, lamp, from));
      await vi.waitFor(async () => {
        const path = `/api/v1/device?search=lamp%20${from + 4_999}&fields=name`;
        expect((await hub.ask('GET', path, { token })).json).toHaveLength(1);
      }, PATIENCE);
      expect(await listDevices(hub, token, 5_000)).toHaveLength(5_000);
      const { turnMs, rssMb } = await report(what, hub);
      expect(turnMs).toBeLessThan(LONGEST_TURN_MS * machinePace());
      expect(rssMb).toBeLessThan(MAX_RSS_MB);
    }
  });
});
