import type { HubText } from '#web/client/api.ts';
import { hub } from '#web/strings/en/hub/hub.ts';
import { errors, kindErrors } from '#web/strings/en/hub/hub-errors.ts';
import { brokerTexts } from '#words/en/broker.ts';
import { filled, firstFilled, type Wording } from '#words/texts.ts';
import { enumWords } from './value-words.ts';
import { inEnglish } from './hub-text.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';

type Failure = { readonly code: string; readonly message: HubText | null; readonly reason?: Wording };
type Words = {
  readonly hub: Pick<typeof hub, 'problem'>;
  readonly errors: Readonly<Record<string, string>>;
  /** The kind of integration that fails words these itself. */
  readonly ofKind: Readonly<Record<string, string>>;
  readonly brokerTexts: Readonly<Record<string, string>>;
};

/** A failure with a code: of an integration, an exporter, a channel. */
export function errorWords(failure: Failure, kind = ''): string {
  return errorWordsIn({ hub, errors, ofKind: kindErrors[kind] ?? {}, brokerTexts }, failure);
}

/** In the words of one language. */
export function errorWordsIn({ hub, errors, ofKind, brokerTexts }: Words, { code, message, reason }: Failure): string {
  const values = reason?.with ?? {};
  const own = ownWord(ofKind, code);
  if (own !== undefined) return filled(own, values);
  // Each names its broker. Without that it is another failure of the same code.
  const ofBroker = firstFilled([ownWord(brokerTexts, reason?.id ?? '') ?? ''], values);
  return ofBroker === ''
    ? (ownWord(errors, code) ?? hub.problem(code) ?? inEnglish(message) ?? enumWords(code.toLowerCase()))
    : ofBroker;
}
