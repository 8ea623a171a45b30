import { hub } from '#web/strings/en/hub/hub.ts';
import { rulePast as x } from '#web/strings/en/rule/past.ts';

/** The words of what automations did and would have done. */
export { x };

/** Why a run ended, a step was left out or a value was unknown. */
export function reasonWords(reason: string): string {
  return hub.value(reason) ?? reason.replaceAll('_', ' ');
}
