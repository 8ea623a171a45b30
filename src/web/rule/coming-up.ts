import type { AutomationListed, UpcomingFiring } from '#web/client/api.ts';

const DAY_MS = 86_400_000;
const MOST_TIMES = 3;

export type Coming = {
  readonly rule: AutomationListed;
  readonly times: readonly string[];
  /** Whether it starts at no other time within that day. */
  readonly isAll: boolean;
};

/** The automations that start within a day, with their first times. The hub tells the first times of all of them together. */
export function comingUp(
  rules: readonly AutomationListed[],
  firings: readonly Pick<UpcomingFiring, 'at' | 'automation'>[],
  nowMs: number,
): readonly Coming[] {
  const isNear = (at: string): boolean => Date.parse(at) < nowMs + DAY_MS;
  const isCut = firings.length > 0 && firings.every(({ at }) => isNear(at));
  return rules
    .flatMap((rule): readonly Coming[] => {
      const { id, next_at: nextAt, state } = rule;
      if (state !== 'ready' || nextAt === null || !isNear(nextAt)) return [];
      const told = firings.filter(({ automation, at }) => automation.id === id && isNear(at)).map(({ at }) => at);
      const times = told.length === 0 ? [nextAt] : told;
      return [
        { rule, times: times.slice(0, MOST_TIMES), isAll: times.length <= MOST_TIMES && !(isCut && told.length > 1) },
      ];
    })
    .sort((one, other) => Date.parse(one.times[0] ?? '') - Date.parse(other.times[0] ?? ''));
}
