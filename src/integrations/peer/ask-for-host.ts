import type { FieldError } from '#base/hub-error.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import { fault, said } from '#integrations/words/kind-words.ts';
import { PeerFault } from './peer-fault.ts';

/** Each fault of the peer at an address has the id of what the kind says about it. */
type WrongHosts<Fault> = Readonly<Partial<Record<string, Fault>>>;

type Asked<Fault extends string> = {
  /** Is tried before anyone is asked. */
  readonly foundHost: string | undefined;
  /** With a `host`. */
  readonly fields: SettingsShape;
  /** What the kind says. */
  readonly words: {
    readonly steps: { readonly asking_host: string };
    readonly faults: Readonly<Record<Fault, string>>;
  };
  readonly wrong: WrongHosts<NoInfer<Fault>>;
};

/**
 * Asks a person for an address until `read` finds what it looks for there. Else `read` throws a PeerFault, or says what is
 * wrong with the address.
 */
export async function* askForHost<Reading extends object | Fault | null, Fault extends string>(
  { foundHost, fields, words, wrong }: Asked<Fault>,
  read: (host: string) => Promise<Reading>,
): SetupSteps<{ readonly host: string; readonly reading: Exclude<Reading, string> }> {
  let host = foundHost;
  let errors: readonly FieldError[] = [];
  for (;;) {
    if (host === undefined || errors.length > 0) {
      const values = host === undefined ? {} : { host };
      const answer: SetupAnswer = yield { type: 'form', fields, values, errors };
      host = typeof answer['host'] === 'string' ? answer['host'] : '';
    }
    yield { type: 'busy', ...said(words.steps, 'asking_host') };
    const reading = await read(host).catch((cause: unknown) => wrongHost<string>(cause, wrong));
    if (typeof reading !== 'string') return { host, reading: reading as Exclude<Reading, string> };
    errors = [fault(words.faults, reading as Fault, '/host')];
  }
}

/**
 * Tells what is wrong with an address whose peer has this fault. Throws again what is no fault, or comes from an end.
 */
export function wrongHost<Fault extends string>(
  cause: unknown,
  wrong: WrongHosts<Fault>,
): Fault | 'outside' | 'silent' {
  if (!(cause instanceof PeerFault)) throw cause;
  const reason = faultOf(cause.cause)?.reason;
  if (reason === 'aborted') throw cause;
  return wrong[cause.code] ?? (reason === 'address_refused' ? 'outside' : 'silent');
}
