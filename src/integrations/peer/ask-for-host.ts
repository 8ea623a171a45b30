import type { FieldError } from '#base/hub-error.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';

type Asked = {
  /** Is tried before anyone is asked. */
  readonly foundHost: string | undefined;
  /** With a `host`. */
  readonly fields: SettingsShape;
};

/** Asks a person for an address until `read` finds what it looks for there. Else `read` says what is wrong. */
export async function* askForHost<Reading extends object | null>(
  { foundHost, fields }: Asked,
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
    const reading = await read(host);
    if (typeof reading !== 'string') return { host, reading };
    errors = [{ pointer: '/host', code: 'INVALID_VALUE', message: reading }];
  }
}
