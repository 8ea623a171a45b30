import type { AutomationId } from '#core/automation/document/condition.ts';
import type { RunCounts, StoredCounts } from './run-store.ts';

/** The counters have a line for each automation and each day of the last year. */
type RunCounters = {
  readonly add: (automation: AutomationId, day: number, counted: keyof RunCounts) => void;
  readonly of: (automation: AutomationId, day: number) => RunCounts;
  /** What changed since the last call. */
  readonly takeChanged: () => readonly StoredCounts[];
  readonly remove: (automation: AutomationId) => void;
  readonly automations: () => Iterable<AutomationId>;
};

export const DAYS_COUNTED = 366;
const FIELDS = ['runs', 'notMet', 'skipped', 'failed'] as const satisfies readonly (keyof RunCounts)[];

/** Six kilobytes for an automation, however often it starts. */
type Year = { readonly days: Int32Array; readonly counts: Uint32Array };

export function createRunCounters(saved: readonly StoredCounts[]): RunCounters {
  const years = new Map<AutomationId, Year>();
  const changed = new Map<string, { readonly automation: AutomationId; readonly day: number }>();
  /** The place of a day, which a day of the year before may have. */
  const placeOf = (day: number): number => ((day % DAYS_COUNTED) + DAYS_COUNTED) % DAYS_COUNTED;
  const countsAt = (automation: AutomationId, day: number): Uint32Array => {
    let year = years.get(automation);
    if (year === undefined) {
      const counts = new Uint32Array(DAYS_COUNTED * FIELDS.length);
      year = { days: new Int32Array(DAYS_COUNTED).fill(NO_DAY), counts };
      years.set(automation, year);
    }
    const place = placeOf(day);
    const cells = year.counts.subarray(place * FIELDS.length, (place + 1) * FIELDS.length);
    if (year.days[place] !== day) cells.fill(0);
    year.days[place] = day;
    return cells;
  };
  const of = (automation: AutomationId, day: number): RunCounts => {
    const year = years.get(automation);
    const place = placeOf(day);
    if (year === undefined || year.days[place] !== day) return NOTHING;
    const [runs = 0, notMet = 0, skipped = 0, failed = 0] = year.counts.subarray(place * FIELDS.length);
    return { runs, notMet, skipped, failed };
  };
  for (const one of saved) {
    const cells = countsAt(one.automation, one.day);
    for (const [at, field] of FIELDS.entries()) cells[at] = one[field];
  }
  return {
    add: (automation, day, counted) => {
      const cells = countsAt(automation, day);
      const at = FIELDS.indexOf(counted);
      cells[at] = (cells[at] ?? 0) + 1;
      changed.set(`${automation} ${day}`, { automation, day });
    },
    of,
    takeChanged: () => {
      const taken = [...changed.values()].map(({ automation, day }) => ({ automation, day, ...of(automation, day) }));
      changed.clear();
      return taken;
    },
    automations: () => years.keys(),
    remove: (automation) => {
      years.delete(automation);
      for (const [name, one] of changed) if (one.automation === automation) changed.delete(name);
    },
  };
}

const NO_DAY = -2_147_483_648;
const NOTHING: RunCounts = { runs: 0, notMet: 0, skipped: 0, failed: 0 };
