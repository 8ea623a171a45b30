import { isDull } from '#core/automation-run/trace/trace.ts';
import { replay, type ReplaySetup } from './replay.ts';
import {
  type Comparison,
  type DayOfFirings,
  type Firing,
  type OutcomeCounts,
  type Reality,
  type Recorded,
  type Replay,
  type Replayed,
  type Simulation,
  SIMULATION_LIMITS,
  type TimeWindow,
} from './simulation.ts';

export type SimulationSetup = Omit<ReplaySetup, 'seed'> & {
  readonly automation: Replayed;
  /** Another definition, or an older version, over the same time; `null` for none. */
  readonly compareTo: Replayed | null;
  /** The starts that there were, as far as they are kept; `null` where the automation is new. */
  readonly reality: { readonly sinceMs: number; readonly firings: readonly Firing[] } | null;
  /** `2026-11-22`, in the hub's time zone. */
  readonly dateOf: (atMs: number) => string;
};

/** Two starts within this time are the same. */
const SAME_MS = 1_000;
const [NEW, OLD] = ['00000001', '00000002'];

/** `undefined` where it would take too long, or has more starts than one answer holds. */
export function simulate(recorded: Recorded, setup: SimulationSetup): Simulation | undefined {
  const { automation, compareTo, reality, window, world } = setup;
  const found = replay(automation, recorded, { ...setup, seed: NEW });
  const other = compareTo === null ? null : replay(compareTo, recorded, { ...setup, seed: OLD });
  if (found === undefined || other === undefined) return undefined;
  const old = other?.firings ?? [];
  const missing = [...found.missing, ...(other?.missing ?? [])];
  const unique = [...new Map(missing.map((one) => [JSON.stringify(one), one])).values()];
  return {
    ...window,
    world,
    fidelity: { isComplete: unique.length === 0, missing: unique },
    runs: found.runs,
    oldRuns: other?.runs ?? [],
    runsLeftOut: leftOut(found) + (other === null ? 0 : leftOut(other)),
    counts: countOutcomes(found.firings),
    perDay: daysOf({ new: found.firings, old }, { window, dateOf: setup.dateOf }),
    nearMisses: found.nearMisses,
    commands: found.commands,
    compare: other === null ? null : compareFirings(found.firings, old),
    againstReality: reality === null ? null : againstReality(found.firings, reality),
  };
}

function leftOut({ runs, firings }: Replay): number {
  return firings.length - runs.length;
}

/** Both oldest first. Starts that came to nothing are not compared: no one sees them. */
function compareFirings(fresh: readonly Firing[], old: readonly Firing[]): Comparison {
  const [left, right] = [tellingOf(fresh), tellingOf(old)];
  const onlyNew: Firing[] = [];
  const onlyOld: Firing[] = [];
  let both = 0;
  let at = 0;
  for (const firing of left) {
    for (; (right[at]?.atMs ?? Infinity) < firing.atMs - SAME_MS; at += 1) onlyOld.push(...right.slice(at, at + 1));
    if ((right[at]?.atMs ?? Infinity) <= firing.atMs + SAME_MS) {
      both += 1;
      at += 1;
    } else onlyNew.push(firing);
  }
  onlyOld.push(...right.slice(at));
  const most = SIMULATION_LIMITS.moments;
  return { onlyNew: onlyNew.slice(-most), onlyOld: onlyOld.slice(-most), both };
}

function tellingOf(firings: readonly Firing[]): readonly Firing[] {
  return firings.filter((one) => !isDull(one)).toSorted((left, right) => left.atMs - right.atMs);
}

function againstReality(firings: readonly Firing[], reality: NonNullable<SimulationSetup['reality']>): Reality {
  const { sinceMs } = reality;
  const known = firings.filter(({ atMs }) => atMs >= sinceMs);
  const { onlyNew, onlyOld, both } = compareFirings(known, reality.firings);
  return { sinceMs, agrees: both, wouldHave: onlyNew, didInstead: onlyOld };
}

function countOutcomes(firings: readonly Firing[]): OutcomeCounts {
  const counts: Record<string, number> = {};
  for (const { outcome } of firings) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

type Both = { readonly new: readonly Firing[]; readonly old: readonly Firing[] };

/** Every day of the window has its line, so that a strip can be drawn as it is. */
function daysOf(
  firings: Both,
  { window, dateOf }: { readonly window: TimeWindow; readonly dateOf: (atMs: number) => string },
): readonly DayOfFirings[] {
  const days = new Map<string, { new: Firing[]; old: Firing[] }>();
  const dayAt = (atMs: number): { new: Firing[]; old: Firing[] } => {
    const date = dateOf(atMs);
    const day = days.get(date) ?? { new: [], old: [] };
    days.set(date, day);
    return day;
  };
  for (let atMs = window.fromMs; atMs < window.toMs; atMs += STEP_MS) dayAt(atMs);
  dayAt(window.toMs - 1);
  for (const side of ['new', 'old'] as const) for (const one of firings[side]) dayAt(one.atMs)[side].push(one);
  const most = SIMULATION_LIMITS.moments;
  const shown = { new: most, old: most };
  const take = (side: keyof Both, all: readonly Firing[]): readonly Firing[] => {
    const moments = tellingOf(all).slice(0, Math.max(0, shown[side]));
    shown[side] -= moments.length;
    return moments;
  };
  return [...days].map(([date, day]) => ({
    date,
    new: take('new', day.new),
    old: take('old', day.old),
    newCounts: countOutcomes(day.new),
    oldCounts: countOutcomes(day.old),
  }));
}
/** Shorter than any day. */
const STEP_MS = 12 * 3_600_000;
