import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createUuidSource } from '#base/uuid.ts';
import type { DeviceId } from '#core/device/device.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { openStorage } from '#storage/open/open-storage.ts';
import { storageInProcess } from '#storage/storage.ts';
import { claimHub, createHubFolder, type HubProcess, logInAnother } from '#test/support/daemon/hub-process.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { UNIT_ENV, UNIT_FLAGS } from './unit-flags.ts';

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
  /** A session of a further person: a session may have 16 event streams, a person 32. */
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

/** One integration may not have so many devices, so the others belong to one that does not run. */
async function addDevicesOfAnother(state: string, count: number): Promise<void> {
  const storage = storageInProcess(
    await openStorage({
      folders: { state, runtime: join(state, 'run') },
      log: createRecordingLog().log,
      wallMs: Date.now,
      startTimer: startSystemTimer,
      random: systemRandom,
      onFailure: () => undefined,
    }),
  );
  const newId = createUuidSource(Date.now, systemRandom);
  const known = await storage.devices.loadDevices();
  const others = known.slice(0, count).map((device) => ({
    ...device,
    id: newId() as DeviceId,
    integration: 'another',
    selector: `another-${device.selector}`,
  }));
  await storage.devices.saveDevices(others);
  await storage.close();
}

/** `fill` may put devices into the new state folder, and returns how many. */
export async function startBenchHub(
  devices: number,
  env: Readonly<Record<string, string>> = {},
  fill: (state: string) => Promise<number> = async () => 0,
): Promise<BenchHub> {
  // Nagle's algorithm holds messages back until the reader's kernel acknowledges the last: the bench would measure that.
  const mosquitto = await startMosquitto(undefined, ['set_tcp_nodelay true']);
  const hubs = createHubFolder();
  const folder = join(hubs.folder, 'state');
  const client = await connectAsync(mosquitto.url);
  const listed = Math.min(devices, DEVICE_LIMITS.shownOfIntegration);
  const entries = lampEntries(listed);
  const publish = (topic: string, json: unknown): Promise<unknown> =>
    client.publishAsync(`zigbee2mqtt/${topic}`, JSON.stringify(json), { retain: true });
  await publish('bridge/state', { state: 'online' });
  await publish('bridge/devices', entries);
  const serve = (): Promise<HubProcess> =>
    hubs.serve({
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: mosquitto.url,
      // The unit keeps it in memory, so what is written to it is not written to the disk.
      RUNTIME_DIRECTORY: join(hubs.folder, 'run'),
      ...UNIT_ENV,
      ...env,
      NODE_OPTIONS: `${UNIT_FLAGS} ${env['NODE_OPTIONS'] ?? ''}`,
    });
  const filled = await fill(folder);
  let hub = await serve();
  const { access_token: token } = await claimHub(hub);
  const count = async (): Promise<number> => {
    const { headers } = await hub.ask('GET', '/api/v1/device?limit=1', { token });
    return Number(headers.get('x-total-count'));
  };
  const untilKnown = async (wanted: number): Promise<void> => {
    for (let waitedMs = 0; (await count()) < wanted + filled; waitedMs += 100) {
      if (waitedMs > 60_000) throw new Error(`the hub knows ${await count()} of ${wanted} devices after a minute`);
      await wait(100);
    }
  };
  await untilKnown(listed);
  if (devices > listed) {
    await hub.end('SIGTERM');
    await addDevicesOfAnother(folder, devices - listed);
    hub = await serve();
    await untilKnown(devices);
  }
  return {
    hub,
    port: Number(new URL(hub.address).port),
    folder,
    mosquitto,
    client,
    token,
    newToken: async () => (await logInAnother(hub, token)).access_token,
    stop: async () => {
      await client.endAsync();
      await hub.end('SIGTERM');
      await hubs.close();
      await mosquitto.stop();
    },
  };
}
