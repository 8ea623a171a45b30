import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectBelow } from '#test/support/machine/bounds.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, startZigbee2mqtt, type RealZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';
import { needs } from '#test/support/machine/requires.ts';

type FeatureJson = { key: string; unit: string | null; value: unknown; quality: string };
type DeviceJson = {
  id: string;
  selector: string;
  name: string;
  type: string;
  external_id: string;
  manufacturer: string | null;
  room: { name: string } | null;
  availability: { state: string };
  features: FeatureJson[];
};

const SOON = { timeout: 15_000, interval: 50 };
/** What the simulated radio holds, with one value that each device reports when it joins. */
const TEN: readonly (readonly [number, string, string, string, string | null, unknown])[] = [
  [1, 'extended_color_light', 'IKEA', 'on', null, false],
  [2, 'color_temperature_light', 'IKEA', 'on', null, false],
  [3, 'temperature_sensor', 'SONOFF', 'temperature', 'celsius', 21.5],
  [4, 'contact_sensor', 'SONOFF', 'battery', 'percent', 90],
  [5, 'occupancy_sensor', 'SONOFF', 'battery', 'percent', 80],
  [6, 'on_off_plug_in_unit', 'Tuya', 'power', 'W', 0],
  [7, 'window_covering', 'IKEA', 'position', 'percent', 100],
  [8, 'thermostat', 'Danfoss', 'target_temperature', 'celsius', 21],
  [9, 'door_lock', 'Yale', 'battery', 'percent', 100],
  [10, 'generic_switch', 'IKEA', 'battery', 'percent', 87],
];

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('a hub whose home is the real Zigbee2MQTT', () => {
  let broker: Mosquitto;
  let peer: RealZigbee2mqtt;
  let client: MqttClient;
  let folder: HubFolder;
  let hub: HubProcess;
  let tokens: Tokens;

  const call = async <Json>(method: string, path: string, body?: unknown): Promise<Json> =>
    (await hub.ask(method, `/api/v1${path}`, { token: tokens.access_token, body })).json as Json;
  const list = (): Promise<DeviceJson[]> => call<DeviceJson[]>('GET', '/device');
  const find = async (number: number): Promise<DeviceJson | undefined> =>
    (await list()).find((device) => device.external_id === radioAddress(number));
  const feature = (device: DeviceJson | undefined, key: string): FeatureJson | undefined =>
    device?.features.find((candidate) => candidate.key === key);
  const askBridge = (request: string, payload: unknown): Promise<unknown> =>
    client.publishAsync(`zigbee2mqtt/bridge/request/${request}`, JSON.stringify(payload));

  beforeAll(async () => {
    broker = await startMosquitto();
    peer = await startZigbee2mqtt({ brokerPort: broker.port });
    client = await connectAsync(broker.url);
    folder = createHubFolder();
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url });
    tokens = await claimHub(hub);
  }, 90_000);
  afterAll(async () => {
    await client.endAsync();
    await folder.close();
    await peer.remove();
    await broker.stop();
  });

  test('lists all ten within 10 s of joining, with types, units and values', { timeout: 60_000 }, async () => {
    await askBridge('permit_join', { time: 60 });
    await vi.waitFor(async () => expect(await list()).toHaveLength(10), { timeout: 30_000, interval: 50 });
    const joinedMs = performance.now();
    // The converter of this plug takes the power of a plug that it knows to be off for 0, whatever it reports.
    await vi.waitFor(async () => expect(feature(await find(6), 'on')?.value).toBe(false), SOON);
    const attrs = { activePower: 42 };
    await peer.radio('/report', { ieee: radioAddress(6), ep: 1, cluster: 'haElectricalMeasurement', attrs });
    for (const [number, type, manufacturer, key, unit, value] of TEN) {
      await vi.waitFor(
        async () => {
          const device = await find(number);
          expect(device).toMatchObject({ type, manufacturer, room: null });
          // A person can tell it from the others by this name, but not by an address.
          expect(device?.name).toMatch(/^[A-Z][a-z]+( [a-z]+)*( \d+)?$/);
          expect(device?.availability.state).toBe('online');
          expect(feature(device, key)).toMatchObject({ unit, value, quality: 'confirmed' });
        },
        { interval: 50 },
      );
    }
    process.stdout.write(
      `ten devices whole ${Math.round(performance.now() - joinedMs)} ms after the last was listed\n`,
    );
    expectBelow('ten devices are whole, ms', performance.now() - joinedMs, 10_000);
  });

  test('a rename there keeps the id, and reports under the new name arrive', { timeout: 30_000 }, async () => {
    const before = await find(3);
    await askBridge('device/rename', { from: radioAddress(3), to: 'Living room/Climate' });
    await vi.waitFor(async () => expect((await find(3))?.name).toBe('Living room/Climate'), SOON);
    expect((await find(3))?.id).toBe(before?.id);
    expect((await find(3))?.selector).toBe(before?.selector);
    await peer.radio('/report', {
      ieee: radioAddress(3),
      ep: 1,
      cluster: 'msTemperatureMeasurement',
      attrs: { measuredValue: 1850 },
    });
    await vi.waitFor(async () => expect(feature(await find(3), 'temperature')?.value).toBe(18.5), SOON);
  });

  test('a restart keeps ids, names and rooms; values are restored until reported', { timeout: 60_000 }, async () => {
    const room = await call<{ id: string }>('POST', '/room', { name: 'Study' });
    const sensor = await find(3);
    await call('PATCH', `/device/${sensor?.selector}`, { name: 'Study climate', room: room.id });
    const before = await list();
    expect((await hub.end('SIGTERM')).code).toBe(0);
    await peer.stop();
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url });
    const identity = ({ id, selector, name, room: its }: DeviceJson): unknown => [id, selector, name, its?.name];
    expect((await list()).map(identity)).toEqual(before.map(identity));
    expect(await find(3)).toMatchObject({ name: 'Study climate', room: { name: 'Study' } });
    expect(feature(await find(3), 'temperature')).toMatchObject({ value: 18.5, quality: 'restored' });
    expect((await find(3))?.availability.state).not.toBe('online');

    await peer.start();
    await peer.radio('/join', { ieee: radioAddress(3) });
    await vi.waitFor(async () => {
      await peer.radio('/report', {
        ieee: radioAddress(3),
        ep: 1,
        cluster: 'msTemperatureMeasurement',
        attrs: { measuredValue: 1900 },
      });
      expect(feature(await find(3), 'temperature')).toMatchObject({ value: 19, quality: 'confirmed' });
    }, SOON);
  });

  test('a device removed in Zigbee2MQTT goes from the hub, and the other way round', { timeout: 30_000 }, async () => {
    await askBridge('device/remove', { id: radioAddress(6), force: true });
    await vi.waitFor(async () => expect(await find(6)).toBeUndefined(), SOON);
    const lock = await find(9);
    const { status } = await hub.ask('DELETE', `/api/v1/device/${lock?.selector}?force=true`, {
      token: tokens.access_token,
    });
    expect(status).toBe(204);
    await vi.waitFor(async () => expect(await find(9)).toBeUndefined(), SOON);
    expect(await list()).toHaveLength(8);
  });
});
