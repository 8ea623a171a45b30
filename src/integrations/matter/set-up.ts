import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import type { SetupResult } from '#integrations/kind.ts';
import type { StartedInstance } from '#integrations/ports.ts';
import { codeFaultOf } from './code-pairing.ts';
import type { CommissioningStep } from './controller-message.ts';
import { MATTER_SETTINGS, type MatterSettings } from './matter-settings.ts';

/** Longer than the text of any QR code. */
const MAX_CODE = 256;
const CODE = {
  code: {
    type: 'text',
    label: 'Code of the first device',
    hint: 'The number that is printed on it or the text of its QR code. Without one, devices are added later',
    optional: true,
    maxLength: MAX_CODE,
  },
} as const satisfies SettingsShape;
const SEARCHING = 'Looking for the device …';
const STEPS: Readonly<Record<Exclude<CommissioningStep, 'searching'>, string>> = {
  found: 'The device was found …',
  attesting: 'Checking the device …',
  joining: 'The device joins your home …',
  reading: 'Asking the device what it can do …',
};

/** Asks for the code of a first device. With one, the set-up is done once that device has joined. */
export async function* setUpMatter(): SetupSteps<SetupResult<MatterSettings>> {
  const fields = { ...CODE, ...MATTER_SETTINGS };
  let values: { readonly code?: string; readonly port: number } = { port: MATTER_SETTINGS.port.default };
  let errors: readonly FieldError[] = [];
  for (;;) {
    const answer = yield { type: 'form', fields, values, errors };
    const code = codeIn(answer);
    const port = Number(answer['port']);
    errors = code === '' ? [] : codeErrors(codeFaultOf(code));
    values = { code, port };
    if (errors.length > 0) continue;
    return {
      uniqueId: null,
      name: 'Matter devices',
      settings: { port },
      secrets: {},
      ...(code === '' ? {} : { goOn: (started) => takeFirst(code, started) }),
    };
  }
}

/** Until a device has joined, or the person does without. */
async function* takeFirst(first: string, started: StartedInstance): SetupSteps<void> {
  yield { type: 'busy', text: 'Starting Matter …' };
  await started.connected();
  for (let code = first; code !== '';) {
    const wrong = codeFaultOf(code);
    const fault = wrong ?? (yield* take(code, started));
    if (fault === undefined) return;
    code = codeIn(yield { type: 'form', fields: CODE, values: { code }, errors: codeErrors(fault) });
  }
}

/** What kept the device from joining. */
async function* take(code: string, { pair }: StartedInstance): SetupSteps<string | undefined> {
  yield { type: 'busy', text: SEARCHING };
  let fault: string | undefined;
  for await (const { step, detail } of pair(code)) {
    const said = detailOf(detail);
    if (step === 'interview_failed') fault = said.message;
    const text = STEPS[said.step as keyof typeof STEPS];
    if (text !== undefined) yield { type: 'busy', text };
  }
  return fault;
}

type Detail = { readonly step?: string; readonly message?: string };

/** As code-pairing.ts has made it. */
function detailOf(detail: JsonValue): Detail {
  return isJsonObject(detail) ? detail : {};
}

function codeIn({ code }: Readonly<Record<string, unknown>>): string {
  return typeof code === 'string' ? code.trim() : '';
}

function codeErrors(fault: string | undefined): readonly FieldError[] {
  return fault === undefined ? [] : [fieldError('/code', 'INVALID_VALUE', fault)];
}
