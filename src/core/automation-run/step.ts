import type { Happening } from '#core/automation/trigger/happening.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { TriggerFacts } from '#core/automation/view.ts';
import type { Cause } from '#core/cause/cause.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { armCivil, isInTime } from './civil.ts';
import type { Effect, Engine, Input, Purpose, RunView } from './engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { activeOfOwner, happen, offer, offerTo, type Pieces } from './happen.ts';
import { noteHome } from './home-change.ts';
import { HOME_MODE_KEY, HUB_STARTED, load } from './load.ts';
import { removeAutomation, saveAutomation, watchHands } from './save.ts';
import { endWait, endWatch, noteCommand, noteRequest } from '#core/automation-run/course/resume.ts';
import { beginQueued, idleReason, start } from './start.ts';
import { stopAutomation } from '#core/automation-run/course/run-end.ts';
import { untrip } from '#core/automation-run/course/trip.ts';
import { arm, closeTurn, createTurn, keep, type Turn } from './turn.ts';
import { armCivilWaits, armPoll, isMet } from '#core/automation-run/course/wait.ts';
import { shiftMemory, shiftRun } from '#core/automation-run/state/run-state.ts';
import { shiftTrace } from '#core/automation-run/trace/packed-trace.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

/**
 * The one function of automations: live, after a restart, in a dry run, in a replay and in tests. It reads no clock and
 * draws no numbers: the same inputs and views give the same effects. It changes the engine in its place and returns it.
 */
export function step(engine: Engine, input: Input, view: RunView): { engine: Engine; effects: readonly Effect[] } {
  const pieces = stepInPieces(engine, input, view);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return { engine, effects: value };
  }
}

/**
 * The same in pieces, each about as long as a start: one change may start thousands of runs. The effects come at the end,
 * so that the work in between may be lost as the input itself may.
 */
export function* stepInPieces(engine: Engine, input: Input, view: RunView): Pieces<readonly Effect[]> {
  if (input.kind === 'event') {
    const { event } = input;
    const changes = noteHome(engine, event, input.cause);
    const isHomeMode = event.type === 'mode.changed' && event.mode.key === HOME_MODE.key && changes.length > 0;
    const isOfDevice = DEVICE_CHANGES.has(event.type);
    const only = changes.length === 1 ? changes[0] : undefined;
    const found = only && engine.index.find(only);
    const isSeen = found === undefined ? isAnySeen(engine, changes) : found.length > 0;
    const turn = isHomeMode || isOfDevice || isSeen ? createTurn(engine, view) : undefined;
    if (turn !== undefined && isHomeMode) noteHomeMode(turn);
    if (turn !== undefined && only !== undefined && found !== undefined)
      yield* offerTo(turn, found, { happening: only, cause: input.cause });
    else if (turn !== undefined) for (const change of changes) yield* happen(turn, change, input.cause);
    if (turn !== undefined && isOfDevice) watchAllHands(turn);
    // The watchers of the device were found while the index still knew it.
    if (event.type === 'device.removed') engine.index.noteDevice(event.device.id, undefined);
    return turn === undefined ? [] : yield* finish(turn);
  }
  const turn = createTurn(engine, view);
  const pieces = take(turn, input);
  if (pieces !== undefined) yield* pieces;
  return yield* finish(turn);
}

function isAnySeen(engine: Engine, changes: readonly Happening[]): boolean {
  return changes.some((change) => engine.index.find(change).length > 0);
}

/** After them other devices may fit what automations command. They are rare: people and integrations make them. */
const DEVICE_CHANGES: ReadonlySet<string> = new Set(['device.added', 'device.changed', 'device.removed']);

function watchAllHands(turn: Turn): void {
  for (const active of turn.engine.automations.values()) {
    if (active.program.definition.yield_to_hand_s > 0) watchHands(turn, active);
  }
}

/** Hands let go then, for automations that say so. */
function noteHomeMode(turn: Turn): void {
  turn.engine.homeModeChangedMs = turn.nowMs;
  keep(turn, HOME_MODE_KEY, { value: turn.nowMs });
}

/** Takes what runs made happen after all that the input itself made happen, and the queues after that. */
function* finish(turn: Turn): Pieces<readonly Effect[]> {
  for (;;) {
    const ahead = turn.ahead.shift();
    if (ahead === undefined) {
      if (!beginAllQueued(turn)) break;
    } else if ('start' in ahead) startByHand(turn, { automation: ahead.start, cause: ahead.cause });
    else yield* happen(turn, ahead.happening, ahead.cause);
    yield;
  }
  return closeTurn(turn);
}

/** Only automations whose runs have just ended can have one to begin. */
function beginAllQueued(turn: Turn): boolean {
  if (turn.touched.size === 0) return false;
  const ended = [...turn.touched].flatMap((run) => turn.engine.ended.get(run)?.automation ?? []);
  return [...new Set(ended)].some((id) => {
    const active = turn.engine.automations.get(id);
    return active !== undefined && active.runs.size > 0 && beginQueued(turn, active);
  });
}

function take(turn: Turn, input: Exclude<Input, { kind: 'event' }>): Pieces | void {
  switch (input.kind) {
    case 'loaded':
      return load(turn, input);
    case 'due':
    case 'civil_due':
      return takeDue(turn, input);
    case 'command':
      return noteCommand(turn, input.ref, input.report);
    case 'request_ended':
      return noteRequest(turn, input.ref, input.error);
    case 'saved':
      return saveAutomation(turn, input.automation);
    case 'removed':
      return removeAutomation(turn, input.automation);
    case 'clock_set':
      shiftClock(turn, input.hubShiftMs);
      return happen(turn, { kind: 'hub', on: 'clock_set', integration: null }, null);
    case 'hook':
      return takeHook(turn, input);
    case 'run':
      return startByHand(turn, input);
    case 'stop':
      return stopAutomation(turn, input.automation, { outcome: 'stopped', reason: because('by_person') });
    case 'reset': {
      const active = turn.engine.automations.get(input.automation);
      return active === undefined ? undefined : untrip(turn, active);
    }
    case 'started':
      return happen(turn, HUB_STARTED, null);
    case 'updated':
      return happen(turn, { kind: 'hub', on: 'update', integration: null }, null);
  }
}

type Due = Extract<Input, { kind: 'due' | 'civil_due' }>;

function takeDue(turn: Turn, input: Due): void {
  const { engine } = turn;
  const armed = engine.timers.get(input.timer);
  if (armed === undefined) return;
  const { atMs, purpose } = armed;
  if (atMs !== null && atMs > turn.nowMs) {
    arm(turn, input.timer, { due: { hubMs: atMs }, purpose });
    return;
  }
  engine.timers.delete(input.timer);
  if (purpose.kind === 'breaker') {
    const active = engine.automations.get(purpose.automation);
    if (active !== undefined) untrip(turn, active);
  } else if (purpose.kind === 'look') {
    offer(turn, purpose, { happening: { kind: 'look', slot: purpose.slot }, cause: null });
  } else if (purpose.kind === 'civil') takeCivil(turn, purpose, input);
  else takeThreadDue(turn, purpose, input);
}

function takeCivil(turn: Turn, { owner, at }: Extract<Purpose, { kind: 'civil' }>, input: Due): void {
  if (input.kind !== 'civil_due') return;
  const { wallMs, lateMs } = input;
  const happening: Happening = { kind: 'time', atMs: turn.nowMs - lateMs, lateMs };
  const active = activeOfOwner(turn, owner);
  if (active === undefined || isInTime(turn, active, { at, wallMs, lateMs }))
    offer(turn, { owner, at }, { happening, cause: null });
}

function takeThreadDue(turn: Turn, purpose: Extract<Purpose, { kind: 'thread' | 'poll' }>, input: Due): void {
  const running = turn.engine.runs.get(purpose.run);
  const thread = running?.state.threads.find(({ id }) => id === purpose.thread);
  if (running === undefined || thread === undefined) return;
  if (purpose.kind === 'thread') {
    return endWait(turn, running, { thread, lateMs: input.kind === 'civil_due' ? input.lateMs : null });
  }
  if (isMet(turn, running, thread)) endWatch(turn, running, { thread, lateMs: 0 });
  else armPoll(turn, running, thread);
}

function takeHook(turn: Turn, input: Extract<Input, { kind: 'hook' }>): void {
  const active = turn.engine.automations.get(input.automation);
  const at = active?.program.triggers.findIndex(({ trigger }) => trigger.id === input.trigger) ?? -1;
  if (active === undefined || active.program.triggers[at]?.trigger.type !== 'hook') return;
  offer(
    turn,
    { owner: ownerOf.automation(input.automation), at },
    { happening: { kind: 'hook', body: input.body }, cause: input.cause ?? null },
  );
}

type ByHand = {
  readonly automation: AutomationId;
  readonly cause: Cause;
  readonly trigger?: string | null;
  readonly skipConditions?: boolean;
};

/** A person or another automation starts it. */
function startByHand(turn: Turn, { automation, cause, trigger = null, skipConditions = false }: ByHand): void {
  const active = turn.engine.automations.get(automation);
  if (active === undefined) return;
  const named = active.program.definition.triggers.find(({ id }) => id === trigger);
  const type = named?.type ?? 'run';
  const id = named?.id ?? 'run';
  const skips = skipConditions ? { skipsConditions: true as const } : {};
  const facts: TriggerFacts = { ...NO_FACTS, id, type, atMs: turn.nowMs, cause, ...skips };
  const idle = idleReason(active, '');
  if (idle === undefined) return start(turn, active, facts);
  const miss = { automation, trigger: id, device: null, key: null, reason: idle, atMs: turn.nowMs };
  turn.effects.push({ kind: 'near_miss', miss });
}

const NO_FACTS = {
  device: null,
  key: null,
  from: null,
  value: null,
  quality: null,
  action: null,
  lateMs: 0,
  body: null,
} as const;

/** The clock was set. Durations go on as they were; times of the clock are worked out anew. */
function shiftClock(turn: Turn, byMs: number): void {
  const { engine } = turn;
  if (byMs !== 0) shiftTimes(turn, byMs);
  for (const id of [...engine.automations.keys()].toSorted()) {
    const active = engine.automations.get(id);
    if (active !== undefined) armCivil(turn, active);
  }
  for (const id of [...engine.runs.keys()].toSorted()) {
    const running = engine.runs.get(id);
    for (const thread of running?.state.threads ?? []) if (running !== undefined) armCivilWaits(turn, running, thread);
  }
}

function shiftTimes(turn: Turn, byMs: number): void {
  const { engine } = turn;
  for (const [id, running] of engine.runs) {
    const { state, trace } = running;
    engine.runs.set(id, { ...running, state: shiftRun(state, byMs), trace: shiftTrace(trace, byMs) });
    turn.touched.add(id);
  }
  for (const [id, trace] of engine.ended) engine.ended.set(id, shiftTrace(trace, byMs));
  for (const active of engine.automations.values()) {
    for (const [trigger, memory] of active.memories) active.memories.set(trigger, shiftMemory(memory, byMs));
    const { breaker } = active;
    breaker.refilledMs += byMs;
    breaker.lastTripMs += byMs;
    if (breaker.tripped !== null) breaker.tripped = { ...breaker.tripped, untilMs: breaker.tripped.untilMs + byMs };
  }
  for (const [feature, hand] of engine.hands) engine.hands.set(feature, { ...hand, atMs: hand.atMs + byMs });
  engine.flapping.clear();
  engine.homeModeChangedMs += byMs;
  for (const [timer, { atMs, purpose }] of engine.timers) {
    if (atMs !== null) arm(turn, timer, { due: { hubMs: atMs + byMs }, purpose });
  }
}
