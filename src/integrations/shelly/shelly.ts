import type { Instance } from '#core/integration/instance.ts';
import { createUp, runConnections } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import { createSendOrder } from '#integrations/peer/send-order.ts';
import { mergeSendings } from './payload.ts';
import { createOnceLog } from '#base/log.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { deviceFault } from '#integrations/shelly/rpc/device-fault.ts';
import { openAt, runSession, type Send } from './session.ts';
import { setUpShelly } from './set-up.ts';
import type { ShellySettings } from './shelly-settings.ts';
import { runSleeper } from './sleeper.ts';

export const shellyCode: IntegrationCode<ShellySettings> = { create: createShelly, setUp: setUpShelly };

type Up = { readonly reporting: Reporting; readonly send: Send };

/** One device, with those that reach the hub through it. */
export function createShelly(instance: Instance<ShellySettings>, ports: InstancePorts): Integration {
  const { startTimer, log } = ports;
  const peer = { device: instance.name };
  const up = createUp<Up>('device');
  return {
    run: async (sink, signal) => {
      const password = await ports.secrets.read('password');
      const reporting = createReporting(sink);
      const unreadable = createOnceLog(log);
      const onUnreadable = (): void => unreadable.tell('the device sent what it should not', peer);
      const upWith = (send: Send): Up => ({ reporting, send: createSendOrder({ send, merge: mergeSendings }) });
      if (instance.settings.sleeps) {
        const setUp = (send: Send | null): void => up.set(send && upWith(send));
        return runSleeper({ instance, ports, sink, signal, reporting, password, setUp, onUnreadable });
      }
      sink.reportStatus('connecting', null);
      await runConnections<Up>({
        ports,
        sink,
        signal,
        peer,
        setUp: up.set,
        connect: (onUp, ending) => {
          const open = openAt(instance.settings.host, ports.openWebSocket);
          const onSession = (send: Send): void => onUp(upWith(send));
          const own = { open, password, mac: instance.uniqueId, reporting, onUp: onSession, onUnreadable };
          return runSession({ ...own, startTimer, signal: ending });
        },
        ended: () => deviceFault('DEVICE_UNREACHABLE'),
        lost: ['offline', 'unreachable'],
      });
    },
    sendCommand: async (command) => {
      const { reporting, send } = up.get();
      try {
        await Promise.all(reporting.sendingsFor(command).map((sending) => send(sending)));
        return 'device_ack';
      } catch (cause) {
        throw commandFailure(cause);
      }
    },
  };
}
