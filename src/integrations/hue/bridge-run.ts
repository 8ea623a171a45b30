import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import { bridgeFault, createBridge, readPublicConfig } from '#integrations/hue/clip/bridge.ts';
import { createRequestTurns } from '#integrations/hue/clip/request-turns.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type Commands, createCommands } from './commands.ts';
import type { HueSettings } from './hue-settings.ts';
import { createPairing, type Pairing } from './pairing.ts';
import { createReporting } from './reporting.ts';
import { createSession, type Session } from './session.ts';

/** What works while the bridge is connected. */
export type Up = { readonly commands: Commands; readonly pairing: Pairing };

type BridgeRunDeps = {
  readonly instance: Instance<HueSettings>;
  readonly ports: InstancePorts;
  readonly key: string;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: Up | null) => void;
};

const RETRY_DELAYS = { minMs: 1_000, maxMs: 60_000 };
/** A stream that ends sooner than this has not worked. */
const WORKING_MS = 10_000;

/** Keeps a connection to the bridge until the signal aborts. */
export async function runBridge(deps: BridgeRunDeps): Promise<void> {
  const { instance, ports, key, sink, signal } = deps;
  const { settings, uniqueId } = instance;
  const { clock, startTimer, log } = ports;
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
  const link = createLink({ sink, log, name: instance.name });
  const delays = createRetryDelays(RETRY_DELAYS, ports.random);

  const runSession = async (): Promise<PeerFault | undefined> => {
    const onUp = (): void => {
      deps.setUp({ commands, pairing });
      link.up();
    };
    session = createSession({ bridge, reporting, pairing, bridgeId: uniqueId, onUp, clock, startTimer, signal });
    try {
      await session.run();
      return undefined;
    } catch (cause) {
      if (!(cause instanceof PeerFault)) throw cause;
      return cause;
    } finally {
      session = undefined;
    }
  };
  const takeDown = (error: PeerFault): void => {
    deps.setUp(null);
    commands.endAll();
    turns.endAll(new HubError('INTEGRATION_DOWN', `${error.message}.`));
    pairing.stop();
    link.down(error);
    reporting.setDown();
  };

  try {
    while (!signal.aborted) {
      const beganMs = monotonicMs();
      const failure = await runSession();
      if (signal.aborted) return;
      const hasWorked = link.isUp() && monotonicMs() - beganMs >= WORKING_MS;
      if (link.isUp()) delays.reset();
      // A stream that was cut is opened again at once, and nobody needs to hear of it if that works.
      if (hasWorked && (failure === undefined || failure.code === 'BRIDGE_SILENT')) continue;
      takeDown(await explained(failure ?? bridgeFault('BRIDGE_UNREACHABLE'), deps));
      await waitMs(delays.nextMs(), startTimer, signal);
    }
  } finally {
    deps.setUp(null);
    pairing.stop();
    commands.endAll();
    turns.endAll(new HubError('INTEGRATION_DOWN', 'The integration stops.'));
  }
}

/** Shows and logs whether the bridge is connected. */
function createLink({ sink, log, name }: { sink: Pick<DeviceSink, 'reportStatus'>; log: Log; name: string }) {
  let isUp = false;
  let isLossLogged = false;
  return {
    isUp: () => isUp,
    up: (): void => {
      if (isUp) return;
      isUp = true;
      isLossLogged = false;
      log.info('connected', { bridge: name });
      sink.reportStatus('connected', null);
    },
    down: ({ code, message, cause, nature }: PeerFault): void => {
      isUp = false;
      // Once per loss: the reason may change with every try, and the status has it.
      log[isLossLogged ? 'debug' : 'warn'](message, { code, bridge: name, cause });
      isLossLogged = true;
      sink.reportStatus(nature === 'lasting' ? 'needs_action' : 'error', { code, message });
    },
  };
}

/** The error says whether something with another certificate is another bridge. */
async function explained(error: PeerFault, { instance, ports, signal }: BridgeRunDeps): Promise<PeerFault> {
  if (error.code !== 'CERTIFICATE_CHANGED') return error;
  try {
    const config = await readPublicConfig(ports.http, instance.settings.host, signal);
    const isOther = config !== undefined && instance.uniqueId !== null && config.bridgeId !== instance.uniqueId;
    return isOther ? bridgeFault('BRIDGE_REPLACED') : error;
  } catch (cause) {
    ports.log.debug('what answers instead of the bridge does not say what it is', { cause });
    return error;
  }
}
