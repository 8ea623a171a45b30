import type {
  FieldError,
  Integration,
  IntegrationKind,
  IntegrationSetup,
  IntegrationSetupStep,
  PairingChangedData,
  SettingField,
} from '#web/client/api.ts';
import { inEnglish, type Worded } from './hub-text.ts';
import { filled } from '#words/texts.ts';
import { type FieldsWords, type KindWords, kinds } from '#web/strings/en/hub/kinds.ts';

type Fields = IntegrationKind['settings'];
/** These have words in the language of the page. */
export type KindShown = Worded<IntegrationKind>;
export type IntegrationShown = Omit<Integration, 'name'> & { readonly name: string };
export type SetupShown = Worded<IntegrationSetup>;
export type StepShown = NonNullable<SetupShown['step']>;
export type FieldShown = Worded<SettingField>;

/** An integration with its own name, or that of its kind in the language of the page. */
export function integrationIn(integration: Integration, of: typeof kinds = kinds): IntegrationShown {
  const name = inEnglish(integration.name);
  return { ...integration, name: integration.has_own_name ? name : (of[integration.kind]?.kind.name ?? name) };
}

/** A kind in the words of the page's language. What has no words stays as the hub says it. */
export function kindIn(kind: IntegrationKind, words: KindWords | undefined = kinds[kind.id]): KindShown {
  if (words === undefined) return inEnglish(kind);
  const said = inEnglish(kind);
  const { name, about, help = said.help, pairingHint, removalHint } = words.kind;
  return {
    ...said,
    name,
    about,
    help: [...help],
    pairing_hint: pairingHint ?? said.pairing_hint,
    removal_hint: removalHint ?? said.removal_hint,
    settings: fieldsIn(kind.settings, words.settings),
  };
}

/** The same of a set-up, with its step or failure. */
export function setupIn(setup: IntegrationSetup, words: KindWords | undefined = kinds[setup.kind]): SetupShown {
  if (words === undefined) return inEnglish(setup);
  const { step } = setup;
  const { error, ...said } = inEnglish(setup);
  return {
    ...said,
    step: step && stepIn(step, words),
    error: error && { ...error, message: words.failures?.[error.code] ?? error.message },
  };
}

/** Says why pairing ended, if it did not end well. */
export function endWords(kind: string, { detail, reason }: PairingChangedData['pairing']): string | null {
  return kinds[kind]?.ends?.[reason?.id ?? ''] ?? inEnglish(detail);
}

/** Says what is wrong with a field, in words of its kind; `undefined` if it has none for that. */
export function kindFault(words: KindWords | undefined, { reason }: FieldError): string | undefined {
  return reason === undefined ? undefined : words?.faults?.[reason.id];
}

function stepIn(step: IntegrationSetupStep, words: KindWords): StepShown {
  const { reason, fields } = step;
  const plain = inEnglish(step);
  const { options } = plain;
  const id = reason?.id ?? '';
  if (fields !== undefined) {
    return { ...plain, fields: fieldsIn(fieldsIn(fields, words.settings), words.forms?.[id]) };
  }
  const [said, chosen] = [words.steps?.[id], words.choices?.[id]];
  if (said !== undefined) return { ...plain, text: said };
  if (chosen === undefined || options === undefined) return plain;
  return {
    ...plain,
    text: filled(chosen.text, reason?.with ?? {}),
    options: options.map((option) => ({ ...option, ...chosen.options[option.id] })),
  };
}

function fieldsIn(fields: Fields | KindShown['settings'], words: FieldsWords = {}): KindShown['settings'] {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldIn(field, words[key])]));
}

function fieldIn(field: SettingField | FieldShown, words: FieldsWords[string] = {}): FieldShown {
  const said = inEnglish(field);
  const { label = said.label, hint = said.hint } = words;
  const options = said.options?.map(({ id, label: own }) => ({ id, label: words.options?.[id] ?? own }));
  return { ...said, label, hint, ...(options && { options }) };
}
