import { HubError } from '#base/hub-error.ts';
import { untilAborted } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import { bridgeFault, createBridge, readPublicConfig } from '#integrations/hue/clip/bridge.ts';
import { createRequestTurns } from '#integrations/hue/clip/request-turns.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import { createUp, runConnections } from '#integrations/peer/connection-run.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type Commands, createCommands } from './commands.ts';
import type { HueSettings } from './hue-settings.ts';
import { createPairing, type Pairing } from './pairing.ts';
import { createReporting } from './reporting.ts';
import { createSession, type Session } from './session.ts';
import { setUpHue } from './set-up.ts';

export const hueCode: IntegrationCode<HueSettings> = { create: createHue, setUp: setUpHue };

/** These parts work while the bridge is connected. */
type Up = { readonly commands: Commands; readonly pairing: Pairing };

/** The devices of one bridge. */
export function createHue(instance: Instance<HueSettings>, ports: InstancePorts): Integration {
  const up = createUp<Up>('bridge');
  return {
    run: async (sink, signal) => {
      sink.reportStatus('connecting', null);
      const key = await ports.secrets.read('key');
      if (key !== null) return runBridge({ instance, ports, key, sink, signal, setUp: up.set });
      const { code, message } = bridgeFault('KEY_REFUSED');
      sink.reportStatus('needs_action', { code, message });
      await untilAborted(signal);
    },
    sendCommand: async (command) => up.get().commands.send(command),
    sendGroup: (commands) => up.get().commands.sendGroup(commands),
    removeDevice: async (externalId) => up.get().commands.removeDevice(externalId),
    openPairing: async (seconds) => {
      const { commands, pairing } = up.get();
      if (seconds === 0) throw new HubError('NOT_SUPPORTED', 'The bridge ends its search by itself after a minute.');
      await commands.search();
      pairing.opened();
    },
  };
}

type BridgeRunDeps = {
  readonly instance: Instance<HueSettings>;
  readonly ports: InstancePorts;
  readonly key: string;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: Up | null) => void;
};

async function runBridge(deps: BridgeRunDeps): Promise<void> {
  const { instance, ports, key, sink, signal } = deps;
  const { settings, uniqueId } = instance;
  const { clock, startTimer } = ports;
  const { host, fingerprint, take_rooms: takeRooms } = settings;
  const { monotonicMs } = clock;
  const turns = createRequestTurns({ clock, startTimer });
  const bridge = createBridge({ http: ports.http, host, fingerprint, key, turns, monotonicMs });
  const reporting = createReporting({ sink, takeRooms, monotonicMs });
  const pairing = createPairing(sink, startTimer);
  let session: Session | undefined;
  const commands = createCommands({
    bridge,
    reporting,
    sink,
    signal,
    onTaken: (isNews) => session?.checkSoon(isNews),
    onLost: (error) => session?.end(error),
  });
  const takeDown = (why: string): void => {
    deps.setUp(null);
    commands.endAll();
    turns.endAll(new HubError('INTEGRATION_DOWN', why));
    pairing.stop();
  };
  try {
    await runConnections<Up>({
      ports,
      sink,
      signal,
      peer: { bridge: instance.name },
      // Commands go on while a stream that was cut is opened again.
      setUp: (up) => void (up !== null && deps.setUp(up)),
      connect: async (onUp, ending) => {
        const own = { bridge, reporting, pairing, bridgeId: uniqueId, clock, startTimer };
        session = createSession({ ...own, onUp: () => onUp({ commands, pairing }), signal: ending });
        try {
          await session.run();
        } catch (cause) {
          throw await explained(cause, deps);
        } finally {
          session = undefined;
        }
      },
      ended: () => bridgeFault('BRIDGE_UNREACHABLE'),
      onDown: ({ message }) => {
        takeDown(`${message}.`);
        reporting.setDown();
      },
    });
  } finally {
    takeDown('The integration stops.');
  }
}

/** The fault says whether something with another certificate is another bridge. */
async function explained(fault: unknown, { instance, ports, signal }: BridgeRunDeps): Promise<unknown> {
  if (!(fault instanceof PeerFault) || fault.code !== 'CERTIFICATE_CHANGED') return fault;
  try {
    const config = await readPublicConfig(ports.http, instance.settings.host, signal);
    const isOther = config !== undefined && instance.uniqueId !== null && config.bridgeId !== instance.uniqueId;
    return isOther ? bridgeFault('BRIDGE_REPLACED') : fault;
  } catch (cause) {
    ports.log.debug('what answers instead of the bridge does not say what it is', { cause });
    return fault;
  }
}
