import type { JsonObject } from '#base/json.ts';
import { bytesOf } from '#integrations/esphome/wire/protobuf.ts';
import type { HubProcess } from '#test/support/daemon/hub-process.ts';
import { ofEntity, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { echo, LISTING, STATES, withFloats } from '#test/support/esphome/listing.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { startTasmotaDevice } from '#test/support/tasmota/tasmota-device.ts';
import { startWledLight } from '#test/support/wled/wled-light.ts';
import { startZwaveServer } from '#test/support/zwave/zwave-server.ts';

/** Peers of five kinds in this process; each call of `report` makes one of their devices send a value. */
export type HouseOfKinds = {
  /** Devices that the hub has of it. */
  readonly devices: number;
  readonly brokerUrl: string;
  /** Adds each peer to the hub. */
  readonly join: (hub: HubProcess, token: string) => Promise<void>;
  /** One device after the other reports a value that it did not have before. */
  readonly report: () => void;
  readonly close: () => Promise<void>;
};

type Peer = {
  readonly kind: string;
  readonly settings: JsonObject;
  /** The value differs from that of the last report. */
  readonly report: (value: number) => void;
  readonly close: () => Promise<void> | void;
};

const ESPHOME_NODES = 20;
const SHELLY_DEVICES = 20;
const WLED_LIGHTS = 15;
const TASMOTA_PLUGS = 20;
const DEVICES_OF = { esphome: 2, shelly: 1, wled: 1, tasmota: 1, zwave: 9 } as const;

const KINDS = ['esphome', 'shelly', 'wled', 'tasmota', 'zwave'] as const;

const macOf = (prefix: string, index: number): string => prefix + index.toString(16).padStart(12 - prefix.length, '0');

async function esphomePeer(index: number): Promise<Peer> {
  const mac = macOf('98356900', index);
  const node = await startEsphomeNode({ mac, listing: LISTING, states: STATES, onCommand: echo });
  return {
    kind: 'esphome',
    settings: { host: node.host, mac },
    report: (value) => node.says(25, bytesOf(withFloats(ofEntity(3), { 2: value / 10 }))),
    close: node.close,
  };
}

async function shellyPeer(index: number): Promise<Peer> {
  const device = await startShellyDevice('plus1pm');
  const mac = macOf('a0b0c0d1', index);
  device.setInfo({ id: `shellyplus1pm-${mac}`, mac: mac.toUpperCase(), app: 'Plus1PM', gen: 2, auth_en: false });
  return {
    kind: 'shelly',
    settings: { host: device.host },
    report: (value) => device.patch('switch:0', { apower: value / 10 }),
    close: device.close,
  };
}

async function wledPeer(index: number): Promise<Peer> {
  const light = await startWledLight('rgb');
  light.setInfo({ mac: macOf('a0b0c0d2', index), name: `Shelf ${index}` });
  return {
    kind: 'wled',
    settings: { host: light.host },
    report: (value) => light.set({ bri: 1 + (value % 255) }),
    close: light.close,
  };
}

async function zwavePeer(): Promise<Peer> {
  const server = await startZwaveServer();
  const meter = { commandClass: 50, endpoint: 0, property: 'value', propertyKey: 66_049 };
  const air = { commandClass: 49, endpoint: 0, property: 'Air temperature' };
  return {
    kind: 'zwave',
    settings: { host: server.host },
    report: (value) => {
      if (value % 2 === 0) server.report(2, meter, value / 10);
      else server.report(8, air, value / 100);
    },
    close: server.close,
  };
}

export type PeerCounts = { readonly [Kind in keyof typeof DEVICES_OF]: number };

const ALL: PeerCounts = {
  esphome: ESPHOME_NODES,
  shelly: SHELLY_DEVICES,
  wled: WLED_LIGHTS,
  tasmota: TASMOTA_PLUGS,
  zwave: 1,
};

/** Starts so many peers of each kind; if nothing else is said, those of 104 devices. */
export async function startHouseOfKinds(counts: PeerCounts = ALL): Promise<HouseOfKinds> {
  const broker = await startBroker();
  const plugs = await Promise.all(
    numbersTo(counts.tasmota).map((index) => startTasmotaDevice(broker, 'plug', macOf('d8f15b00', index))),
  );
  const tasmota: Peer = {
    kind: 'tasmota',
    settings: { broker: 'mqtt' },
    report: (value) => {
      const energy = { ENERGY: { Total: 12.345, Power: value, Voltage: 231, Factor: 0.9 } };
      void plugs[value % plugs.length]?.measure(energy);
    },
    close: () => {
      for (const plug of plugs) plug.close();
    },
  };
  const peers: readonly Peer[] = [
    ...(await Promise.all(numbersTo(counts.esphome).map(esphomePeer))),
    ...(await Promise.all(numbersTo(counts.shelly).map(shellyPeer))),
    ...(await Promise.all(numbersTo(counts.wled).map(wledPeer))),
    ...(await Promise.all(numbersTo(counts.zwave).map(zwavePeer))),
    ...(counts.tasmota > 0 ? [tasmota] : []),
  ];
  let turn = 0;
  return {
    devices: KINDS.reduce((sum, kind) => sum + counts[kind] * DEVICES_OF[kind], 0),
    brokerUrl: broker.url,
    join: async (hub, token) => {
      for (const { kind, settings } of peers) {
        const { status, bytes } = await hub.ask('POST', '/api/v1/integration', { token, body: { kind, settings } });
        if (status !== 201) throw new Error(`${kind} is answered ${status}: ${bytes.toString()}`);
      }
    },
    report: () => {
      turn += 1;
      peers[turn % peers.length]?.report(turn);
    },
    close: async () => {
      for (const peer of peers) await peer.close();
      await broker.close();
    },
  };
}

function numbersTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
