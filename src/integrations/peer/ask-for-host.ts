import type { FieldError } from '#base/hub-error.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import { PeerFault } from './peer-fault.ts';

/** What is wrong with an address, for people, by the code of the fault that the peer there has. */
type WrongHosts = Readonly<Partial<Record<string, string>>>;

type Asked = {
  /** Is tried before anyone is asked. */
  readonly foundHost: string | undefined;
  /** With a `host`. */
  readonly fields: SettingsShape;
  readonly wrong: WrongHosts;
};

/**
 * Asks a person for an address until `read` finds what it looks for there. Else `read` throws a PeerFault, or says what is
 * wrong with the address.
 */
export async function* askForHost<Reading extends object | null>(
  { foundHost, fields, wrong }: Asked,
  read: (host: string) => Promise<Reading | string>,
): SetupSteps<{ readonly host: string; readonly reading: Reading }> {
  let host = foundHost;
  let errors: readonly FieldError[] = [];
  for (;;) {
    if (host === undefined || errors.length > 0) {
      const values = host === undefined ? {} : { host };
      const answer: SetupAnswer = yield { type: 'form', fields, values, errors };
      host = typeof answer['host'] === 'string' ? answer['host'] : '';
    }
    yield { type: 'busy', text: 'Asking what is at this address …' };
    const reading = await read(host).catch((cause: unknown) => wrongHost(cause, wrong));
    if (typeof reading !== 'string') return { host, reading };
    errors = [{ pointer: '/host', code: 'INVALID_VALUE', message: reading }];
  }
}

/** What a person reads beside an address whose peer has this fault. Throws again what is no fault, or of an end. */
export function wrongHost(cause: unknown, wrong: WrongHosts): string {
  if (!(cause instanceof PeerFault)) throw cause;
  const reason = faultOf(cause.cause)?.reason;
  if (reason === 'aborted') throw cause;
  const usual = reason === 'address_refused' ? 'is not an address in the home network' : 'does not answer';
  return wrong[cause.code] ?? usual;
}
