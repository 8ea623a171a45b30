/** Finds things that have not reported for longer than their rule. A search takes time only for each one it finds. */
type StaleWatch<Thing> = {
  /** Notes a report at this monotonic time, and the rule for the time until the next one. */
  readonly touch: (thing: Thing, staleAfterMs: number, monotonicMs: number) => void;
  readonly forget: (thing: Thing) => void;
  /** Returns the overdue things and drops them, so that each is found once until its next report. */
  readonly takeOverdue: (monotonicMs: number) => Thing[];
};

export function createStaleWatch<Thing extends object>(): StaleWatch<Thing> {
  // One Map for each rule, in the order of last reports, so the overdue things come first. There are only a few rules.
  const byRule = new Map<number, Map<Thing, number>>();
  const ruleOf = new WeakMap<Thing, Map<Thing, number>>();
  const forget = (thing: Thing): void => {
    ruleOf.get(thing)?.delete(thing);
    ruleOf.delete(thing);
  };
  return {
    touch: (thing, staleAfterMs, monotonicMs) => {
      let lastReports = byRule.get(staleAfterMs);
      if (lastReports === undefined) byRule.set(staleAfterMs, (lastReports = new Map()));
      forget(thing);
      ruleOf.set(thing, lastReports);
      lastReports.set(thing, monotonicMs);
    },
    forget,
    takeOverdue: (monotonicMs) => {
      const overdue: Thing[] = [];
      for (const [staleAfterMs, lastReports] of byRule) {
        for (const [thing, lastMs] of lastReports) {
          if (monotonicMs - lastMs < staleAfterMs) break;
          forget(thing);
          overdue.push(thing);
        }
      }
      return overdue;
    },
  };
}
