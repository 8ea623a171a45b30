import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { claimHub, createHubFolder, type HubProcess, logIn } from '#test/support/hub-process.ts';
import { type Mosquitto, startMosquitto } from '#test/support/mosquitto.ts';
import { UNIT_FLAGS } from './unit-flags.ts';

/** The built hub on a real Mosquitto with so many devices, claimed. */
export type BenchHub = {
  readonly hub: HubProcess;
  readonly port: number;
  /** Its state. */
  readonly folder: string;
  readonly mosquitto: Mosquitto;
  /** At the same broker, in this process. */
  readonly client: MqttClient;
  readonly token: string;
  /** A further session: each may have 16 event streams. */
  readonly newToken: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

const numeric = (name: string, unit: string, access = 1): object => ({
  type: 'numeric',
  name,
  property: name,
  unit,
  access,
});
const LIGHT = {
  type: 'light',
  features: [
    {
      type: 'binary',
      name: 'state',
      property: 'state',
      access: 7,
      value_on: 'ON',
      value_off: 'OFF',
      value_toggle: 'TOGGLE',
    },
    { type: 'numeric', name: 'brightness', property: 'brightness', access: 7, value_min: 0, value_max: 254 },
  ],
};
const EXPOSES = [LIGHT, numeric('power', 'W'), numeric('linkquality', 'lqi')];

/** Friendly name of the n-th device. */
export const deviceName = (index: number): string => `Lamp ${index}`;

/** So many lamps with a meter, as `bridge/devices` has them. */
export function lampEntries(devices: number): readonly object[] {
  const definition = {
    model: 'B1',
    vendor: 'Bench',
    description: 'lamp',
    source: 'native',
    options: [],
    exposes: EXPOSES,
  };
  return Array.from({ length: devices }, (_, index) => ({
    ieee_address: `0x${(index + 1).toString(16).padStart(16, '0')}`,
    type: 'Router',
    supported: true,
    disabled: false,
    friendly_name: deviceName(index),
    definition,
    interview_completed: true,
  }));
}

export async function startBenchHub(devices: number, env: Readonly<Record<string, string>> = {}): Promise<BenchHub> {
  // Nagle's algorithm holds messages back until the reader's kernel tells of the last: that would be measured instead.
  const mosquitto = await startMosquitto(undefined, ['set_tcp_nodelay true']);
  const hubs = createHubFolder();
  const client = await connectAsync(mosquitto.url);
  const entries = lampEntries(devices);
  const publish = (topic: string, json: unknown): Promise<unknown> =>
    client.publishAsync(`zigbee2mqtt/${topic}`, JSON.stringify(json), { retain: true });
  await publish('bridge/state', { state: 'online' });
  await publish('bridge/devices', entries);
  const hub = await hubs.serve({
    HEARTHD_SIMULATE: '0',
    HEARTHD_MQTT_URL: mosquitto.url,
    ...env,
    NODE_OPTIONS: `${UNIT_FLAGS} ${env['NODE_OPTIONS'] ?? ''}`,
  });
  const { access_token: token } = await claimHub(hub);
  const count = async (): Promise<number> => {
    const { headers } = await hub.ask('GET', '/api/v1/device?limit=1', { token });
    return Number(headers.get('x-total-count'));
  };
  for (let waitedMs = 0; (await count()) < devices; waitedMs += 100) {
    if (waitedMs > 60_000) throw new Error(`the hub knows ${await count()} of ${devices} devices after a minute`);
    await wait(100);
  }
  return {
    hub,
    port: Number(new URL(hub.address).port),
    folder: join(hubs.folder, 'state'),
    mosquitto,
    client,
    token,
    newToken: async () => (await logIn(hub)).access_token,
    stop: async () => {
      await client.endAsync();
      await hub.end('SIGTERM');
      await hubs.close();
      await mosquitto.stop();
    },
  };
}
