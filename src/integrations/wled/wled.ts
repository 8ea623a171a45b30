import { HubError } from '#base/hub-error.ts';
import type { Instance } from '#core/integration/instance.ts';
import { runConnections } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { createSendOrder } from './send-order.ts';
import { runSession, type SendChange } from './session.ts';
import { setUpWled } from './set-up.ts';
import { createWire, lightFault } from './wire.ts';
import type { WledSettings } from './wled-settings.ts';

export const wledCode: IntegrationCode<WledSettings> = { create: createWled, setUp: setUpWled };

/** One light. */
export function createWled(instance: Instance<WledSettings>, ports: InstancePorts): Integration {
  let up: { readonly reporting: Reporting; readonly send: SendChange } | null = null;
  return {
    run: (sink, signal) => {
      sink.reportStatus('connecting', null);
      return runLight({ instance, ports, sink, signal, setUp: (next) => (up = next) });
    },
    sendCommand: async (command) => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', 'The light is not connected.');
      const { reporting, send } = up;
      try {
        await send(reporting.changeFor(command));
        return 'device_ack';
      } catch (cause) {
        throw commandFailure(cause);
      }
    },
  };
}

type LightRunDeps = {
  readonly instance: Instance<WledSettings>;
  readonly ports: InstancePorts;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: { readonly reporting: Reporting; readonly send: SendChange } | null) => void;
};

/** Keeps a connection to the light until the signal aborts. */
function runLight({ instance, ports, sink, signal, setUp }: LightRunDeps): Promise<void> {
  const { startTimer, log, knownDevices } = ports;
  const wire = createWire(instance.settings.host, ports);
  const peer = { light: instance.name };
  const onFault = (cause: unknown): void => log.warn('the light could not be read again', { ...peer, cause });
  const reporting = createReporting({ sink, wire, startTimer, knownDevices, onFault });
  let isUnreadableLogged = false;
  const onUnreadable = (): void => {
    log[isUnreadableLogged ? 'debug' : 'warn']('the light sent what is no state', peer);
    isUnreadableLogged = true;
  };
  return runConnections({
    ports,
    sink,
    signal,
    peer,
    connect: (onUp, ending) => {
      const onSession = (send: SendChange): void => {
        setUp({ reporting, send: createSendOrder(send) });
        onUp();
      };
      const mac = instance.uniqueId;
      return runSession({ wire, reporting, mac, onUp: onSession, onUnreadable, startTimer, signal: ending });
    },
    ended: () => lightFault('LIGHT_UNREACHABLE'),
    onEnd: () => setUp(null),
    onDown: reporting.setDown,
  });
}
