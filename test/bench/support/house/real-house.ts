import { expect, vi } from 'vitest';
import { connectAsync } from 'mqtt';
import type { JsonObject } from '#base/json.ts';
import { BENCH_PEERS, type BenchPeer } from '#test/bench/support/kinds/bench-peer.ts';
import type { HubProcess } from '#test/support/daemon/hub-process.ts';
import { startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { radioAddress, startZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';

/** Peers of seven kinds: the real program where there is one that runs here, else a simulated device. */
export type RealHouse = {
  /** Those that can go away and come back. */
  readonly peers: Readonly<Record<string, RealPeer>>;
  /** For the hub's configuration. */
  readonly brokerUrl: string;
  /** Of integrations with devices. */
  readonly kinds: number;
  /** Adds each to the hub, and lets the devices of Zigbee2MQTT join it. */
  readonly join: (hub: HubProcess, token: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type RealPeer = Pick<BenchPeer, 'kill' | 'start'> & {
  /** The integrations that reach nothing while it is away. */
  readonly integrations: readonly string[];
};

const SOON = { timeout: 60_000, interval: 100 };
const REPORT_EVERY_MS = 250;
const RADIO_DEVICES = 10;

export async function startRealHouse(): Promise<RealHouse> {
  const { tasmota: startTasmota, ...others } = BENCH_PEERS;
  const tasmota = await startTasmota();
  const brokerPort = Number(tasmota.place.split(':')[1]);
  const brokerUrl = `mqtt://${tasmota.place}`;
  const zigbee2mqtt = await startZigbee2mqtt({ brokerPort });
  const hue = await startHueBridge({ lamps: 10 });
  const single: Record<string, BenchPeer> = {};
  for (const [name, start] of Object.entries(others)) single[name] = await start();
  let reporter: NodeJS.Timeout | undefined;
  return {
    peers: {
      ...Object.fromEntries(Object.entries(single).map(([name, peer]) => [name, { ...peer, integrations: [name] }])),
      mosquitto: { ...tasmota, integrations: ['tasmota', 'zigbee2mqtt'] },
      zigbee2mqtt: {
        kill: zigbee2mqtt.stop,
        start: async () => {
          await zigbee2mqtt.start();
          // The simulated radio forgets with its process who is in its network.
          for (let number = 1; number <= RADIO_DEVICES; number += 1) {
            await zigbee2mqtt.radio('/join', { ieee: radioAddress(number) });
          }
        },
        integrations: ['zigbee2mqtt'],
      },
    },
    brokerUrl,
    kinds: Object.keys(BENCH_PEERS).length + 2,
    join: async (hub, token) => {
      await add(hub, token, { kind: 'tasmota', settings: { broker: 'mqtt' } });
      for (const { integrations } of Object.values(single)) for (const one of integrations) await add(hub, token, one);
      await setUpHue(hub, token, hue);
      const client = await connectAsync(brokerUrl);
      await client.publishAsync('zigbee2mqtt/bridge/request/permit_join', JSON.stringify({ time: 60 }));
      await vi.waitFor(async () => {
        const { json } = await hub.ask('GET', '/api/v1/device?integration=zigbee2mqtt', { token });
        expect(json).toHaveLength(RADIO_DEVICES);
      }, SOON);
      await client.endAsync();
      let turn = 0;
      reporter = setInterval(() => {
        turn += 1;
        const measured = { measuredValue: 1_900 + (turn % 400) };
        const told = { ieee: radioAddress(3), ep: 1, cluster: 'msTemperatureMeasurement', attrs: measured };
        // There is no radio while it is away.
        zigbee2mqtt.radio('/report', told).catch(() => undefined);
      }, REPORT_EVERY_MS);
    },
    close: async () => {
      clearInterval(reporter);
      for (const { close } of Object.values(single)) await close();
      await hue.close();
      await zigbee2mqtt.remove();
      await tasmota.close();
    },
  };
}

async function add(hub: HubProcess, token: string, body: JsonObject): Promise<void> {
  const { status, bytes } = await hub.ask('POST', '/api/v1/integration', { token, body });
  if (status !== 201) throw new Error(`${JSON.stringify(body)} is answered ${status}: ${bytes.toString()}`);
}

async function setUpHue(
  hub: HubProcess,
  token: string,
  hue: Awaited<ReturnType<typeof startHueBridge>>,
): Promise<void> {
  const begun = await hub.ask('POST', '/api/v1/integration_setup', { token, body: { kind: 'hue' } });
  const path = `/api/v1/integration_setup/${(begun.json as { id: string }).id}`;
  const until = (is: (setup: { status: string; step: { type: string } | null }) => boolean): Promise<void> =>
    vi.waitFor(async () => {
      const { json } = await hub.ask('GET', path, { token });
      if (!is(json as { status: string; step: { type: string } | null })) throw new Error(JSON.stringify(json));
    }, SOON);
  await until(({ step }) => step?.type === 'form');
  await hub.ask('POST', path, { token, body: { answer: { host: hue.host, take_rooms: true } } });
  await until(({ step, status }) => step?.type === 'act' || status !== 'running');
  await hue.act('link');
  await until(({ status }) => status === 'done');
}
