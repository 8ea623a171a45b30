import type { Definition } from '#core/automation/document/definition.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';

/** As a condition that asks which trigger it was is written; in a text the quotes would be escaped. */
const ASKS_FOR_ID = '"trigger":{"id":';

/**
 * The triggers that count: of those that are equal but for their ids the first. Hooks are called by their ids, and a
 * document that asks for the id of its trigger tells equal ones apart, so there all count.
 */
export function distinctTriggers({ triggers, conditions, variables, steps }: Definition): readonly Trigger[] {
  const distinct = distinctOf(triggers);
  if (distinct.length === triggers.length) return triggers;
  return JSON.stringify([conditions, variables, steps]).includes(ASKS_FOR_ID) ? triggers : distinct;
}

/** The same of triggers for which nothing asks by their ids but hooks, such as those of a `wait_for`. */
export function distinctOf(triggers: readonly Trigger[]): readonly Trigger[] {
  const first = new Map<string, Trigger>();
  for (const trigger of triggers) {
    const content = JSON.stringify(trigger.type === 'hook' ? trigger : { ...trigger, id: '' });
    if (!first.has(content)) first.set(content, trigger);
  }
  return [...first.values()];
}
