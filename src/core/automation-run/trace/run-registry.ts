import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { createRunCounters } from './run-counts.ts';
import type { KeptRun } from './run-ring.ts';
import { createRunShelf, type RunShelf, type RunShelfDeps } from './run-shelf.ts';
import type { LastRun, RunCounts, StoredCounts, StoredRun } from './run-store.ts';
import { type AutomationRun, isDull } from './trace.ts';

/** The traces of all automations: the newest of each, in a bounded memory. All times that it answers are hub time of now. */
export type RunRegistry = {
  /** Adds a trace, or puts it in the place of an older one of the same run. */
  readonly put: (run: AutomationRun) => void;
  /** Newest start first. A page ends early where traces are large. */
  readonly list: (filter: RunFilter, page: RunPage) => RunList;
  readonly find: (id: string) => AutomationRun | undefined;
  /** The newest start that did something; `null`: none is known. */
  readonly lastOf: (automation: AutomationId) => Omit<LastRun, 'epoch'> | null;
  /** Counts the starts of the local day that has this moment. */
  readonly countsOf: (automation: AutomationId, atMs: number) => RunCounts;
  /** Traces of runs that have not ended. */
  readonly unfinished: () => readonly AutomationRun[];
  /** From when on no start of it is missing. */
  readonly completeSinceMs: (automation: AutomationId) => number;
  /** Forgets all of an automation. */
  readonly remove: (automation: AutomationId) => void;
  /** Forgets the traces that say who was at home, of starts in this time. */
  readonly forgetPresence: (range: { readonly fromMs: number; readonly toMs: number }) => void;
};

export type RunFilter = {
  readonly automation?: AutomationId;
  readonly outcomes?: ReadonlySet<RunOutcome>;
  /** The run started at `fromMs` or later, and before `toMs`. */
  readonly fromMs?: number;
  readonly toMs?: number;
};
type RunPage = { readonly after: RunPlace | null; readonly limit: number; readonly maxBytes?: number };
/** After the run with this start and id. */
export type RunPlace = { readonly atMs: number; readonly id: string };
export type RunList = { readonly runs: readonly AutomationRun[]; readonly next: RunPlace | null };

type RunRegistryDeps = RunShelfDeps & {
  /** Days since 1970, as the hub's time zone counts them. */
  readonly dayOf: (atMs: number) => number;
  /** Called after each change. */
  readonly onChange: () => void;
};
type SavedRuns = {
  readonly runs: readonly StoredRun[];
  readonly counts: readonly StoredCounts[];
  readonly lasts: ReadonlyMap<AutomationId, LastRun>;
};

/** With what the store is given of it. */
type OpenRunRegistry = RunRegistry & {
  readonly lastStored: (automation: AutomationId) => LastRun | null;
  /** Packs and takes what changed since the last call; `lasts` are automations. */
  readonly takeDirt: () => ReturnType<RunShelf['takeDirt']> & {
    readonly counts: readonly StoredCounts[];
    readonly lasts: readonly AutomationId[];
  };
  readonly freshCount: () => number;
  readonly forgetOld: () => void;
  /** The automations of which anything is kept. */
  readonly automations: () => ReadonlySet<AutomationId>;
};

export function createRunRegistry(deps: RunRegistryDeps, saved: SavedRuns): OpenRunRegistry {
  const { epoch, shiftMsOf, onChange } = deps;
  const shelf = createRunShelf(deps, saved.runs);
  const counters = createRunCounters(saved.counts);
  const lasts = new Map(saved.lasts);
  const dirtyLasts = new Set<AutomationId>();
  const openedMs = deps.nowMs();

  const noteCounts = (trace: AutomationRun, before: KeptRun | undefined): void => {
    const day = deps.dayOf(trace.startedAtMs);
    const { automation, outcome } = trace;
    if (before === undefined) counters.add(automation, day, countedAs(trace));
    if (outcome === 'failed' && before?.outcome !== 'failed') counters.add(automation, day, 'failed');
  };
  const noteLast = ({ id, automation, startedAtMs: atMs, outcome }: AutomationRun): void => {
    const last = lasts.get(automation);
    if (last !== undefined && last.id !== id && last.atMs + shiftMsOf(last.epoch) > atMs) return;
    lasts.set(automation, { id, epoch: epoch(), atMs, outcome });
    dirtyLasts.add(automation);
  };
  return {
    put: (trace) => {
      const known = shelf.find(trace.id);
      noteCounts(trace, known);
      if (!isDull(trace)) noteLast(trace);
      if (known !== undefined && isDull(known) === isDull(trace)) shelf.change(known, trace);
      else {
        // A run that was shown as running and then came to nothing is in the wrong ring.
        if (known !== undefined) shelf.forget(known);
        shelf.add(trace);
      }
      onChange();
    },
    list: (filter, page) => listRuns(shelf, filter, page),
    find: (id) => {
      const kept = shelf.find(id);
      return kept && shelf.unpack(kept);
    },
    lastOf: (automation) => {
      const last = lasts.get(automation);
      return last === undefined
        ? null
        : { id: last.id, atMs: last.atMs + shiftMsOf(last.epoch), outcome: last.outcome };
    },
    countsOf: (automation, atMs) => counters.of(automation, deps.dayOf(atMs)),
    unfinished: () => [...shelf.all()].flatMap((run) => (run.outcome === 'running' ? (shelf.unpack(run) ?? []) : [])),
    completeSinceMs: (automation) => Math.max(openedMs, shelf.lostToMs(automation)),
    remove: (automation) => {
      shelf.removeAutomation(automation);
      counters.remove(automation);
      lasts.delete(automation);
      dirtyLasts.delete(automation);
      onChange();
    },
    forgetPresence: ({ fromMs, toMs }) => {
      for (const run of shelf.all()) {
        const atMs = shelf.startOf(run);
        if (run.tellsPresence && atMs >= fromMs && atMs < toMs) shelf.forget(run);
      }
      onChange();
    },
    lastStored: (automation) => lasts.get(automation) ?? null,
    takeDirt: () => {
      const dirt = { ...shelf.takeDirt(), counts: counters.takeChanged(), lasts: [...dirtyLasts] };
      dirtyLasts.clear();
      return dirt;
    },
    freshCount: shelf.freshCount,
    forgetOld: shelf.forgetOld,
    automations: () => new Set([...lasts.keys(), ...counters.automations()]),
  };
}

function countedAs({ outcome }: AutomationRun): keyof RunCounts {
  if (outcome === 'not_met') return 'notMet';
  return outcome === 'skipped' ? 'skipped' : 'runs';
}

/** Some 300 KB of JSON. */
const PAGE_BYTES = 65_536;

function listRuns(shelf: RunShelf, { automation, outcomes, fromMs, toMs }: RunFilter, page: RunPage): RunList {
  const { after, limit, maxBytes = PAGE_BYTES } = page;
  const places = [...shelf.all()]
    .filter((run) => automation === undefined || run.automation === automation)
    .filter(({ outcome }) => outcomes === undefined || outcomes.has(outcome))
    .map((run) => ({ run, atMs: shelf.startOf(run), id: run.id }))
    .filter(({ atMs }) => atMs >= (fromMs ?? -Infinity) && atMs < (toMs ?? Infinity))
    .filter((place) => after === null || newerFirst(after, place) < 0)
    .toSorted(newerFirst);
  const runs: AutomationRun[] = [];
  let bytes = 0;
  for (const [index, { run, atMs, id }] of places.entries()) {
    const trace = shelf.unpack(run);
    if (trace !== undefined) runs.push(trace);
    bytes += run.packed.length;
    const isFull = runs.length >= limit || bytes >= maxBytes;
    if (isFull && index < places.length - 1) return { runs, next: { atMs, id } };
  }
  return { runs, next: null };
}

function newerFirst(left: RunPlace, right: RunPlace): number {
  return right.atMs - left.atMs || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0);
}
