import type { AutomationListed, AutomationRunData, AutomationSummary } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Mirror, type MirrorSource, mirrorOf } from '#web/state/mirror.ts';

const FROM: MirrorSource<readonly AutomationListed[]> = {
  path: '/automation',
  about: 'automation.',
  after: (rules, { type, data }) => {
    if (type !== 'automation.run') return undefined;
    const { automation, run: id, outcome, at, phase } = data as AutomationRunData;
    // A start that came to nothing is no last run.
    if (outcome === 'not_met' || outcome === 'skipped') return rules;
    const now = rules.find((rule) => rule.id === automation.id);
    if (now === undefined) return rules;
    const isLast = now.last_run?.id === id;
    // Only the hub knows which one it was, where several run at once.
    if (phase === 'finished' && now.running > 0 && !isLast) return undefined;
    const more = phase === 'started' && !isLast ? 1 : phase === 'finished' && now.running > 0 ? -1 : 0;
    const next = { ...now, running: now.running + more, last_run: { id, at, outcome } };
    return rules.map((rule) => (rule === now ? next : rule));
  },
};

/** The automations that this person sees, those in the trash left out. */
export function useRules(): Mirror<readonly AutomationListed[]> {
  return mirrorOf(useHub(), FROM);
}

export function stateTone({ state }: Pick<AutomationSummary, 'state'>): 'plain' | 'warn' {
  return state === 'ready' || state === 'disabled' ? 'plain' : 'warn';
}

/** Whether a person may change it: all of them, or those they made themselves. */
export function isOwn(
  me: { readonly id: string; readonly role: string } | null,
  {
    acts_as: actsAs,
    created_by: createdBy,
  }: Pick<AutomationSummary, 'acts_as'> & {
    readonly created_by?: { readonly id: string };
  },
): boolean {
  if (me === null) return false;
  return me.role !== 'resident' || actsAs.user.id === me.id || createdBy?.id === me.id;
}
