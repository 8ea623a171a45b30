import { HubError } from '#base/hub-error.ts';
import { createOnceLog } from '#base/log.ts';
import type { Instance } from '#core/integration/instance.ts';
import { createUp, runConnections } from '#integrations/peer/connection-run.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { asked, type Latest, type SendDeps, sendCommand } from './commands.ts';
import { createNetwork } from './network.ts';
import { createProofs } from './proofs.ts';
import { serverFault } from './server-fault.ts';
import { runSession } from './session.ts';
import { setUpZwave } from './set-up.ts';
import type { ZwaveSettings } from './zwave-settings.ts';

export const zwaveCode: IntegrationCode<ZwaveSettings> = { create: createZwave, setUp: setUpZwave };

/** The devices of one Z-Wave network. */
export function createZwave(instance: Instance<ZwaveSettings>, ports: InstancePorts): Integration {
  const { startTimer, openWebSocket } = ports;
  const up = createUp<SendDeps>('Z-Wave JS server');
  return {
    run: async (sink, signal) => {
      sink.reportStatus('connecting', null);
      const { host, take_rooms: takeRooms } = instance.settings;
      const { monotonicMs } = ports.clock;
      const proofs = createProofs(startTimer, monotonicMs);
      const latest: Latest = new Map();
      const network = createNetwork({ sink, proofs, takeRooms, knownDevices: ports.knownDevices, monotonicMs });
      const peer = { server: instance.name };
      const unreadable = createOnceLog(ports.log);
      const onUnreadable = (cause?: unknown): void =>
        unreadable.tell('the server sent what it should not', { ...peer, cause });
      try {
        await runConnections<SendDeps>({
          ports,
          sink,
          signal,
          peer,
          setUp: up.set,
          connect: (onUp, ending) =>
            runSession({
              host,
              networkId: instance.uniqueId,
              network,
              openWebSocket,
              startTimer,
              monotonicMs,
              onUnreadable,
              signal: ending,
              onUp: (call) => onUp({ call, network, proofs, sink, startTimer, latest }),
            }),
          ended: () => serverFault('SERVER_UNREACHABLE'),
          onDown: network.setDown,
        });
      } finally {
        proofs.stop();
      }
    },
    sendCommand: async (command) => sendCommand(command, up.get()),
    removeDevice: async (externalId, force) => {
      const { call, network } = up.get();
      const nodeId = network.nodeIdOf(externalId);
      if (nodeId === undefined) throw new HubError('NOT_FOUND', 'This network has no such device.');
      if (!force) throw new HubError('NOT_SUPPORTED', LEAVING);
      await asked(call('controller.remove_failed_node', { nodeId }));
      await network.removeNode(nodeId);
    },
  };
}

const LEAVING =
  'A Z-Wave device leaves when its own button is pressed: exclude it at the server. If it is gone, remove it by force.';
