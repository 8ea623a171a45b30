import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import { HubError } from '#base/hub-error.ts';
import { createOnceLog } from '#base/log.ts';
import type { Instance, Discovery } from '#core/integration/instance.ts';
import { createUp, runConnections } from '#integrations/peer/connection-run.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode, SetupResult } from '#integrations/kind.ts';
import type { InstancePorts, SetupPorts } from '#integrations/ports.ts';
import { words } from '#integrations/zwave/words/en.ts';
import { asked, type Latest, type SendDeps, sendCommand } from './commands.ts';
import { createNetwork } from './network.ts';
import { createProofs } from './proofs.ts';
import { serverFault } from './server-fault.ts';
import { runSession, checkVersion, openTalk } from './session.ts';
import { type ZwaveSettings, networkIdFrom, ZWAVE_SETTINGS } from './zwave-settings.ts';

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
          lost: ['unknown', 'integration_down'],
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

type Server = { readonly networkId: string };

/** Asks a server which network it has; asks a person for its address unless it was found. */
export async function* setUpZwave(
  discovery: Discovery<ZwaveSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<ZwaveSettings>> {
  const fields = { host: ZWAVE_SETTINGS.host };
  const { host, reading } = yield* askForHost(
    { foundHost: discovery?.settings.host, fields, words, wrong: WRONG_HOSTS },
    (asked) => readServer(asked, discovery?.uniqueId ?? null, ports),
  );
  const { networkId } = reading;
  return { uniqueId: networkId, name: `Z-Wave ${networkId}`, settings: { host, take_rooms: true }, secrets: {} };
}

/** The server at an address. Throws PeerFault. */
async function readServer(host: string, expected: string | null, ports: SetupPorts): Promise<Server> {
  const { openWebSocket, startTimer, signal, clock } = ports;
  const ignore = (): void => undefined;
  const { talk, socket } = await openTalk({
    host,
    openWebSocket,
    startTimer,
    monotonicMs: clock.monotonicMs,
    signal,
    onEvent: ignore,
    onUnreadable: ignore,
    onTooMuch: ignore,
  });
  try {
    void socket.ended.then(() => talk.end(serverFault('BAD_ANSWER')));
    const version = await talk.version;
    checkVersion(version, expected);
    return { networkId: networkIdFrom(version.homeId) };
  } finally {
    socket.close();
    await socket.ended;
  }
}

const WRONG_HOSTS = {
  BAD_ANSWER: 'no_server',
  OTHER_NETWORK: 'other_network',
  SERVER_TOO_OLD: 'too_old',
  SERVER_TOO_NEW: 'too_new',
} as const;
