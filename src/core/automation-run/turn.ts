import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Happening } from '#core/automation/trigger/happening.ts';
import type { RunScope, View } from '#core/automation/view.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Active, Due, Effect, Engine, Purpose, Running, RunView, TimerId } from './engine.ts';
import { emptied, type Entry, type Scratch } from './scratch.ts';
import { nodeAt } from '#core/automation-run/program/program.ts';
import type { Thread } from '#core/automation-run/state/run-state.ts';
import { encodeRun } from '#core/automation-run/state/run-record.ts';

/** The work on one input. */
export type Turn = {
  readonly engine: Engine;
  readonly home: RunView;
  /** The home, with what runs in this engine. */
  readonly view: View;
  readonly nowMs: number;
  readonly effects: Effect[];
  /** What runs made happen, for after all that the input itself made happen. */
  readonly ahead: Ahead[];
  /** Steps that may still be done: a guard against a loop that never waits. */
  stepsLeft: number;
} & Scratch;

type Ahead =
  | { readonly happening: Happening; readonly cause: Cause }
  | { readonly start: AutomationId; readonly cause: Cause };

/** The entry of a run that ended goes when its last words are not needed any more. */
function isOver({ over }: Turn, key: string): boolean {
  return key.startsWith('run/') && over.has(key.slice('run/'.length));
}

const MOST_STEPS = 5_000;
/** A wait of this length is on disk within a second. */
export const LONG_MS = 10_000;

export function createTurn(engine: Engine, home: RunView): Turn {
  // It is made anew each time that it is read.
  const { now } = home;
  const { touched, over, entries } = emptied(engine.scratch);
  return {
    engine,
    home,
    view: viewOf(engine, home, now),
    nowMs: now.hubMs,
    effects: [],
    touched,
    over,
    entries,
    ahead: [],
    stepsLeft: MOST_STEPS,
  };
}

/** Member by member: a spread of an object with getters costs more than the rest of a turn. */
function viewOf(engine: Engine, home: RunView, now: View['now']): View {
  return {
    now,
    value: home.value,
    availability: home.availability,
    mode: home.mode,
    variable: home.variable,
    presence: home.presence,
    everyone: home.everyone,
    scene: home.scene,
    sun: home.sun,
    history: home.history,
    // Between the end of one and the turn of the next, one in the queue is all that there is.
    isRunning: (id) => (engine.automations.get(id)?.runs.size ?? 0) > 0,
  };
}

export function arm(
  turn: Turn,
  timer: TimerId,
  { due, purpose }: { readonly due: Due; readonly purpose: Purpose },
): void {
  turn.engine.timers.set(timer, { atMs: 'hubMs' in due ? due.hubMs : null, purpose });
  turn.effects.push({ kind: 'arm', timer, due });
}

export function disarm(turn: Turn, timer: TimerId): void {
  if (turn.engine.timers.delete(timer)) turn.effects.push({ kind: 'disarm', timer });
}

export function threadTimer(run: string, thread: number): TimerId {
  return `run/${run}/${thread}`;
}

/**
 * Notes an entry for the end of the turn. `isGuard`: without it on disk, a power cut could make what this turn does
 * happen twice.
 */
export function keep(turn: Turn, key: string, entry: Partial<Entry> & Pick<Entry, 'value'>): void {
  turn.entries.set(key, { isLong: false, isGuard: false, ...entry });
}

/** Makes the scope that an operand or condition of a run sees. */
export function scopeOf(turn: Turn, { state, program }: Running, thread: Thread | undefined): RunScope {
  // A name whose value nobody knew hides a variable of the home all the same.
  const variables = new Map(program.variables.map(([name]) => [name, state.variables[name]]));
  for (const [depth, { items, round }] of (thread?.frames ?? []).entries()) {
    if (items === null || thread === undefined) continue;
    const node = nodeAt(program, thread.frames.slice(0, depth));
    const name = node && 'repeat' in node.step ? node.step.repeat.for_each?.variable : undefined;
    if (name !== undefined) variables.set(name, items[round]);
  }
  return { view: turn.view, trigger: state.trigger, variables, timedOut: new Map(Object.entries(state.timedOut)) };
}

/** Beside commands, these are all effects of a run on the world outside of its engine. */
export const EFFECTS_BESIDE_COMMANDS = [
  'notify',
  'request',
  'set_mode',
  'set_variable',
  'note_presence',
  'enable',
  'disable',
] as const;
const OUTWARD: ReadonlySet<Effect['kind']> = new Set(['command', ...EFFECTS_BESIDE_COMMANDS]);

/** The effects in their order: what must be on disk first, what happens, then what may follow. */
export function closeTurn(turn: Turn): readonly Effect[] {
  const { engine, touched, entries, effects, over } = turn;
  // So it is with most changes of a home.
  if (touched.size === 0 && entries.size === 0 && over.size === 0) return effects;
  /** By the run that acts, whether it moves a sensitive device. */
  const acting = new Map<string, boolean>();
  for (const effect of effects) {
    if (effect.kind === 'trace' || !OUTWARD.has(effect.kind) || !('run' in effect)) continue;
    const isSensitive = effect.kind === 'command' && effect.isSensitive;
    acting.set(effect.run, isSensitive || acting.get(effect.run) === true);
  }
  const durable = new Set([...acting].flatMap(([id, isSensitive]) => (isDurable(turn, id, isSensitive) ? [id] : [])));
  const followed = new Set(touched.size === 0 ? [] : [...engine.followed.values()].map(({ run }) => run));
  for (const id of touched) noteRun(turn, id, { isGuard: durable.has(id), isFollowed: followed.has(id) });
  const before = [...acting.keys()].flatMap((id) => lastWords(turn, id, durable.has(id)));
  const after: Effect[] = [];
  for (const [key, { value, isLong, isGuard }] of entries) {
    if (value === null && !engine.written.has(key)) continue;
    const isFirst = acting.size > 0 && (isGuard || engine.written.has(key)) && !isOver(turn, key);
    if (value === null) engine.written.delete(key);
    else engine.written.add(key);
    const urgency = isFirst ? 'before_effects' : isLong ? 'within_1_s' : 'with_next';
    (isFirst ? before : after).push({ kind: 'persist', urgency, key, value });
  }
  return before.length + after.length === 0 ? effects : [...before, ...effects, ...after];
}

/**
 * The record of a run whose last commands go out now. Without it, a power cut before them would leave a run that
 * nobody knows of; with it, the next start says that it is unclear how far they came.
 */
function lastWords({ engine, over }: Turn, id: string, isKept: boolean): readonly Effect[] {
  const state = over.get(id);
  const key = `run/${id}`;
  if (state === undefined || (!isKept && !engine.written.has(key))) return [];
  engine.written.add(key);
  return [{ kind: 'persist', urgency: 'before_effects', key, value: encodeRun({ ...state, threads: [] }) }];
}

/** Whether it is on disk before its commands: its document says so, or it moves a sensitive device now. */
function isDurable(turn: Turn, run: string, isSensitive: boolean): boolean {
  const automation = (turn.over.get(run) ?? turn.engine.runs.get(run)?.state)?.automation;
  return isSensitive || (automation !== undefined && activeOf(turn, automation)?.automation.isDurable === true);
}

type Noted = { readonly isGuard: boolean; readonly isFollowed: boolean };

function noteRun(turn: Turn, id: string, { isGuard, isFollowed: hasCommand }: Noted): void {
  const { engine, nowMs } = turn;
  const running = engine.runs.get(id);
  if (running === undefined) {
    if (!turn.entries.has(`run/${id}`)) keep(turn, `run/${id}`, { value: null });
    const trace = engine.ended.get(id);
    if (trace !== undefined) turn.effects.push({ kind: 'trace', run: trace });
    if (!hasCommand) engine.ended.delete(id);
    return;
  }
  const { state, trace } = running;
  const isLong = state.threads.some(
    ({ wait }) => wait !== null && 'untilMs' in wait && wait.untilMs - nowMs >= LONG_MS,
  );
  const isClock = state.threads.some(({ wait }) => wait?.kind === 'clock');
  state.lines = trace.steps.length + trace.stepsLeftOut;
  keep(turn, `run/${id}`, { value: encodeRun(state), isLong: isLong || isClock || state.isQueued, isGuard });
  turn.effects.push({ kind: 'trace', run: trace });
}

/** Whether a command of this run is under way. */
export function isFollowed({ followed }: Engine, id: string): boolean {
  for (const { run } of followed.values()) if (run === id) return true;
  return false;
}

export function activeOf(turn: Turn, id: AutomationId): Active | undefined {
  return turn.engine.automations.get(id);
}
