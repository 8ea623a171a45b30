/** Finds what has not reported for longer than its rule, in time proportional to what is found. */
export type StaleWatch<Thing> = {
  /** Notes a report at this monotonic time. */
  readonly touch: (thing: Thing, staleAfterMs: number, monotonicMs: number) => void;
  readonly forget: (thing: Thing) => void;
  /** Takes out everything that is overdue; each is found once until its next report. */
  readonly takeOverdue: (monotonicMs: number) => Thing[];
};

export function createStaleWatch<Thing>(): StaleWatch<Thing> {
  // Per rule a Map in the order of last reports: the overdue ones are its first. There are only a few different rules.
  const byRule = new Map<number, Map<Thing, number>>();
  return {
    touch: (thing, staleAfterMs, monotonicMs) => {
      let lastReports = byRule.get(staleAfterMs);
      if (lastReports === undefined) byRule.set(staleAfterMs, (lastReports = new Map()));
      lastReports.delete(thing);
      lastReports.set(thing, monotonicMs);
    },
    forget: (thing) => {
      for (const lastReports of byRule.values()) lastReports.delete(thing);
    },
    takeOverdue: (monotonicMs) => {
      const overdue: Thing[] = [];
      for (const [staleAfterMs, lastReports] of byRule) {
        for (const [thing, lastMs] of lastReports) {
          if (monotonicMs - lastMs < staleAfterMs) break;
          lastReports.delete(thing);
          overdue.push(thing);
        }
      }
      return overdue;
    },
  };
}
