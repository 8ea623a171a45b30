import { hub } from '#web/strings/en/hub/hub.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';
import { automationTexts } from '#words/en/automations.ts';

/** Why a run ended, a step was left out or a value was unknown. Some reasons have spaces where their ids have none. */
export function reasonWords(reason: string, { value }: Pick<typeof hub, 'value'> = hub): string {
  // A refusal begins with its code, and a sentence in English may follow.
  const [code = ''] = reason.split(':', 1);
  return pastWords.refusals[code] ?? value(reason.replaceAll(' ', '_')) ?? reason.replaceAll('_', ' ');
}

/** Why an automation does not run as it should. */
export function stateReasonWords({ code, message }: { readonly code: string; readonly message: string }): string {
  return ownWord(automationTexts, code) ?? message;
}
