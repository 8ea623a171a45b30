import { shownIn } from '#core/automation/condition/sight.ts';
import { createRunWork, type RunWork, takeRoom } from '#core/automation-run/state/run-work.ts';
import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Evidence, RunScope, TriggerFacts } from '#core/automation/view.ts';
import { type Cause, DIRECT, ledBy } from '#core/cause/cause.ts';
import type { Active, Engine, Running } from './engine.ts';
import { MAX_DEPTH, takeStart } from '#core/automation-run/guard/breaker.ts';
import { endRun } from '#core/automation-run/course/run-end.ts';
import { MAX_RUNS, type Moved, type RunState } from '#core/automation-run/state/run-state.ts';
import type { IdleReason } from '#core/automation-run/trace/near-miss-ring.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { tripAutomation } from '#core/automation-run/course/trip.ts';
import type { Turn } from './turn.ts';
import { advance } from '#core/automation-run/course/walk.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';
import type { Wording } from '#words/texts.ts';

const FLAPS = { usual: 1, high: 10 } as const;

/**
 * Why an automation starts nothing now, though its trigger fired; `undefined` if it may. `pointer`: of the trigger; `''`
 * for a start by hand, `null` for a run that has begun or is in the queue: its trigger has done its part.
 */
export function idleReason({ automation, breaker }: Active, pointer: string | null): IdleReason | undefined {
  const { state, broken, definition } = automation;
  if (breaker.tripped !== null) return { why: 'tripped' };
  if (state === 'ready') return undefined;
  if (state !== 'broken') return { why: state };
  const isOther = (fault: string): boolean => pointer === null || !`${fault}/`.startsWith(`${pointer}/`);
  const isWhole = broken.every((fault) => fault.startsWith('/triggers/') && isOther(fault));
  return definition.on_broken === 'run_rest' && isWhole ? undefined : { why: 'broken' };
}

/** All variables of a run share this room: a hundred may be the same long text. One that has no room is unknown. */
const VARIABLES_BYTES = 64 * 1024;

function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' ? Buffer.byteLength(JSON.stringify(value)) : 0;
}

/** Shows the result of each condition in any case, and what they saw if the trace has room for it. */
function shownConditions(work: RunWork, conditions: readonly Evidence[]): readonly Evidence[] {
  if (takeRoom(work, conditions, [])) return conditions;
  return conditions.map(({ pointer, result }) => ({ pointer, result, operands: [] }));
}

/** A trigger fired: a run begins, or a trace says why not. */
export function start(turn: Turn, active: Active, facts: TriggerFacts): void {
  const program = active.program.ready();
  const variables: Record<string, JsonValue> = {};
  const seenVariables = new Map<string, JsonValue | undefined>();
  const scope: RunScope = { view: turn.view, trigger: facts, variables: seenVariables, timedOut: new Map() };
  let room = VARIABLES_BYTES;
  for (const [name, evaluate] of program.variables) {
    const value = evaluate(scope, []);
    const size = sizeOf(value);
    seenVariables.set(name, size <= room ? value : undefined);
    if (value === undefined || size > room) continue;
    variables[name] = value;
    room -= size;
  }
  const conditions: Evidence[] = [];
  const met = facts.skipsConditions === true || program.conditions(scope, conditions);
  const work = createRunWork();
  const trace = traceOf(turn, active, { facts, conditions: shownConditions(work, conditions), variables });
  const refused =
    met === true
      ? refusal(turn, active, facts)
      : ({ outcome: 'not_met', reason: because(met === 'unknown' ? 'unknown' : 'not_met') } as const);
  if (refused !== undefined) {
    turn.effects.push({ kind: 'trace', run: { ...trace, ...refused, finishedAtMs: turn.nowMs } });
    return;
  }
  begin(turn, active, { trace, variables, work });
}

type Refusal = Pick<AutomationRun, 'outcome' | 'reason'>;

function refusal(turn: Turn, active: Active, { cause }: TriggerFacts): Refusal | undefined {
  const { engine, nowMs } = turn;
  const skipped = (reason: Wording): Refusal => ({ outcome: 'skipped', reason });
  const { mode, limits } = active.program.definition;
  const chain = chainTo(engine, active, cause);
  if ((cause?.depth ?? 0) + 1 > MAX_DEPTH) return skipped(because('loop', { automations: chain.join(' → ') }));
  if (mode.kind === 'single' && active.runs.size > 0) return skipped(because('busy'));
  if (mode.kind === 'parallel' && active.runs.size >= mode.max) return skipped(because('busy'));
  if (mode.kind === 'queued' && active.runs.size > mode.max) return skipped(because('queue_full'));
  if (engine.runs.size >= MAX_RUNS && mode.kind !== 'restart') return skipped(because('too_many_runs'));
  active.chain = chain;
  if (takeStart(active.breaker, nowMs, FLAPS[limits])) return undefined;
  tripAutomation(turn, active, { reason: 'too_many_starts', detail: chain.join(' → ') });
  return skipped(because('tripped'));
}

/** The automations that led to this start, itself last. */
function chainTo({ automations }: Engine, { automation }: Active, cause: Cause | null): readonly AutomationId[] {
  const before = automations.get((cause?.automation ?? '') as AutomationId)?.chain ?? [];
  return [...before, automation.id].slice(-MAX_DEPTH - 1);
}

type Beginning = Pick<AutomationRun, 'conditions' | 'variables'> & { readonly facts: TriggerFacts };

function traceOf(turn: Turn, { program }: Active, { facts, conditions, variables }: Beginning): AutomationRun {
  return {
    id: newRunId(turn),
    automation: program.automation,
    version: program.version,
    trigger: facts,
    conditions,
    steps: [],
    stepsLeftOut: 0,
    variables: shownIn(variables),
    outcome: 'running',
    reason: null,
    startedAtMs: turn.nowMs,
    finishedAtMs: null,
    cause: facts.cause,
    merged: 0,
  };
}

/** A UUID of version 7 that is the same in each process with this seed and this number of runs. */
function newRunId({ engine, nowMs }: Turn): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0').slice(-12);
  const count = (engine.runsMade % 0x1000000).toString(16).padStart(6, '0');
  engine.runsMade += 1;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3)}-${engine.seed}`;
}

type Begun = Pick<AutomationRun, 'variables'> & Pick<Running, 'trace' | 'work'>;

function begin(turn: Turn, active: Active, { trace, variables, work }: Begun): void {
  const { engine } = turn;
  const { mode } = active.program.definition;
  const isQueued = mode.kind === 'queued' && active.runs.size > 0;
  const inherited = mode.kind === 'restart' ? takePlace(turn, active, trace.id) : [];
  const facts = trace.trigger;
  const state: RunState = {
    id: trace.id,
    automation: trace.automation,
    version: trace.version,
    trigger: facts,
    cause: causeOf(turn, trace),
    startedAtMs: trace.startedAtMs,
    variables,
    isQueued,
    lateMs: 0,
    timedOut: {},
    threads: [
      { id: 0, parent: null, base: 1, frames: [{ body: 0, index: 0, round: 0, rounds: 0, items: null }], wait: null },
    ],
    nextThread: 1,
    nextCommand: 0,
    moved: inherited,
    lines: 0,
  };
  if (facts.lateMs >= LATE_START_MS) state.lateMs = facts.lateMs;
  const running: Running = { state, program: active.program.ready(), work, trace };
  engine.runs.set(state.id, running);
  active.runs.add(state.id);
  turn.touched.add(state.id);
  if (!isQueued) walk(turn, running);
}
/** The cause of what a run does: who led to its start leads to that too, and the token with which it was signed. */
function causeOf({ home }: Turn, { id: run, automation, trigger }: AutomationRun): Cause {
  const own = { ...DIRECT, automation, run, depth: (trigger.cause?.depth ?? 0) + 1 };
  return ledBy(ledBy(own, trigger.cause?.callers), home.signedWith(automation));
}
/** As for waits: what comes no later is in time. */
const LATE_START_MS = 10_000;

/** Ends the run before, and takes over what it would have restored. */
function takePlace(turn: Turn, active: Active, id: string): Moved[] {
  const runs = [...active.runs].flatMap((run) => turn.engine.runs.get(run) ?? []);
  for (const running of runs)
    endRun(turn, running, { outcome: 'superseded', reason: because('newer_run', { run: id }) });
  return runs.flatMap(({ state }) => state.moved.map((moved) => ({ ...moved, isInherited: true })));
}

/** Goes through all threads that can go on. */
function walk(turn: Turn, running: Running): void {
  for (const thread of running.state.threads.slice()) advance(turn, running, thread);
}

/** After a run is over, the next one in the queue of its automation begins. */
export function beginQueued(turn: Turn, active: Active): boolean {
  const runs = [...active.runs].flatMap((run) => turn.engine.runs.get(run) ?? []);
  if (runs.some(({ state }) => !state.isQueued)) return false;
  const [first] = runs;
  if (first === undefined || idleReason(active, null) !== undefined) return false;
  first.state.isQueued = false;
  turn.touched.add(first.state.id);
  walk(turn, first);
  return true;
}
