import { HubError } from '#base/hub-error.ts';
import { createOnceLog } from '#base/log.ts';
import type { Integration } from '#integrations/integration.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type Announced, createAnnounced } from './announced.ts';
import { createDeviceTopics } from './device-topics.ts';

export type TasmotaInstance = {
  /** `broker` is an instance of the kind `mqtt`. */
  readonly settings: { readonly broker: string; readonly discovery_topic: string };
};
export type TasmotaPorts = Pick<InstancePorts, 'log' | 'startTimer' | 'mqtt' | 'knownDevices'>;

/** A broker sends what it has kept at once. A device that has not come by then is not announced any more. */
const ANNOUNCED_MS = 10_000;

/** The devices that announce themselves at a broker. */
export function createTasmota({ settings }: TasmotaInstance, ports: TasmotaPorts): Integration {
  const { log, startTimer, knownDevices } = ports;
  const discovery = `${settings.discovery_topic}/`;
  let up: Announced | null = null;
  return {
    run: async (sink, signal) => {
      const link = ports.mqtt(settings.broker);
      const topics = createDeviceTopics(link, log);
      const announced = createAnnounced({ sink, topics, publish: link.publish, startTimer, log });
      let stopWaiting: (() => void) | undefined;
      const losses = createOnceLog(log);
      const takeDown = (): void => {
        up = null;
        stopWaiting?.();
        for (const run of announced.runs()) {
          run.fail(new HubError('INTEGRATION_DOWN', 'The MQTT broker is not connected.'));
        }
      };
      sink.reportStatus('connecting', null);
      link.subscribe([`${discovery}+/config`, `${discovery}+/sensors`]);
      try {
        await link.run(
          {
            onUp: () => {
              up = announced;
              losses.forget();
              log.info('connected');
              sink.reportStatus('connected', null);
              stopWaiting = startTimer(ANNOUNCED_MS, () => {
                for (const mac of knownDevices()) {
                  if (!announced.has(mac)) sink.reportAvailability(mac, 'offline', 'not_announced');
                }
              });
            },
            onDown: (failure) => {
              takeDown();
              // Once per loss: the reason may change with every try, and the status has it.
              losses.tell(failure.message, { code: failure.code });
              sink.reportStatus('error', failure);
              sink.reportLost('offline', 'integration_down');
            },
            onMessage: ({ topic, payload, retained }) => {
              if (topic.startsWith(discovery)) return announced.take(topic.slice(discovery.length), payload);
              const speaker = topics.find(topic);
              speaker?.run.take(speaker.name, payload, retained);
            },
          },
          signal,
        );
      } finally {
        takeDown();
        await announced.stop();
      }
    },
    sendCommand: async (command) => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', 'The MQTT broker is not connected.');
      const device = up.find(command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'No such device is announced.');
      return device.send(command);
    },
  };
}
