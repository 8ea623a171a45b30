import mqtt, { type MqttClient } from 'mqtt';
import { onTestFinished, vi } from 'vitest';
import { type Device, deviceName } from '#core/device/device.ts';
import { openWholeHub, type WholeHub } from '#test/support/hub/whole-hub.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';

export const POLL = { interval: 20 };

/** What a broker keeps, as everybody sees it who reads it. */
export type BrokerView = {
  readonly client: MqttClient;
  /** The messages that are kept now, by topic. */
  readonly kept: ReadonlyMap<string, string>;
  /** Everything that came, as `topic payload`. */
  readonly heard: readonly string[];
  /** The discovery message of the device with this name. */
  readonly config: (name: string) => OfferedConfig | undefined;
  readonly say: (topic: string, payload: string, retain?: boolean) => Promise<void>;
};

export type OfferedConfig = {
  readonly topic: string;
  readonly device: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export async function watchBroker(url: string): Promise<BrokerView> {
  const client = await mqtt.connectAsync(url, { reconnectPeriod: 50, protocolVersion: 5 });
  onTestFinished(() => void client.end(true));
  const kept = new Map<string, string>();
  const heard: string[] = [];
  client.on('message', (topic, payload, { retain }) => {
    const text = payload.toString();
    heard.push(`${topic} ${text}`);
    if (text === '') kept.delete(topic);
    else if (retain) kept.set(topic, text);
  });
  await client.subscribeAsync('#', { qos: 0, rap: true });
  return {
    client,
    kept,
    heard,
    config: (name) => {
      for (const [topic, text] of kept) {
        if (!topic.endsWith('/config')) continue;
        const config = JSON.parse(text) as Omit<OfferedConfig, 'topic' | 'components'> & Partial<OfferedConfig>;
        const { components, device } = config;
        if (components !== undefined && device['name'] === name) return { topic, device, components };
      }
      return undefined;
    },
    say: async (topic, payload, retain = false) => {
      await client.publishAsync(topic, payload, { qos: 1, retain });
    },
  };
}

export type OfferedWorld = {
  readonly hub: WholeHub;
  readonly broker: Mosquitto;
  readonly view: BrokerView;
  readonly owner: string;
  readonly instance: string;
  /** The id of its broker. */
  readonly link: string;
  /** Adds an integration, and resolves with its id. */
  readonly add: (body: object) => Promise<string>;
  /** Changes the settings of the offering. */
  readonly set: (settings: object) => Promise<void>;
  readonly roomId: (name: string) => string;
  readonly device: (name: string) => Device;
};

/** The simulated home at a real broker, with an instance that offers it there. */
export async function openOfferedWorld(): Promise<OfferedWorld> {
  const broker = await startMosquitto();
  onTestFinished(() => broker.stop());
  const hub = await openWholeHub();
  const { token: owner } = await hub.addPerson('olga', 'owner');
  const add = async (body: object): Promise<string> => {
    const { status, json } = await hub.call('POST /integration', { token: owner, body });
    if (status !== 201) throw new Error(JSON.stringify(json));
    return String(json['id']);
  };
  const link = await add({ kind: 'mqtt', name: 'Broker of the offering', settings: { address: broker.url } });
  const instance = await add({ kind: 'home_assistant_discovery', settings: { broker: link } });
  const view = await watchBroker(broker.url);
  await vi.waitFor(() => {
    if (hub.home.supervisor.statusOf(instance).state !== 'connected') throw new Error('not connected');
  }, POLL);
  return {
    hub,
    broker,
    view,
    owner,
    instance,
    link,
    add,
    set: async (settings) => {
      const answer = await hub.call(`PATCH /integration/${instance}`, {
        token: owner,
        body: { settings },
        type: 'application/merge-patch+json',
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    },
    roomId: (name) => hub.home.rooms.rooms().find((room) => room.name === name)?.id ?? '',
    device: (name) => {
      const found = hub.home.devices.devices().find((device) => deviceName(device) === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    },
  };
}
