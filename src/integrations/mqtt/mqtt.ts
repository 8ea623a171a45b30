import { HubError } from '#base/hub-error.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { keepConnected } from './mqtt-connection.ts';
import { createMqttShares } from './mqtt-shares.ts';

/** An instance of the kind `mqtt`, as far as its code needs it. */
export type MqttInstance = {
  readonly settings: { readonly address: string; readonly user: string | null };
};

/** It reports no devices, so others than the supervisor can run it too. */
export type Mqtt = Omit<Integration, 'run'> & {
  readonly run: (sink: Pick<DeviceSink, 'reportStatus'>, signal: AbortSignal) => Promise<void>;
};

/** The connection to a broker. It has no devices: others reach theirs through links that share it. */
export function createMqtt({ settings }: MqttInstance, ports: MqttPorts): Mqtt {
  const { log, startTimer, clock } = ports;
  const { monotonicMs } = clock;
  return {
    run: async (sink, signal) => {
      const shares = createMqttShares({ log, startTimer, monotonicMs });
      sink.reportStatus('connecting', null);
      const stopServing = ports.serveMqtt(shares);
      const readPassword = (): Promise<string | null> => ports.secrets.read('password');
      try {
        await keepConnected(
          { ...settings, ...ports, readPassword, monotonicMs },
          {
            onUp: (session) => {
              sink.reportStatus('connected', null);
              shares.onUp(session);
            },
            onDown: (failure) => {
              // Integrations that speak through it log their loss; the status has the reason of each try.
              log.debug(failure.message, { code: failure.code });
              sink.reportStatus('error', failure);
              shares.onDown(failure);
            },
            onMessage: shares.onMessage,
          },
          signal,
        );
      } finally {
        stopServing();
      }
    },
    sendCommand: async () => {
      throw new HubError('NOT_FOUND', 'An MQTT broker has no devices of its own.');
    },
  };
}

export type MqttPorts = Pick<
  InstancePorts,
  'log' | 'startTimer' | 'random' | 'clock' | 'mayConnect' | 'noteServed' | 'serveMqtt'
> & {
  readonly secrets: Pick<InstancePorts['secrets'], 'read'>;
};
