import { faultOf } from '#base/network/connection-failure.ts';
import type { Found } from '#core/integration/instance.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { createWire } from './wire.ts';
import type { LightInfo } from './wled-message.ts';
import { WLED_SETTINGS, type WledSettings } from './wled-settings.ts';

/** Asks a light what it is; asks a person for its address unless it was found. */
export async function* setUpWled(
  found: Found<WledSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<WledSettings>> {
  const { host, reading } = yield* askForHost({ foundHost: found?.settings.host, fields: WLED_SETTINGS }, (asked) =>
    readLight(asked, found?.uniqueId ?? null, ports),
  );
  return { uniqueId: reading.mac, name: reading.name, settings: { host }, secrets: {} };
}

/** The light at an address, or what is wrong with the address. */
async function readLight(host: string, expected: string | null, ports: SetupPorts): Promise<LightInfo | string> {
  try {
    const { info } = await createWire(host, ports).readStatus(ports.signal);
    return expected === null || info.mac === expected ? info : 'is the address of another light than the one found';
  } catch (cause) {
    if (!(cause instanceof PeerFault)) throw cause;
    const reason = faultOf(cause.cause)?.reason;
    if (reason === 'aborted') throw cause;
    if (cause.code === 'BAD_ANSWER') return 'is not the address of a WLED light';
    if (cause.code === 'LIGHT_BUSY') return 'is that of a light with too much to do: try again in a moment';
    return reason === 'address_refused' ? 'is not an address in the home network' : 'does not answer';
  }
}
