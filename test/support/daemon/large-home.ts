import type { TestBroker } from '#test/support/peers/broker.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { type FakeZigbee2mqtt, startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { claimHub, type HubFolder, type HubProcess, listDevices, type DeviceJson } from './hub-process.ts';

export type LargeHome = {
  readonly hub: HubProcess;
  readonly broker: TestBroker;
  readonly zigbee2mqtt: FakeZigbee2mqtt;
  readonly token: string;
  readonly devices: readonly DeviceJson[];
  readonly close: () => Promise<void>;
};

const numeric = (name: string, unit: string): Record<string, unknown> => ({
  type: 'numeric',
  name,
  property: name,
  access: 1,
  unit,
});
const LIGHT = {
  type: 'light',
  features: [
    { type: 'binary', name: 'state', property: 'state', access: 7, value_on: 'ON', value_off: 'OFF' },
    { type: 'numeric', name: 'brightness', property: 'brightness', access: 7, value_min: 0, value_max: 254 },
  ],
};
const MODELS = [
  { model: 'Lamp', vendor: 'Test', description: 'lamp', exposes: [LIGHT] },
  {
    model: 'Air',
    vendor: 'Test',
    description: 'air',
    exposes: [numeric('temperature', '°C'), numeric('humidity', '%')],
  },
];

function entryOf(name: string, index: number): Record<string, unknown> {
  return {
    ieee_address: `0x${(0xabc000 + index).toString(16).padStart(16, '0')}`,
    type: 'Router',
    friendly_name: name,
    supported: true,
    disabled: false,
    interview_completed: true,
    interview_state: 'SUCCESSFUL',
    definition: MODELS[index % MODELS.length],
  };
}

const CHANGES_AT_ONCE = 50;

/** A hub with a device of each of these names, every second one a lamp that is off, the others sensors, in rooms. */
export async function openLargeHome(
  hubs: HubFolder,
  names: readonly string[],
  roomNames: readonly string[],
): Promise<LargeHome> {
  const broker = await startBroker();
  const zigbee2mqtt = await startFakeZigbee2mqtt(broker, []);
  const hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url });
  const { access_token: token } = await claimHub(hub);
  await zigbee2mqtt.setDevices(names.map((_, index) => entryOf(`device ${index}`, index)));
  const listed = await listDevices(hub, token, names.length);
  const rooms = await Promise.all(
    roomNames.map(
      async (name) => (await hub.ask('POST', '/api/v1/room', { token, body: { name } })).json as { id: string },
    ),
  );
  // The hub limits how many changes a caller may make at once.
  const renamers = await Promise.all(
    Array.from({ length: Math.ceil(names.length / CHANGES_AT_ONCE) }, async (_, index) => {
      const body = { name: `renamer ${index}`, scopes: ['device:read', 'device:manage'] };
      return (await hub.ask('POST', '/api/v1/api_token', { token, body })).json as { token: string };
    }),
  );
  for (const [index, name] of names.entries()) {
    const renamer = renamers[Math.floor(index / CHANGES_AT_ONCE)]?.token;
    const room = rooms[Math.floor((index * rooms.length) / names.length)]?.id ?? null;
    const { id } = listed.find((device) => device.name === `device ${index}`) ?? { id: '' };
    const { status, json } = await hub.ask('PATCH', `/api/v1/device/${id}`, {
      token: renamer,
      body: { name, room },
    });
    if (status !== 200) throw new Error(`${JSON.stringify(name)} is no name: ${JSON.stringify(json)}`);
  }
  for (const [index] of names.entries()) {
    const values =
      index % 2 === 0 ? { state: 'OFF', brightness: 120 } : { temperature: 20 + index / 100, humidity: 45 };
    await zigbee2mqtt.publish(`device ${index}`, values);
  }
  const devices = await listDevices(hub, token, names.length);
  return { hub, broker, zigbee2mqtt, token, devices, close: () => broker.close() };
}
