import type { AutomationRun, AutomationStateReason } from '#web/client/api.ts';
import { page } from '#web/strings/en/page.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';
import { automationTexts } from '#words/en/automations.ts';
import { runTexts, unknownTexts } from '#words/en/runs.ts';
import { filled } from '#words/texts.ts';

type Reasoned = Pick<AutomationRun, 'reason' | 'message'>;
/** Why a run ended or a step went as it did; what has no id was written by people, devices or other programs. */
export function reasonWords({ reason, message }: Reasoned, own: Words = { locale: page.locale, runTexts }): string {
  const text = reason === null ? undefined : ownWord(own.runTexts, reason.id);
  if (reason !== null && text !== undefined) return filled(text, reason.with, own.locale);
  if (reason === null) return inEnglish(message) ?? '';
  return errorWords({ code: reason.id, message });
}
type Words = { readonly locale: string; readonly runTexts: Readonly<Record<string, string>> };

/** Why nobody knew a value. */
export function unknownWords(why: string): string {
  return ownWord(unknownTexts, why) ?? why;
}

/** Why an automation does not run as it should. */
export function stateReasonWords({ code, message }: AutomationStateReason): string {
  return ownWord(automationTexts, code) ?? inEnglish(message);
}
