import { hub } from '#web/strings/en/hub/hub.ts';
import { errors, kindErrors } from '#web/strings/en/hub/hub-errors.ts';
import { brokerTexts } from '#words/en/broker.ts';
import { filled, type Wording } from '#words/texts.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';

type Failure = { readonly code: string; readonly message: string; readonly reason?: Wording };
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
  const text = ownWord(ofKind, code) ?? (reason && ownWord(brokerTexts, reason.id));
  if (text !== undefined) return filled(text, reason?.with ?? {});
  return ownWord(errors, code) ?? hub.problem(code) ?? message;
}
