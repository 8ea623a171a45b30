import type {
  FieldError,
  IntegrationKind,
  IntegrationSetup,
  IntegrationSetupStep,
  SettingField,
} from '#web/client/api.ts';
import { filled } from '#words/texts.ts';
import { type FieldsWords, type KindWords, kinds } from '#web/strings/en/hub/kinds.ts';

type Fields = IntegrationKind['settings'];

/** A kind in the words of the page's language. What has no words stays as the hub says it. */
export function kindIn(kind: IntegrationKind, words: KindWords | undefined = kinds[kind.id]): IntegrationKind {
  if (words === undefined) return kind;
  const { name, about, help = kind.help, pairingHint, removalHint } = words.kind;
  return {
    ...kind,
    name,
    about,
    help: [...help],
    pairing_hint: pairingHint ?? kind.pairing_hint,
    removal_hint: removalHint ?? kind.removal_hint,
    settings: fieldsIn(kind.settings, words.settings),
  };
}

/** The same of a set-up, with its step or failure. */
export function setupIn(setup: IntegrationSetup, words: KindWords | undefined = kinds[setup.kind]): IntegrationSetup {
  if (words === undefined) return setup;
  const { step, error } = setup;
  return {
    ...setup,
    step: step && stepIn(step, words),
    error: error && { ...error, message: words.failures?.[error.code] ?? error.message },
  };
}

/** Says what is wrong with a field, in words of its kind; `undefined` if it has none for that. */
export function kindFault(words: KindWords | undefined, { reason }: FieldError): string | undefined {
  return reason === undefined ? undefined : words?.faults?.[reason.id];
}

function stepIn(step: IntegrationSetupStep, words: KindWords): IntegrationSetupStep {
  const { reason, fields, options } = step;
  const id = reason?.id ?? '';
  if (fields !== undefined) {
    return { ...step, fields: fieldsIn(fieldsIn(fields, words.settings), words.forms?.[id]) };
  }
  const [said, chosen] = [words.steps?.[id], words.choices?.[id]];
  if (said !== undefined) return { ...step, text: said };
  if (chosen === undefined || options === undefined) return step;
  return {
    ...step,
    text: filled(chosen.text, reason?.with ?? {}),
    options: options.map((option) => ({ ...option, ...chosen.options[option.id] })),
  };
}

function fieldsIn(fields: Fields, words: FieldsWords = {}): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldIn(field, words[key])]));
}

function fieldIn(field: SettingField, words: FieldsWords[string] = {}): SettingField {
  const { label = field.label, hint = field.hint } = words;
  const options = field.options?.map(({ id, label: own }) => ({ id, label: words.options?.[id] ?? own }));
  return { ...field, label, hint, ...(options && { options }) };
}
