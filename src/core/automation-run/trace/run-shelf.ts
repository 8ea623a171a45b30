import { createHash } from 'node:crypto';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { OperandSeen } from '#core/automation/view.ts';
import { packTrace, shiftTrace, unpackTrace } from './packed-trace.ts';
import { createRunRing, type KeptRun, type RunRing } from './run-ring.ts';
import type { StoredRun } from './run-store.ts';
import { type AutomationRun, isDull } from './trace.ts';

/** The kept traces of all automations: those that changed as they are, the others packed. */
export type RunShelf = {
  readonly find: (id: string) => KeptRun | undefined;
  readonly all: () => Iterable<KeptRun>;
  /** A trace of a run that is not there yet. */
  readonly add: (trace: AutomationRun) => void;
  readonly change: (run: KeptRun, trace: AutomationRun) => void;
  /** Nobody may see it any more. */
  readonly forget: (run: KeptRun) => void;
  /** In hub time of now; `undefined` for one that cannot be read. */
  readonly unpack: (run: KeptRun) => AutomationRun | undefined;
  /** When it began, in hub time of now. */
  readonly startOf: (run: KeptRun) => number;
  readonly removeAutomation: (automation: AutomationId) => void;
  /** Forgets the traces of runs that ended and are older than 30 days: they tell how people live. */
  readonly forgetOld: () => void;
  /** Hub time up to which traces of it were dropped for newer ones. */
  readonly lostToMs: (automation: AutomationId) => number;
  /** Packs and takes what changed since the last call. */
  readonly takeDirt: () => { readonly runs: readonly StoredRun[]; readonly goneRuns: readonly string[] };
  /** Traces that are not packed yet. */
  readonly freshCount: () => number;
};

export type RunShelfDeps = {
  /** The epoch of the hub's clock that times of new traces are of, and what to add to those of any. */
  readonly epoch: () => string;
  readonly shiftMsOf: (epoch: string) => number;
  /** Hub time. */
  readonly nowMs: () => number;
};

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AGE_MS = 30 * 86_400_000;
const NOT_PACKED = new Uint8Array();

export function createRunShelf(deps: RunShelfDeps, saved: readonly StoredRun[]): RunShelf {
  const { epoch, shiftMsOf, nowMs } = deps;
  const fresh = new Map<string, AutomationRun>();
  const dirty = new Set<KeptRun>();
  const gone = new Set<string>();
  const rings = createRings((run) => {
    fresh.delete(run.id);
    dirty.delete(run);
    gone.add(run.id);
  });
  const { runs, ringOf } = rings;
  const lostToMs = new Map<AutomationId, number>();
  const startOf = (run: KeptRun): number => run.startedAtMs + shiftMsOf(run.epoch);
  const lose = (run: KeptRun): void => {
    rings.remove(run);
    const toMs = (run.finishedAtMs ?? run.startedAtMs) + shiftMsOf(run.epoch);
    lostToMs.set(run.automation, Math.max(toMs, lostToMs.get(run.automation) ?? -Infinity));
  };
  const place = (run: KeptRun): void => {
    for (const old of rings.add(run)) lose(old);
  };
  const noteDirty = (run: KeptRun): void => {
    // It may have been the one that had to go.
    if (runs.has(run.id)) dirty.add(run);
  };
  for (const run of saved) place({ ...run });
  return {
    find: (id) => runs.get(id),
    all: () => runs.values(),
    add: (trace) => {
      gone.delete(trace.id);
      const run = keptFrom(trace, epoch());
      const like = isDull(run) ? ringOf(run.automation).findLike(run.likeness) : undefined;
      if (like === undefined) {
        fresh.set(trace.id, trace);
        place(run);
      } else {
        like.merged += 1 + trace.merged;
        like.finishedAtMs = trace.finishedAtMs;
      }
      noteDirty(like ?? run);
    },
    change: (run, trace) => {
      const { outcome, startedAtMs, finishedAtMs } = trace;
      const tells = run.tellsPresence || tellsPresence(trace);
      Object.assign(run, { outcome, startedAtMs, finishedAtMs, epoch: epoch(), tellsPresence: tells });
      fresh.set(trace.id, trace);
      noteDirty(run);
    },
    forget: rings.remove,
    unpack: (run) => {
      const trace = fresh.get(run.id) ?? unpackTrace(run.packed);
      const { merged, finishedAtMs } = run;
      return trace && shiftTrace({ ...trace, merged, finishedAtMs }, shiftMsOf(run.epoch));
    },
    startOf,
    removeAutomation: (automation) => {
      rings.removeAll(automation);
      lostToMs.delete(automation);
    },
    forgetOld: () => {
      const beforeMs = nowMs() - MAX_AGE_MS;
      for (const run of runs.values()) if (run.finishedAtMs !== null && startOf(run) < beforeMs) lose(run);
    },
    lostToMs: (automation) => lostToMs.get(automation) ?? -Infinity,
    takeDirt: () => {
      for (const [id, trace] of fresh) {
        const run = runs.get(id);
        if (run !== undefined) ringOf(run.automation).setPacked(run, packTrace(trace));
      }
      fresh.clear();
      rings.makeRoom(lose);
      const taken = { runs: [...dirty].map((run) => ({ ...run })), goneRuns: [...gone] };
      dirty.clear();
      gone.clear();
      return taken;
    },
    freshCount: () => fresh.size,
  };
}

/** The rings of all automations. */
function createRings(onGone: (run: KeptRun) => void) {
  const runs = new Map<string, KeptRun>();
  const rings = new Map<AutomationId, RunRing>();
  const ringOf = (automation: AutomationId): RunRing => {
    const ring = rings.get(automation) ?? createRunRing();
    rings.set(automation, ring);
    return ring;
  };
  const remove = (run: KeptRun): void => {
    ringOf(run.automation).remove(run);
    runs.delete(run.id);
    onGone(run);
  };
  return {
    runs: runs as ReadonlyMap<string, KeptRun>,
    ringOf,
    add: (run: KeptRun): readonly KeptRun[] => {
      runs.set(run.id, run);
      return ringOf(run.automation).add(run);
    },
    remove,
    removeAll: (automation: AutomationId): void => {
      for (const run of rings.get(automation)?.runs() ?? []) remove(run);
      rings.delete(automation);
    },
    /** The automation that has most gives first. */
    makeRoom: (lose: (run: KeptRun) => void): void => {
      let bytes = [...rings.values()].reduce((sum, ring) => sum + ring.bytes(), 0);
      while (bytes > MAX_BYTES) {
        const largest = [...rings.values()].reduce((left, right) => (right.bytes() > left.bytes() ? right : left));
        const least = largest.leastMissed();
        if (least === undefined) return;
        bytes -= largest.bytes();
        lose(least);
        bytes += largest.bytes();
      }
    },
  };
}

function keptFrom(trace: AutomationRun, epoch: string): KeptRun {
  const { id, automation, outcome, startedAtMs, finishedAtMs, merged } = trace;
  const likeness = isDull(trace) ? likenessOf(trace, epoch) : '';
  const tells = tellsPresence(trace);
  return {
    id,
    automation,
    epoch,
    outcome,
    startedAtMs,
    finishedAtMs,
    merged,
    likeness,
    tellsPresence: tells,
    packed: NOT_PACKED,
  };
}

/** Values differ from start to start; what counts is that the same trigger came to nothing for the same reason. */
function likenessOf({ version, outcome, reason, trigger, conditions }: AutomationRun, epoch: string): string {
  const outcomes = conditions.map(({ pointer, result }) => [pointer, result]);
  const facts = [epoch, version, outcome, reason, trigger.id, trigger.device, outcomes];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}

function tellsPresence({ trigger, conditions, steps }: AutomationRun): boolean {
  const isPresence = (seen: OperandSeen): boolean => 'name' in seen && seen.name.startsWith('presence/');
  return (
    trigger.type === 'presence' ||
    conditions.some(({ operands }) => operands.some(isPresence)) ||
    steps.some(
      (step) => step.values.some(isPresence) || step.conditions.some(({ operands }) => operands.some(isPresence)),
    )
  );
}
