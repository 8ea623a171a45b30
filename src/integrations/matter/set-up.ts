import type { FieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { fault, said } from '#integrations/words/kind-words.ts';
import { words } from '#integrations/matter/words/en.ts';
import type { StartedInstance } from '#integrations/ports.ts';
import { codeFaultOf } from './code-pairing.ts';
import type { CommissioningStep } from './controller-message.ts';
import { MATTER_SETTINGS, type MatterSettings } from './matter-settings.ts';

const MAX_CODE = 256;
const CODE = {
  code: {
    type: 'text',
    ...words.settings.code,
    optional: true,
    maxLength: MAX_CODE,
  },
} as const satisfies SettingsShape;

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
      name: words.kind.name,
      settings: { port },
      secrets: {},
      ...(code === '' ? {} : { goOn: (started) => takeFirst(code, started) }),
    };
  }
}

/** Until a device has joined, or the person does without. */
async function* takeFirst(first: string, started: StartedInstance): SetupSteps<void> {
  yield { type: 'busy', ...said(words.steps, 'starting') };
  await started.connected();
  for (let code = first; code !== '';) {
    const wrong = codeFaultOf(code) ?? (yield* take(code, started));
    if (wrong === undefined) return;
    code = codeIn(yield { type: 'form', fields: CODE, values: { code }, errors: codeErrors(wrong) });
  }
}

/** Takes a device in, and returns the fault that kept it from joining. */
async function* take(code: string, { pair }: StartedInstance): SetupSteps<CodeFault | undefined> {
  yield { type: 'busy', ...said(words.steps, 'searching') };
  let wrong: CodeFault | undefined;
  for await (const { step, detail } of pair(code)) {
    const { step: progress, code: cause } = detailOf(detail);
    if (step === 'interview_failed') wrong = cause;
    if (progress !== undefined) yield { type: 'busy', ...said(words.steps, progress) };
  }
  return wrong;
}

type CodeFault = keyof typeof words.faults;
type Detail = { readonly step?: CommissioningStep; readonly code?: CodeFault };

/** As code-pairing.ts has made it. */
function detailOf(detail: JsonValue): Detail {
  return isJsonObject(detail) ? detail : {};
}

function codeIn({ code }: Readonly<Record<string, unknown>>): string {
  return typeof code === 'string' ? code.trim() : '';
}

function codeErrors(wrong: CodeFault | undefined): readonly FieldError[] {
  return wrong === undefined ? [] : [fault(words.faults, wrong, '/code')];
}
