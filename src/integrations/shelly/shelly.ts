import { HubError } from '#base/hub-error.ts';
import type { Instance } from '#core/integration/instance.ts';
import { runConnections } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { deviceFault } from '#integrations/shelly/rpc/device-fault.ts';
import { createSendOrder } from './send-order.ts';
import { openAt, runSession, type Send } from './session.ts';
import { setUpShelly } from './set-up.ts';
import type { ShellySettings } from './shelly-settings.ts';
import { runSleeper } from './sleeper.ts';

export const shellyCode: IntegrationCode<ShellySettings> = { create: createShelly, setUp: setUpShelly };

/** One device, with those that reach the hub through it. */
export function createShelly(instance: Instance<ShellySettings>, ports: InstancePorts): Integration {
  let up: { readonly reporting: Reporting; readonly send: Send } | null = null;
  return {
    run: async (sink, signal) => {
      const password = await ports.secrets.read('password');
      const reporting = createReporting(sink, ports.knownDevices);
      const peer = { device: instance.name };
      let isUnreadableLogged = false;
      const onUnreadable = (): void => {
        ports.log[isUnreadableLogged ? 'debug' : 'warn']('the device sent what it should not', peer);
        isUnreadableLogged = true;
      };
      const setUp = (send: Send | null): void => {
        up = send === null ? null : { reporting, send: createSendOrder(send) };
      };
      if (instance.settings.sleeps) {
        return runSleeper({ instance, ports, sink, signal, reporting, password, setUp, onUnreadable });
      }
      sink.reportStatus('connecting', null);
      await runConnections({
        ports,
        sink,
        signal,
        peer,
        connect: (onUp, ending) => {
          const onSession = (send: Send): void => {
            setUp(send);
            onUp();
          };
          const open = openAt(instance.settings.host, ports.openWebSocket);
          const own = { open, password, mac: instance.uniqueId, reporting, onUp: onSession, onUnreadable };
          return runSession({ ...own, startTimer: ports.startTimer, signal: ending });
        },
        ended: () => deviceFault('DEVICE_UNREACHABLE'),
        onEnd: () => setUp(null),
        onDown: () => reporting.setDown(),
      });
    },
    sendCommand: async (command) => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', 'The device is not connected.');
      const { reporting, send } = up;
      try {
        await Promise.all(reporting.sendingsFor(command).map((sending) => send(sending)));
        return 'device_ack';
      } catch (cause) {
        throw commandFailure(cause);
      }
    },
  };
}
