import { faultOf } from '#base/network/connection-failure.ts';
import type { Found } from '#core/integration/instance.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { serverFault } from './server-fault.ts';
import { checkVersion, openTalk } from './session.ts';
import { networkIdFrom, ZWAVE_SETTINGS, type ZwaveSettings } from './zwave-settings.ts';

type Server = { readonly networkId: string };

/** Asks a server which network it has; asks a person for its address unless it was found. */
export async function* setUpZwave(
  found: Found<ZwaveSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<ZwaveSettings>> {
  const fields = { host: ZWAVE_SETTINGS.host };
  const { host, reading } = yield* askForHost({ foundHost: found?.settings.host, fields }, (asked) =>
    readServer(asked, found?.uniqueId ?? null, ports),
  );
  const { networkId } = reading;
  return { uniqueId: networkId, name: `Z-Wave ${networkId}`, settings: { host, take_rooms: true }, secrets: {} };
}

/** The server at an address, or what is wrong with the address. */
async function readServer(host: string, expected: string | null, ports: SetupPorts): Promise<Server | string> {
  const { openWebSocket, startTimer, signal, clock } = ports;
  const ignore = (): void => undefined;
  try {
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
  } catch (cause) {
    if (!(cause instanceof PeerFault)) throw cause;
    const reason = faultOf(cause.cause)?.reason;
    if (reason === 'aborted') throw cause;
    if (reason === 'address_refused') return 'is not an address in the home network';
    return FAULTS[cause.code] ?? 'does not answer';
  }
}

const FAULTS: Readonly<Partial<Record<string, string>>> = {
  BAD_ANSWER: 'is not the address of a Z-Wave JS server',
  OTHER_NETWORK: 'is the address of another Z-Wave network than the one found',
  SERVER_TOO_OLD: 'is that of a server that is too old: update it',
  SERVER_TOO_NEW: 'is that of a server that is too new for this hub: update the hub',
};
