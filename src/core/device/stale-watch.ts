/** Finds what has not reported for longer than its rule, in time proportional to what is found. */
export type StaleWatch<Thing> = {
  /** Notes a report at this monotonic time, and the rule that holds from now on. */
  readonly touch: (thing: Thing, staleAfterMs: number, monotonicMs: number) => void;
  readonly forget: (thing: Thing) => void;
  /** Takes out everything that is overdue; each is found once until its next report. */
  readonly takeOverdue: (monotonicMs: number) => Thing[];
};

export function createStaleWatch<Thing extends object>(): StaleWatch<Thing> {
  // Per rule a Map in the order of last reports: the overdue ones are its first. There are only a few different rules.
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
