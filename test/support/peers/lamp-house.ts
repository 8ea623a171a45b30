import { type MqttClient, connectAsync } from 'mqtt';
import { vi } from 'vitest';
import { type Mosquitto, startMosquitto } from './mosquitto.ts';
import { radioAddress, type RealZigbee2mqtt, startZigbee2mqtt } from './real-zigbee2mqtt.ts';
import { type RunningHub, startRunningHub } from '#test/support/daemon/running-hub.ts';

/** A hub with twenty lamps behind the real Zigbee2MQTT. */
export type LampHouse = {
  readonly broker: Mosquitto;
  readonly peer: RealZigbee2mqtt;
  readonly hub: RunningHub;
  readonly client: MqttClient;
  /** By the number of the lamp, from 0. */
  readonly selectors: readonly string[];
  /** Makes a group of Zigbee2MQTT of these lamps. */
  readonly addRadioGroup: (name: string, lamps: readonly number[]) => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Listed = {
  external_id: string;
  selector: string;
  availability: { state: string };
  features: { key: string; quality: string }[];
};

const LAMPS = Array.from({ length: 20 }, (_, index) => radioAddress(index + 1));

export async function startLampHouse(): Promise<LampHouse> {
  const broker = await startMosquitto();
  const peer = await startZigbee2mqtt({ brokerPort: broker.port, devices: 'twenty-lamps.cjs' });
  const hub = await startRunningHub({ HEARTHD_MQTT_URL: broker.url });
  const client = await connectAsync(broker.url);
  await vi.waitFor(
    async () => {
      const { json } = await hub.call<{ id: string; status: string }[]>('GET /integration');
      if (json.find(({ id }) => id === 'zigbee2mqtt')?.status !== 'connected') throw new Error('not connected');
    },
    { timeout: 30_000, interval: 100 },
  );
  await hub.call('POST /integration/zigbee2mqtt/pairing', { body: { seconds: 100 } });
  let selectors: readonly string[] = [];
  await vi.waitFor(
    async () => {
      const { json } = await hub.call<Listed[]>('GET /device?availability=online');
      selectors = LAMPS.flatMap((id) => {
        const lamp = json.find(({ external_id, features }) => external_id === id && features.length > 0);
        return lamp?.selector ?? [];
      });
      if (selectors.length < LAMPS.length) throw new Error(`${selectors.length} lamps`);
    },
    { timeout: 90_000, interval: 200 },
  );
  const ask = async (request: string, body: object): Promise<void> => {
    const topic = `zigbee2mqtt/bridge/response/${request}`;
    await client.subscribeAsync(topic);
    const answered = new Promise<string>((resolve) => {
      const listen = (at: string, payload: Buffer): void => {
        if (at !== topic) return;
        client.off('message', listen);
        resolve(payload.toString());
      };
      client.on('message', listen);
    });
    await client.publishAsync(`zigbee2mqtt/bridge/request/${request}`, JSON.stringify(body));
    const answer = await answered;
    if (!answer.includes('"status":"ok"')) throw new Error(`${request}: ${answer}`);
  };
  return {
    broker,
    peer,
    hub,
    client,
    selectors,
    addRadioGroup: async (group, lamps) => {
      await ask('group/add', { friendly_name: group });
      for (const lamp of lamps) await ask('group/members/add', { group, device: LAMPS[lamp], endpoint: 1 });
    },
    stop: async () => {
      await client.endAsync();
      await hub.stop();
      await peer.remove();
      await broker.stop();
    },
  };
}
