import type { Found } from '#core/integration/instance.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
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
  const { host, reading } = yield* askForHost(
    { foundHost: found?.settings.host, fields, wrong: WRONG_HOSTS },
    (asked) => readServer(asked, found?.uniqueId ?? null, ports),
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
  BAD_ANSWER: 'is not the address of a Z-Wave JS server',
  OTHER_NETWORK: 'is the address of another Z-Wave network than the one found',
  SERVER_TOO_OLD: 'is that of a server that is too old: update it',
  SERVER_TOO_NEW: 'is that of a server that is too new for this hub: update the hub',
};
