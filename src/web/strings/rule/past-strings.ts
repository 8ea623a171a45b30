import { hub } from '#web/strings/en/hub/hub.ts';
import { rulePast as x } from '#web/strings/en/rule/past.ts';

/** The words of what automations did and would have done. */
export { x };

/** Why a run ended, a step was left out or a value was unknown. */
export function reasonWords(reason: string): string {
  // A refusal begins with its code, and a sentence in English may follow.
  const [code = ''] = reason.split(':', 1);
  return x.refusals[code] ?? hub.value(reason) ?? reason.replaceAll('_', ' ');
}
