import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { COORDINATOR } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { deviceName, lampEntries } from '#test/bench/support/bench-hub.ts';
import { startMosquitto } from '#test/support/peers/mosquitto.ts';

/** A Mosquitto that comes and goes, and a Zigbee2MQTT whose devices report each second. */
export type SoakBroker = {
  readonly url: string;
  readonly published: () => number;
  readonly flaps: () => number;
  /** Whether the broker was up when a report was sent. */
  readonly wasCalm: (atMs: number) => boolean;
  /** Kills the broker and starts it anew, then halts it for a while; resolves when all is well again. */
  readonly flap: () => Promise<void>;
  /** So many reports at once. */
  readonly burst: (count: number) => void;
  /** So many times that a device goes away or comes back, at once. */
  readonly comeAndGo: (count: number) => void;
  /** Ends the reports; the broker stays. */
  readonly hush: () => void;
  readonly stop: () => Promise<void>;
};

export type SoakBrokerOptions = {
  readonly devices: number;
  readonly changesPerS: number;
  /** What a report says, so that who gets it knows how long it was under way. */
  readonly nowMs: () => number;
};

const TICK_MS = 20;
const DOWN_MS = 3_000;
const BETWEEN_MS = 5_000;
const HALTED_MS = 3_000;
/** The hub reconnects after a second or more: earlier reports reach it as retained messages. */
const SETTLE_MS = 5_000;

export async function startSoakBroker({ devices, changesPerS, nowMs }: SoakBrokerOptions): Promise<SoakBroker> {
  const mosquitto = await startMosquitto();
  // Reports sent while the broker was away are lost, as with the real one.
  const client = await connectAsync(mosquitto.url, { reconnectPeriod: 250, queueQoSZero: false });
  const publish = (topic: string, json: unknown, retain: boolean): void => {
    if (client.connected) client.publish(`zigbee2mqtt/${topic}`, JSON.stringify(json), { retain });
  };
  const introduce = (): void => {
    publish('bridge/devices', [COORDINATOR, ...lampEntries(devices)], true);
    publish('bridge/state', { state: 'online' }, true);
  };
  introduce();
  client.on('connect', introduce);
  client.on('error', () => undefined);
  let published = 0;
  let due = 0;
  let next = 0;
  let flaps = 0;
  let isHushed = false;
  const report = (): void => {
    if (client.connected) published += 1;
    next = (next + 1) % devices;
    publish(deviceName(next), { power: Math.round(nowMs() * 1_000) / 1_000 }, false);
  };
  const storms: { readonly fromMs: number; toMs: number }[] = [];
  const ticker = setInterval(() => {
    if (!isHushed) due += (changesPerS * TICK_MS) / 1_000;
    for (; due >= 1; due -= 1) report();
  }, TICK_MS);
  return {
    url: mosquitto.url,
    published: () => published,
    flaps: () => flaps,
    wasCalm: (atMs) => !storms.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs),
    flap: async () => {
      flaps += 1;
      const storm = { fromMs: nowMs(), toMs: Number.POSITIVE_INFINITY };
      storms.push(storm);
      await mosquitto.kill();
      await wait(DOWN_MS);
      await mosquitto.start();
      await wait(BETWEEN_MS);
      mosquitto.freeze();
      await wait(HALTED_MS);
      mosquitto.thaw();
      await wait(SETTLE_MS);
      storm.toMs = nowMs();
    },
    burst: (count) => {
      for (let sent = 0; sent < count; sent += 1) report();
    },
    comeAndGo: (count) => {
      for (let turn = 0; turn < count; turn += 1) {
        const round = Math.floor(turn / devices);
        const state = round % 2 === 0 && count - turn > devices ? 'offline' : 'online';
        publish(`${deviceName(turn % devices)}/availability`, { state }, true);
      }
    },
    hush: () => void (isHushed = true),
    stop: async () => {
      clearInterval(ticker);
      mosquitto.thaw();
      await client.endAsync(true);
      await mosquitto.stop();
    },
  };
}
