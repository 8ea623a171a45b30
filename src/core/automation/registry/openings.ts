import { forEachStep } from '#core/automation/check/check-condition.ts';
import { startedIn } from '#core/automation/check/step-rights.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';

/** Which automations may move something sensitive at the end: themselves, or by what their steps run or enable. */
export type Openings = ReturnType<typeof createOpenings>;

type OpeningsDeps = {
  /** `undefined` for one in the trash. */
  readonly definitionOf: (id: AutomationId) => Definition | undefined;
  /** The automations that name it, for whatever they do with it. */
  readonly naming: (id: AutomationId) => Iterable<AutomationId>;
};

export function createOpenings({ definitionOf, naming }: OpeningsDeps) {
  const known = new Map<AutomationId, boolean>();
  const opens = (id: AutomationId): boolean => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const seen = new Set([id]);
    for (const one of seen) {
      const definition = definitionOf(one);
      if (definition === undefined) continue;
      if (definition.allow_sensitive.length > 0 || known.get(one) === true) {
        known.set(id, true);
        return true;
      }
      for (const next of known.has(one) ? [] : startedBy(definition)) seen.add(next);
    }
    // All that any of them leads to is among them.
    for (const one of seen) known.set(one, false);
    return false;
  };
  return {
    opens,
    /** The same for one that is not in the home, or not as it is there. */
    opensAs: (definition: Definition): boolean =>
      definition.allow_sensitive.length > 0 || [...startedBy(definition)].some(opens),
    /** To call when an automation comes, goes or does something else. Costs as much as there are others that lead to it. */
    forget: (id: AutomationId): void => {
      if (known.size === 0) return;
      const concerned = new Set([id]);
      for (const one of concerned) {
        known.delete(one);
        for (const next of naming(one)) concerned.add(next);
      }
    },
  };
}

function startedBy({ steps }: Definition): ReadonlySet<AutomationId> {
  const found = new Set<AutomationId>();
  forEachStep(steps, (step) => {
    const started = startedIn(step);
    if (started !== undefined) found.add(started);
  });
  return found;
}
