import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connectAsync } from 'mqtt';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { startFirmware } from '#test/support/esphome/real-firmware.ts';
import { startMosquitto } from '#test/support/peers/mosquitto.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { startTasmotaDevice } from '#test/support/tasmota/tasmota-device.ts';
import { startWledLight } from '#test/support/wled/wled-light.ts';
import { startMockNetwork } from '#test/support/zwave/mock-network.ts';

/** A device of a kind, or the server in front of several, that a bench commands, kills and silences. */
export type BenchPeer = {
  /** What speaks the protocol. */
  readonly what: string;
  /** `host:port`, for the client library. */
  readonly place: string;
  /** What is added to the hub, in this order. */
  readonly integrations: readonly { readonly kind: string; readonly settings: JsonObject }[];
  /** The feature that is commanded: its device is the first that has it. */
  readonly feature: string;
  readonly valueOf: (round: number) => JsonValue;
  readonly kill: () => Promise<void>;
  /** Starts it again; resolves once it answers. */
  readonly start: () => Promise<void>;
  /** From now on it neither hears nor says anything, and its connections stay open. */
  readonly freeze: () => Promise<void> | void;
  readonly thaw: () => Promise<void> | void;
  readonly close: () => Promise<void>;
};

/** In front of a peer in this process, which could not be silent on its own: its library answers pings. */
async function startRelay(target: string) {
  const [, targetPort = ''] = target.split(':');
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((socket) => {
    const inner = connect(Number(targetPort), '127.0.0.1');
    const pair = [socket, inner] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, [inner, socket]] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        // What has no power ends nothing.
        if (!isFrozen) other.destroy();
      });
      one.on('data', (bytes) => void (!isFrozen && other.write(bytes)));
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => void (isFrozen = true),
    /** It comes back without its connections. */
    thaw: () => {
      isFrozen = false;
      for (const pair of pairs) for (const one of pair) one.destroy();
    },
    close: () => void server.close(),
  };
}

const isOnIn = (round: number): JsonValue => round % 2 === 0;

async function startEsphome(): Promise<BenchPeer> {
  const { host, kill, start, freeze, thaw, remove } = await startFirmware();
  return {
    what: 'the real firmware',
    place: host,
    integrations: [{ kind: 'esphome', settings: { host, mac: '983569ab0001' } }],
    feature: 'relay.on',
    valueOf: isOnIn,
    kill,
    start,
    freeze,
    thaw,
    close: remove,
  };
}

async function startShelly(): Promise<BenchPeer> {
  const device = await startShellyDevice('plus1pm');
  const { host, freeze, thaw, close } = await startRelay(device.host);
  return {
    what: 'a simulated Plus 1PM',
    place: device.host,
    integrations: [{ kind: 'shelly', settings: { host } }],
    feature: 'on',
    valueOf: isOnIn,
    kill: device.unplug,
    start: device.plug,
    freeze,
    thaw,
    close: async () => {
      close();
      await device.close();
    },
  };
}

async function startWled(): Promise<BenchPeer> {
  const light = await startWledLight('rgb');
  const { host, freeze, thaw, close } = await startRelay(light.host);
  return {
    what: 'a simulated light of two segments',
    place: light.host,
    integrations: [{ kind: 'wled', settings: { host } }],
    feature: 'brightness',
    valueOf: (round) => 10 + round,
    kill: light.unplug,
    start: light.plug,
    freeze,
    thaw,
    close: async () => {
      close();
      await light.close();
    },
  };
}

async function startTasmota(): Promise<BenchPeer> {
  const mosquitto = await startMosquitto(undefined, ['set_tcp_nodelay true']);
  const client = await connectAsync(mosquitto.url, { reconnectPeriod: 250 });
  await client.subscribeAsync('cmnd/#');
  client.on('error', () => undefined);
  const broker: Parameters<typeof startTasmotaDevice>[0] = {
    publish: async (topic, payload, retain = false) => void (await client.publishAsync(topic, payload, { retain })),
    onPublish: (listener) =>
      void client.on('message', (topic, bytes) => listener({ topic, payload: bytes.toString(), bytes })),
  };
  const device = await startTasmotaDevice(broker, 'plug');
  // A broker that was killed has forgotten what it had kept.
  client.on('connect', () => void device.announce({}).then(device.plug));
  const [, port] = mosquitto.url.split('//');
  return {
    what: 'a simulated plug at Mosquitto, which is what is killed and silenced',
    place: port ?? '',
    integrations: [
      { kind: 'mqtt', settings: { address: mosquitto.url } },
      { kind: 'tasmota', settings: { broker: 'mqtt' } },
    ],
    feature: 'on',
    valueOf: isOnIn,
    kill: mosquitto.kill,
    start: mosquitto.start,
    freeze: mosquitto.freeze,
    thaw: mosquitto.thaw,
    close: async () => {
      device.close();
      await client.endAsync(true);
      await mosquitto.stop();
    },
  };
}

async function startZwave(): Promise<BenchPeer> {
  const network = await startMockNetwork();
  return {
    what: 'the real driver and server on nine simulated nodes',
    place: network.host,
    integrations: [{ kind: 'zwave', settings: { host: network.host } }],
    feature: 'on',
    valueOf: isOnIn,
    kill: network.kill,
    start: network.start,
    freeze: network.freeze,
    thaw: network.thaw,
    close: network.remove,
  };
}

/** By the kind of integration. */
export const BENCH_PEERS = {
  esphome: startEsphome,
  shelly: startShelly,
  wled: startWled,
  tasmota: startTasmota,
  zwave: startZwave,
} as const satisfies Readonly<Record<string, () => Promise<BenchPeer>>>;
