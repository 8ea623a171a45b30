import { HubError } from '#base/hub-error.ts';
import type { Instance } from '#core/integration/instance.ts';
import { runConnections } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type EsphomeSettings, readKey } from './esphome-settings.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { runSession, type Send } from './session.ts';
import { setUpEsphome } from './set-up.ts';
import { nodeFault } from '#integrations/esphome/wire/node-fault.ts';

export const esphomeCode: IntegrationCode<EsphomeSettings> = { create: createEsphome, setUp: setUpEsphome };

type Up = { readonly reporting: Reporting; readonly send: Send };

/** One node, with its parts. */
export function createEsphome(instance: Instance<EsphomeSettings>, ports: InstancePorts): Integration {
  let up: Up | null = null;
  return {
    run: (sink, signal) => {
      sink.reportStatus('connecting', null);
      return runNode({ instance, ports, sink, signal, setUp: (next) => (up = next) });
    },
    sendCommand: async (command) => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', 'The node is not connected.');
      const { reporting, send } = up;
      const sendings = reporting.sendingsFor(command);
      try {
        await send(sendings);
      } catch (cause) {
        throw commandFailure(cause);
      }
      reporting.confirm(command);
      return 'device_ack';
    },
  };
}

type NodeRunDeps = {
  readonly instance: Instance<EsphomeSettings>;
  readonly ports: InstancePorts;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: Up | null) => void;
};

/** Keeps a connection to the node until the signal aborts. */
async function runNode({ instance, ports, sink, signal, setUp }: NodeRunDeps): Promise<void> {
  const { host, mac, take_rooms: takesRooms } = instance.settings;
  const key = await readSecret(ports);
  const { knownDevices, knownFeatures, clock } = ports;
  const { monotonicMs } = clock;
  const reporting = createReporting({ sink, knownDevices, knownFeatures, monotonicMs, takesRooms });
  const peer = { node: instance.name };
  let sleeps = (await ports.state.load())['sleeps'] === true;
  const { onUnreadable, onSkipped } = createOneTimeLog(ports, peer);
  await runConnections({
    ports,
    sink,
    signal,
    peer,
    connect: async (onUp, ending) => {
      if (key === 'unreadable') throw nodeFault('KEY_REFUSED');
      await runSession({
        host,
        key,
        mac: instance.uniqueId ?? mac,
        reporting,
        ports,
        onSkipped,
        onInfo: async (info) => {
          if (info.sleeps === sleeps) return;
          sleeps = info.sleeps;
          await ports.state.save({ sleeps });
        },
        onUp: (send) => {
          setUp({ reporting, send });
          onUp();
        },
        onUnreadable,
        signal: ending,
      });
    },
    ended: () => nodeFault('NODE_UNREACHABLE'),
    isAsleep: () => sleeps,
    onEnd: () => setUp(null),
    onDown: () => reporting.setDown(sleeps),
  });
}

/** What would be said at each connection is said once. */
function createOneTimeLog({ log }: InstancePorts, peer: Readonly<Record<string, string>>) {
  let isUnreadableLogged = false;
  let isSkippedLogged = false;
  return {
    onUnreadable: (): void => {
      log[isUnreadableLogged ? 'debug' : 'warn']('the node sent what it should not', peer);
      isUnreadableLogged = true;
    },
    onSkipped: (skipped: ReadonlyMap<string, number>): void => {
      const counts = Object.fromEntries(skipped);
      log[isSkippedLogged ? 'debug' : 'info']('some of the node has no place here', { ...counts, ...peer });
      isSkippedLogged = true;
    },
  };
}

/** The key; `null` without one. */
async function readSecret({ secrets }: InstancePorts): Promise<Uint8Array | null | 'unreadable'> {
  const text = await secrets.read('key');
  return text === null ? null : (readKey(text) ?? 'unreadable');
}
