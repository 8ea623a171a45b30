import type { FieldError } from '#base/hub-error.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import type { Found } from '#core/integration/instance.ts';
import type { SetupAnswer, SetupStep } from '#core/integration/setup-step.ts';
import type { SetupResult } from '#integrations/kind.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { createWire, LightError } from './wire.ts';
import type { LightInfo } from './wled-message.ts';
import { WLED_SETTINGS, type WledSettings } from './wled-settings.ts';

/** Asks a light what it is; asks a person for its address unless it was found. */
export async function* setUpWled(
  found: Found<WledSettings> | undefined,
  ports: SetupPorts,
): AsyncGenerator<SetupStep, SetupResult<WledSettings>, SetupAnswer> {
  let host = found?.settings.host;
  let errors: readonly FieldError[] = [];
  for (;;) {
    if (host === undefined || errors.length > 0) {
      const values = host === undefined ? {} : { host };
      const answer: SetupAnswer = yield { type: 'form', fields: WLED_SETTINGS, values, errors };
      host = typeof answer['host'] === 'string' ? answer['host'] : '';
    }
    yield { type: 'busy', text: 'Asking what is at this address …' };
    const reading = await readLight(host, found?.uniqueId ?? null, ports);
    if (typeof reading !== 'string') {
      return { uniqueId: reading.mac, name: reading.name, settings: { host }, secrets: {} };
    }
    errors = [{ pointer: '/host', code: 'INVALID_VALUE', message: reading }];
  }
}

/** The light at an address, or what is wrong with the address. */
async function readLight(host: string, expected: string | null, ports: SetupPorts): Promise<LightInfo | string> {
  try {
    const { info } = await createWire(host, ports).readStatus(ports.signal);
    return expected === null || info.mac === expected ? info : 'is the address of another light than the one found';
  } catch (cause) {
    if (!(cause instanceof LightError)) throw cause;
    const reason = faultOf(cause.cause)?.reason;
    if (reason === 'aborted') throw cause;
    if (cause.code === 'BAD_ANSWER') return 'is not the address of a WLED light';
    if (cause.code === 'LIGHT_BUSY') return 'is that of a light with too much to do: try again in a moment';
    return reason === 'address_refused' ? 'is not an address in the home network' : 'does not answer';
  }
}
