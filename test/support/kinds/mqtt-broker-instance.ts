import { readFile } from 'node:fs/promises';
import type { Log } from '#base/log.ts';
import { type Clock, systemClock } from '#base/time/clock.ts';
import { startSystemTimer, type StartTimer } from '#base/time/timer.ts';
import type { Integration } from '#integrations/integration.ts';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import { createMqtt } from '#integrations/mqtt/mqtt.ts';
import type { MqttLink } from '#integrations/ports.ts';
import { createZigbee2mqtt } from '#integrations/zigbee2mqtt/zigbee2mqtt.ts';

export type BrokerSettings = {
  readonly url: string;
  readonly user?: string | null;
  /** Its first line is the password. */
  readonly passwordFile?: string | null;
  /** By default everywhere. */
  readonly mayConnect?: (address: string) => boolean;
};

export type InstanceSurroundings = {
  readonly log: Log;
  readonly clock?: Clock;
  readonly startTimer?: StartTimer;
  readonly random?: () => number;
};

/** An instance of the kind `mqtt`, and links through it. */
export type BrokerInstance = { readonly integration: Integration; readonly link: () => MqttLink };

export function createBrokerInstance(
  { url, user = null, passwordFile = null, mayConnect = () => true }: BrokerSettings,
  { log, clock = systemClock, startTimer = startSystemTimer, random = () => 0 }: InstanceSurroundings,
): BrokerInstance {
  const links = createMqttLinks(startTimer);
  const readPassword = async (): Promise<string | null> =>
    passwordFile === null ? null : ((await readFile(passwordFile, 'utf8')).split(/\r?\n/, 1)[0] ?? '');
  const integration = createMqtt(
    { settings: { address: url, user } },
    {
      log,
      clock,
      startTimer,
      random,
      mayConnect,
      noteServed: () => undefined,
      serveMqtt: (broker) => links.serve('mqtt', broker),
      secrets: { read: readPassword },
    },
  );
  return { integration, link: () => links.link('mqtt') };
}

/** A Zigbee2MQTT together with the instance that is connected to its broker: they run as one. */
export function createBrokeredZigbee2mqtt(
  { baseTopic = 'zigbee2mqtt', ...settings }: BrokerSettings & { readonly baseTopic?: string },
  surroundings: InstanceSurroundings,
): Integration {
  const { log, clock = systemClock, startTimer = startSystemTimer, random = () => 0 } = surroundings;
  const broker = createBrokerInstance(settings, surroundings);
  const zigbee2mqtt = createZigbee2mqtt(
    { settings: { broker: 'mqtt', base_topic: baseTopic } },
    { log, clock, startTimer, random, noteServed: () => undefined, mqtt: broker.link },
  );
  return {
    ...zigbee2mqtt,
    run: async (sink, signal) => {
      const ignored = { ...sink, reportStatus: () => undefined };
      await Promise.all([broker.integration.run(ignored, signal), zigbee2mqtt.run(sink, signal)]);
    },
  };
}
