import type { z } from 'zod/mini';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { timeJson } from '#http/answer/time-json.ts';
import type { NextFirings } from '#http/automation/shown.ts';
import type { upcomingFiringSchema } from './json.ts';

export type FiringsDeps = {
  readonly automations: Pick<AutomationRegistry, 'automations' | 'stateOf'>;
  readonly automationEngine: Pick<AutomationEngine, 'statusOf'>;
  readonly nextFirings: NextFirings;
};

const MOST_FIRINGS = 20;

/** The first times at which the clock, and with `withSun` the sun, starts any automation that may run now. */
export async function upcomingFirings(
  { automations, automationEngine, nextFirings }: FiringsDeps,
  withSun: boolean,
): Promise<readonly z.infer<typeof upcomingFiringSchema>[]> {
  const waiting = automations.automations().flatMap((record) => {
    const { on_broken: onBroken, triggers } = record.definition;
    const { state } = automations.stateOf(record);
    const runs = state === 'ready' || (state === 'broken' && onBroken === 'run_rest');
    const isSeen = withSun || triggers.some(({ type }) => type === 'time');
    const { nextAtMs } = automationEngine.statusOf(record.id);
    return runs && isSeen && nextAtMs !== null ? [{ record, nextAtMs }] : [];
  });
  const soonest = waiting.toSorted((left, right) => left.nextAtMs - right.nextAtMs);
  const found: (readonly [atMs: number, firing: z.infer<typeof upcomingFiringSchema>])[] = [];
  for (const { record, nextAtMs } of soonest) {
    // An automation that starts later than all that are shown has no place among them.
    if (found.length === MOST_FIRINGS && nextAtMs > (found.at(-1)?.[0] ?? 0)) break;
    const { id, selector, name, definition } = record;
    const { firings } = await nextFirings(definition, withSun, MOST_FIRINGS);
    for (const { atMs, trigger, dst } of firings) {
      found.push([atMs, { at: timeJson(atMs), automation: { id, selector, name }, trigger, dst }]);
    }
    found.sort(([left], [right]) => left - right);
    found.splice(MOST_FIRINGS);
  }
  return found.map(([, firing]) => firing);
}
