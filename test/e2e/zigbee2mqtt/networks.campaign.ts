import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, startZigbee2mqtt, type RealZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';

type DeviceJson = {
  readonly id: string;
  readonly selector: string;
  readonly integration: string;
  readonly external_id: string;
  readonly availability: { readonly state: string; readonly reason: string | null };
  readonly features: readonly { readonly key: string; readonly value: unknown }[];
};
type InstanceJson = { readonly id: string; readonly status: string; readonly error: { readonly code: string } | null };

const SOON = { timeout: 20_000, interval: 100 };
/** The same in each of the three networks. */
const PLUG = radioAddress(6);
const NETWORKS = ['zigbee2mqtt', 'zigbee2mqtt-2', 'zigbee2mqtt-3'];

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('a home with three real Zigbee2MQTTs', () => {
  let brokers: readonly [Mosquitto, Mosquitto];
  let peers: readonly RealZigbee2mqtt[] = [];
  let folder: HubFolder;
  let hub: HubProcess;
  let token: string;

  const call = async <Json>(method: string, path: string, body?: unknown): Promise<Json> => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, { token, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json as Json;
  };
  const plugs = async (): Promise<readonly DeviceJson[]> =>
    (await call<DeviceJson[]>('GET', '/device'))
      .filter(({ external_id }) => external_id === PLUG)
      .toSorted((left, right) => left.integration.localeCompare(right.integration));
  const plugIn = async (integration: string): Promise<DeviceJson> => {
    const found = (await plugs()).find((plug) => plug.integration === integration);
    if (found === undefined) throw new Error(`${integration} has no plug`);
    return found;
  };
  const isOn = async (): Promise<unknown[]> =>
    (await plugs()).map(({ features }) => features.find(({ key }) => key === 'on')?.value);
  const instance = (id: string): Promise<InstanceJson> => call('GET', `/integration/${id}`);

  beforeAll(async () => {
    brokers = [await startMosquitto(), await startMosquitto()];
    const [one, two] = brokers;
    peers = await Promise.all([
      startZigbee2mqtt({ brokerPort: one.port }),
      startZigbee2mqtt({ brokerPort: one.port, baseTopic: 'garden/zigbee' }),
      startZigbee2mqtt({ brokerPort: two.port }),
    ]);
    folder = createHubFolder();
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: one.url });
    token = (await claimHub(hub)).access_token;
    const add = (kind: string, settings: unknown): Promise<{ id: string }> =>
      call('POST', '/integration', { kind, settings });
    // An instance that nobody has set up and that never answered would be taken for the one to set up.
    await vi.waitFor(async () => {
      if ((await instance('zigbee2mqtt')).status !== 'connected') throw new Error('it is not connected yet');
    }, SOON);
    await add('zigbee2mqtt', { broker: 'mqtt', base_topic: 'garden/zigbee' });
    const { id: broker } = await add('mqtt', { address: two.url });
    await add('zigbee2mqtt', { broker, base_topic: 'zigbee2mqtt' });
    for (const [{ url }, base] of [
      [one, 'zigbee2mqtt'],
      [one, 'garden/zigbee'],
      [two, 'zigbee2mqtt'],
    ] as const) {
      const client = await connectAsync(url);
      await client.publishAsync(`${base}/bridge/request/permit_join`, '{"time":60}');
      await client.endAsync();
    }
  }, 120_000);
  afterAll(async () => {
    await folder.close();
    for (const peer of peers) await peer.remove();
    for (const broker of brokers) await broker.stop();
  });

  test('has the same Zigbee address as three devices, each with an id of its own', { timeout: 60_000 }, async () => {
    await vi.waitFor(
      async () => {
        const found = await plugs();
        expect(found.map(({ integration }) => integration)).toEqual(NETWORKS);
        expect(found.map(({ availability }) => availability.state)).toEqual(['online', 'online', 'online']);
        expect(await isOn()).toEqual([false, false, false]);
      },
      { timeout: 50_000, interval: 200 },
    );
    const found = await plugs();
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
    expect(new Set(found.map(({ selector }) => selector)).size).toBe(3);
    await vi.waitFor(async () => expect(await call<DeviceJson[]>('GET', '/device')).toHaveLength(30), SOON);
  });

  test('switches the one that a command means', async () => {
    for (const [index, network] of NETWORKS.entries()) {
      const { selector } = await plugIn(network);
      await call('POST', `/device/${selector}/command`, { set: { on: true } });
      await vi.waitFor(async () => expect(await isOn()).toEqual(NETWORKS.map((_, place) => place <= index)), SOON);
    }
  });

  test('loses with a broker only what is behind it, and gets it back', { timeout: 60_000 }, async () => {
    await brokers[1].kill();
    await vi.waitFor(async () => {
      const found = await plugs();
      expect(found.map(({ availability }) => availability.state)).toEqual(['online', 'online', 'unknown']);
      for (const id of ['mqtt-2', 'zigbee2mqtt-3']) {
        expect(await instance(id)).toMatchObject({ status: 'error', error: { code: 'CONNECTION_REFUSED' } });
      }
      for (const id of ['mqtt', 'zigbee2mqtt', 'zigbee2mqtt-2']) {
        expect(await instance(id)).toMatchObject({ status: 'connected', error: null });
      }
    }, SOON);
    await brokers[1].start();
    await vi.waitFor(async () => {
      expect((await plugs()).map(({ availability }) => availability.state)).toEqual(['online', 'online', 'online']);
    }, SOON);
  });

  test('loses with a Zigbee2MQTT only its own devices, though another speaks through the same broker', async () => {
    await peers[1]?.stop();
    await vi.waitFor(async () => {
      expect((await plugs()).map(({ availability }) => availability.state)).toEqual(['online', 'unknown', 'online']);
      expect(await instance('zigbee2mqtt-2')).toMatchObject({ error: { code: 'BRIDGE_OFFLINE' } });
    }, SOON);
  });
});
