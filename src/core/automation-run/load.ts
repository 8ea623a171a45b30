import { shownIn } from '#core/automation/condition/sight.ts';
import { createRunWork } from '#core/automation-run/state/run-work.ts';
import { isJsonObject } from '#base/json.ts';
import type { Happening, TriggerMemory } from '#core/automation/trigger/happening.ts';
import { armCivil, isCivil, markKey } from './civil.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { Active, Input, Running, SavedEntry } from './engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { type Breaker, closeBreaker } from '#core/automation-run/guard/breaker.ts';
import { happen, memoryKey, offer, type Pieces } from './happen.ts';
import { noteDevice } from './home-change.ts';
import { compileProgram, nodeAt, type Program, restingProgram } from '#core/automation-run/program/program.ts';
import { awaitCommand, endWatch, noteRequest, settleCommand } from '#core/automation-run/course/resume.ts';
import { newActive, watch } from './save.ts';
import { beginQueued, idleReason } from './start.ts';
import { decodeRun } from '#core/automation-run/state/run-record.ts';
import { type RunState, shiftRun, type Thread } from '#core/automation-run/state/run-state.ts';
import { decodeMemory } from '#core/automation-run/state/trigger-memory.ts';
import { armBreaker, breakerKey } from '#core/automation-run/course/trip.ts';
import { arm, keep, threadTimer, type Turn } from './turn.ts';
import { armCivilWaits, armWatch, isMet, memoriesFor, waitStepOf } from '#core/automation-run/course/wait.ts';
import { armLooks } from '#core/automation-run/course/watch.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';
import type { Wording } from '#words/texts.ts';

export type Loaded = Extract<Input, { kind: 'loaded' }>;

export const HUB_STARTED: Happening = { kind: 'hub', on: 'started', integration: null };

/** The start of a process: the automations, what they remember, and the runs that go on. */
export function* load(turn: Turn, loaded: Loaded): Pieces {
  const { engine } = turn;
  for (const device of loaded.devices) noteDevice(engine, device);
  for (const [key, value] of loaded.modes) engine.modes.set(key, value);
  for (const [key, value] of loaded.variables) engine.variables.set(key, value);
  for (const [person, state] of loaded.people) engine.presences.set(person, state);
  for (const [integration, isUp] of loaded.integrations) engine.integrations.set(integration, isUp);
  for (const key of loaded.entries.keys()) engine.written.add(key);
  loadHands(turn, loaded.entries);
  for (const automation of byId(loaded.automations)) {
    loadAutomation(turn, automation, loaded.entries);
    yield;
  }
  const runs = [...loaded.entries]
    .filter(([key]) => key.startsWith('run/'))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const restored = runs.flatMap(([key, entry]) => restoreRun(turn, { key, entry, loaded }) ?? []);
  forgetUnknown(turn, loaded.entries);
  for (const trace of loaded.traces) {
    if (trace.outcome !== 'running' || loaded.entries.has(`run/${trace.id}`)) continue;
    turn.effects.push({ kind: 'trace', run: abandoned(turn, trace, because('not_written')) });
  }
  const orphaned = [...engine.automations.values()].filter((active) => isOrphaned(turn, active));
  // First all are there, because one may stop another.
  for (const running of restored) {
    goOnWith(turn, running);
    yield;
  }
  for (const active of orphaned) beginQueued(turn, active);
  for (const active of engine.automations.values()) lookAgain(turn, active);
  if (loaded.startsLater !== true) yield* happen(turn, HUB_STARTED, null);
}

/** Whether what is in its queue waits for a run that is gone. */
function isOrphaned({ engine }: Turn, { runs }: Active): boolean {
  return runs.size > 0 && [...runs].every((id) => engine.runs.get(id)?.state.isQueued === true);
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function loadHands({ engine }: Turn, entries: Loaded['entries']): void {
  for (const [key, { value, shiftMs }] of entries) {
    if (!key.startsWith('hand/') || !isJsonObject(value) || typeof value['atMs'] !== 'number') continue;
    engine.hands.set(key.slice('hand/'.length), { atMs: value['atMs'] + shiftMs, before: value['before'] ?? null });
  }
  const mode = entries.get(HOME_MODE_KEY);
  if (typeof mode?.value === 'number') engine.homeModeChangedMs = mode.value + mode.shiftMs;
}
/** When the mode `home` was changed last. */
export const HOME_MODE_KEY = 'home_mode';

function loadAutomation(turn: Turn, automation: Automation, entries: Loaded['entries']): void {
  const active = newActive(turn, automation, restingProgram(automation));
  turn.engine.automations.set(automation.id, active);
  const owner = ownerOf.automation(automation.id);
  for (const [at, { trigger }] of active.program.triggers.entries()) {
    const memory = decodeMemory(trigger, entries.get(memoryKey(active, trigger.id)));
    if (memory !== undefined) {
      active.memories.set(trigger.id, memory);
      armLooks(turn, { owner, timer: `look/${automation.id}`, at, old: {}, memory });
    }
    const marks = isCivil(trigger) ? entries.get(markKey(active, trigger.id))?.value : undefined;
    if (Array.isArray(marks))
      active.marks.set(
        trigger.id,
        marks.filter((mark) => typeof mark === 'number'),
      );
  }
  loadBreaker(turn, active, entries.get(breakerKey(active)));
  watch(turn, active);
  armCivil(turn, active);
}

function loadBreaker(turn: Turn, active: Active, saved: SavedEntry | undefined): void {
  if (saved === undefined || !isJsonObject(saved.value)) return;
  const { tripped, trips, lastTripMs } = saved.value as unknown as Breaker;
  Object.assign(active.breaker, { trips, lastTripMs: lastTripMs + saved.shiftMs });
  if (tripped === null) return;
  active.breaker.tripped = { ...tripped, untilMs: tripped.untilMs + saved.shiftMs };
  if (active.breaker.tripped.untilMs <= turn.nowMs) closeBreaker(active.breaker, turn.nowMs);
  else armBreaker(turn, active);
}

type Saved = { readonly key: string; readonly entry: SavedEntry; readonly loaded: Loaded };

/** A run as it was written; `undefined` where it cannot go on, which its trace then says. */
function restoreRun(turn: Turn, { key, entry, loaded }: Saved): Running | undefined {
  const { engine } = turn;
  const read = decodeRun(entry.value);
  const state = read && shiftRun(read, entry.shiftMs);
  const trace = loaded.traces.find(({ id }) => `run/${id}` === key);
  if (state === undefined) {
    keep(turn, key, { value: null });
    if (trace !== undefined) turn.effects.push({ kind: 'trace', run: abandoned(turn, trace, because('unreadable')) });
    return undefined;
  }
  const whole = trace ?? traceOf(state);
  if (trace !== undefined && trace.outcome !== 'running') {
    keep(turn, key, { value: null });
    return undefined;
  }
  const active = engine.automations.get(state.automation);
  const program = active && programOf(active, state.version, loaded.versions);
  const fault = faultOf(active, program, state);
  if (active === undefined || program === undefined || fault !== undefined) {
    keep(turn, key, { value: null });
    turn.effects.push({ kind: 'trace', run: abandoned(turn, whole, fault ?? because('version_unknown')) });
    return undefined;
  }
  const running: Running = { state, program, work: createRunWork(), trace: whole };
  engine.runs.set(state.id, running);
  active.runs.add(state.id);
  for (const thread of state.threads) armThread(turn, running, thread);
  return running;
}

function programOf({ program }: Active, version: number, versions: Loaded['versions']): Program | undefined {
  if (program.version === version) return program.ready();
  const older = versions.find((one) => one.id === program.automation && one.version === version);
  return older && compileProgram(older);
}

function faultOf(active: Active | undefined, program: Program | undefined, state: RunState): Wording | undefined {
  if (active === undefined) return because('automation_unknown');
  if (program === undefined) return because('version_unknown');
  const idle = idleReason(active, null);
  if (idle !== undefined) return because(idle.why);
  if (state.threads.length === 0) return because('hub_stopped');
  const isWhole = state.threads.every(({ wait, frames }) => wait === null || nodeAt(program, frames) !== undefined);
  return isWhole ? undefined : because('steps_unknown');
}

function abandoned({ nowMs }: Turn, trace: AutomationRun, reason: Wording): AutomationRun {
  return { ...trace, outcome: 'abandoned', reason, finishedAtMs: nowMs };
}

/**
 * Where the trace was lost, what the record of the run tells: traces are written with the samples, hours later. A record
 * of an older program has no `lines`: there it is the steps of the outermost list.
 */
function traceOf({
  id,
  automation,
  version,
  trigger,
  variables,
  startedAtMs,
  threads,
  lines,
}: RunState): AutomationRun {
  const [first] = threads;
  const begun = first === undefined || first.wait === null ? 0 : 1;
  return {
    id,
    automation,
    version,
    trigger,
    variables: shownIn(variables),
    startedAtMs,
    conditions: [],
    steps: [],
    stepsLeftOut: lines === 0 ? (first?.frames[0]?.index ?? 0) + begun : lines,
    outcome: 'running',
    reason: null,
    finishedAtMs: null,
    cause: trigger.cause,
    merged: 0,
  };
}

/** Timers whose time has passed are due at once, in their order. */
function armThread(turn: Turn, running: Running, thread: Thread): void {
  const { wait } = thread;
  if (wait === null) return;
  if (wait.kind === 'watch') {
    const node = nodeAt(running.program, thread.frames);
    if (node !== undefined) thread.wait = { ...wait, memories: memoriesFor(node, wait.memories) };
    armWatch(turn, running, thread);
  } else if (wait.kind === 'command') awaitCommand(turn, running, thread);
  else if (wait.kind === 'clock') armCivilWaits(turn, running, thread);
  else if ('untilMs' in wait) {
    const run = running.state.id;
    const purpose = { kind: 'thread', run, thread: thread.id } as const;
    arm(turn, threadTimer(run, thread.id), { due: { hubMs: wait.untilMs }, purpose });
  }
}

/** Goes on with waits that need no timer: for a value that changed meanwhile, a command or request that was under way. */
function goOnWith(turn: Turn, running: Running): void {
  for (const thread of running.state.threads.slice()) {
    if (!turn.engine.runs.has(running.state.id)) return;
    const { wait } = thread;
    if (wait?.kind === 'command') settleCommand(turn, running, { thread, isLast: false });
    else if (wait?.kind === 'request') noteRequest(turn, wait.ref, 'the hub restarted');
    else if (wait?.kind === 'watch') lookFirst(turn, running, thread);
  }
}

/** A `wait_for` looks at the values first: what it waits for may have happened in the last second before the restart. */
function lookFirst(turn: Turn, running: Running, thread: Thread): void {
  const node = nodeAt(running.program, thread.frames);
  const step = node && waitStepOf(node);
  if (node === undefined || step === undefined || thread.wait?.kind !== 'watch') return;
  if ('condition' in step) {
    if (isMet(turn, running, thread)) endWatch(turn, running, { thread, lateMs: 0 });
    return;
  }
  const { sinceMs } = thread.wait;
  const owner = ownerOf.thread(running.state.id, thread.id);
  for (const [at, { trigger }] of node.triggers.entries()) {
    if (thread.wait?.kind === 'watch') lookAtUnknown(turn, { owner, at }, thread.wait.memories[at]);
    if (trigger.type !== 'feature' || trigger.to === undefined || thread.wait?.kind !== 'watch') continue;
    for (const { device, key } of turn.engine.index.members(trigger)) {
      const seen = turn.view.value(device, key);
      if (seen === undefined || (seen.changedAtMs ?? -Infinity) <= sinceMs) continue;
      const happening = { kind: 'value', device, key, from: undefined, shown: undefined } as const;
      offer(turn, { owner, at }, { happening, cause: null });
    }
  }
}

/** Looks at what nobody knew when the hub ended: it may be known by now, and no event will tell. */
function lookAgain(turn: Turn, { automation, program, memories }: Active): void {
  for (const [at, { trigger }] of program.triggers.entries()) {
    lookAtUnknown(turn, { owner: ownerOf.automation(automation.id), at }, memories.get(trigger.id));
  }
}

function lookAtUnknown(
  turn: Turn,
  place: { readonly owner: string; readonly at: number },
  memory: TriggerMemory | undefined,
): void {
  for (const [slot, { held }] of Object.entries(memory ?? {})) {
    if (typeof held?.unknownSinceMs !== 'number') continue;
    offer(turn, place, { happening: { kind: 'look', slot }, cause: null });
  }
}

/** Entries of automations and triggers that are no more, or are others now. */
function forgetUnknown(turn: Turn, entries: Loaded['entries']): void {
  const known = new Set<string>();
  for (const active of turn.engine.automations.values()) {
    known.add(breakerKey(active));
    for (const { trigger } of active.program.triggers) {
      if (active.memories.has(trigger.id)) known.add(memoryKey(active, trigger.id));
      // What was dealt with before an edit is dealt with after it.
      if (isCivil(trigger)) known.add(markKey(active, trigger.id));
    }
  }
  for (const key of entries.keys()) {
    const [kind = ''] = key.split('/');
    if (['trigger', 'mark', 'breaker'].includes(kind) && !known.has(key)) keep(turn, key, { value: null });
  }
}
