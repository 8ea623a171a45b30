import { readFile } from 'node:fs/promises';
import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Integration } from '#integrations/integration.ts';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import { createMqtt } from '#integrations/mqtt/mqtt.ts';
import { createZigbee2mqtt } from '#integrations/zigbee2mqtt/zigbee2mqtt.ts';

export type BrokeredZigbee2mqttDeps = {
  /** The present settings, read once per run. */
  readonly settings: () => BrokerAndTopic;
  readonly clock: Clock;
  readonly log: Log;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
};

export type BrokerAndTopic = {
  readonly url: string;
  readonly user: string | null;
  /** Its first line is the password. */
  readonly passwordFile: string | null;
  readonly baseTopic: string;
};

/** One integration that consists of two: a Zigbee2MQTT and the broker that it speaks through. */
export function createBrokeredZigbee2mqtt({ settings, ...deps }: BrokeredZigbee2mqttDeps): Integration {
  const { clock, log, startTimer, random } = deps;
  const links = createMqttLinks(startTimer);
  const ports = { clock, log, startTimer, random, mqtt: links.link };
  const identity = { id: 'zigbee2mqtt', name: 'Zigbee2MQTT' };
  const create = (baseTopic: string): Integration =>
    createZigbee2mqtt({ ...identity, settings: { broker: 'mqtt', base_topic: baseTopic } }, ports);
  let present = create(settings().baseTopic);
  return {
    ...identity,
    run: async (sink, signal) => {
      const { url, user, passwordFile, baseTopic } = settings();
      const broker = createMqtt(
        { id: 'mqtt', name: 'MQTT broker', settings: { address: url, user } },
        {
          ...ports,
          serveMqtt: (served) => links.serve('mqtt', served),
          secrets: { read: async () => (passwordFile === null ? null : readFirstLine(passwordFile)) },
        },
      );
      present = create(baseTopic);
      await Promise.all([broker.run({ ...sink, reportStatus: () => undefined }, signal), present.run(sink, signal)]);
    },
    sendCommand: (command) => present.sendCommand(command),
    removeDevice: async (externalId, force) => present.removeDevice?.(externalId, force),
    openPairing: async (seconds) => present.openPairing?.(seconds),
  };
}

async function readFirstLine(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
}
