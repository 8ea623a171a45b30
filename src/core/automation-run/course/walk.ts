import type { JsonValue } from '#base/json.ts';
import type { RepeatStep } from '#core/automation/document/step.ts';
import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import type { Running } from '#core/automation-run/engine.ts';
import { isErrandOf } from './command-step.ts';
import { type Node, nodeAt } from '#core/automation-run/program/program.ts';
import { cancelWait, endRun } from './run-end.ts';
import type { Frame, Thread } from '#core/automation-run/state/run-state.ts';
import { takeStep } from '#core/automation-run/state/run-work.ts';
import { perform } from './perform.ts';
import { addLine, changeLine, findLine } from './trace-lines.ts';
import { scopeOf, type Turn } from '#core/automation-run/turn.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

/** Goes through the steps until the thread waits or is over. */
export function advance(turn: Turn, running: Running, thread: Thread): void {
  const { advancing } = running.work;
  // A branch that ended at once comes back to the thread that made it, which goes on by itself.
  if (advancing.has(thread.id)) return;
  advancing.add(thread.id);
  try {
    goThrough(turn, running, thread);
  } finally {
    advancing.delete(thread.id);
  }
}

function goThrough(turn: Turn, running: Running, thread: Thread): void {
  const { state, program, work } = running;
  while (turn.engine.runs.has(state.id) && state.threads.includes(thread) && thread.wait === null) {
    turn.touched.add(state.id);
    if (thread.frames.length < thread.base || isErrandOf(thread)) {
      endThread(turn, running, thread);
      return;
    }
    turn.stepsLeft -= 1;
    if (turn.stepsLeft < 0 || !takeStep(work, turn.nowMs)) {
      endRun(turn, running, { outcome: 'failed', reason: because('too_many_steps') });
      return;
    }
    const node = nodeAt(program, thread.frames);
    if (node === undefined) leaveBody(turn, running, thread);
    else if (!enterBody(turn, running, { thread, node })) step(turn, running, { thread, node });
  }
}

type Place = { readonly thread: Thread; readonly node: Node };

function step(turn: Turn, running: Running, { thread, node }: Place): void {
  if (perform(turn, running, { thread, node }) === 'next') next(thread);
}

/** To the step after this one. */
function next(thread: Thread): void {
  const frame = thread.frames.at(-1);
  if (frame !== undefined) frame.index += 1;
}

/** Goes on after a wait that is over. */
export function goOn(turn: Turn, running: Running, thread: Thread): void {
  if (isErrandOf(thread)) endThread(turn, running, thread);
  else {
    next(thread);
    advance(turn, running, thread);
  }
}

function frameOf(body: number, details: Partial<Frame> = {}): Frame {
  return { body, index: 0, round: 0, rounds: 1, items: null, ...details };
}

/** Whether the step has bodies; then the thread stands in one of them, after it, or waits for them. */
function enterBody(turn: Turn, running: Running, place: Place): boolean {
  const { step: written } = place.node;
  if ('choose' in written) choose(turn, running, place);
  else if ('repeat' in written) repeat(turn, running, { ...place, written: written.repeat });
  else if ('parallel' in written) branch(turn, running, { ...place, end: written.parallel.end ?? 'all' });
  else return false;
  return true;
}

function choose(turn: Turn, running: Running, { thread, node }: Place): void {
  const conditions: Evidence[] = [];
  const scope = scopeOf(turn, running, thread);
  const found = node.judges.findIndex((judge) => judge(scope, conditions) === true);
  const body = found < 0 ? node.judges.length : found;
  const reason = found < 0 ? because('else') : because('case', { number: found + 1 });
  addLine(turn, running, { pointer: node.pointer, outcome: 'done', conditions, reason });
  thread.frames.push(frameOf(body));
}

function repeat(
  turn: Turn,
  running: Running,
  { thread, node, written }: Place & { readonly written: RepeatStep },
): void {
  const values: OperandSeen[] = [];
  const scope = scopeOf(turn, running, thread);
  const evaluated = node.operands.map(([, evaluate]) => evaluate(scope, values));
  const items = written.for_each === undefined ? null : evaluated.map((value): JsonValue => value ?? null);
  const [times] = written.times === undefined ? [] : evaluated;
  const line = { pointer: node.pointer, values };
  if (written.times !== undefined && typeof times !== 'number') {
    addLine(turn, running, { ...line, outcome: 'failed', reason: because('rounds_unknown') });
    next(thread);
    return;
  }
  const asked = typeof times === 'number' ? Math.floor(times) : (items?.length ?? written.max);
  const rounds = Math.min(written.max, asked);
  const conditions: Evidence[] = [];
  if (rounds < 1 || (written.while !== undefined && node.judges[0]?.(scope, conditions) !== true)) {
    addLine(turn, running, { ...line, conditions, outcome: 'done', reason: because('no_round') });
    next(thread);
    return;
  }
  addLine(turn, running, { ...line, conditions, outcome: 'done', reason: null });
  thread.frames.push(frameOf(0, { rounds, items }));
}

function branch(turn: Turn, running: Running, { thread, node, end }: Place & { readonly end: 'all' | 'any' }): void {
  const { state } = running;
  const children = node.bodies.map((_, body): Thread => {
    const frames = [...thread.frames.map((frame) => ({ ...frame })), frameOf(body)];
    const id = state.nextThread;
    state.nextThread += 1;
    return { id, parent: thread.id, base: frames.length, frames, wait: null };
  });
  const reason = because('branches', { count: children.length });
  addLine(turn, running, { pointer: node.pointer, outcome: 'done', reason });
  thread.wait = { kind: 'branches', children: children.map(({ id }) => id), end };
  state.threads.push(...children);
  for (const child of children) advance(turn, running, child);
}

/** At the end of a list of steps: another round, or on after the step that has the list. */
function leaveBody(turn: Turn, running: Running, thread: Thread): void {
  const frame = thread.frames.at(-1);
  const outer = nodeAt(running.program, thread.frames.slice(0, -1));
  if (frame !== undefined && outer !== undefined && 'repeat' in outer.step && thread.frames.length > thread.base) {
    frame.round += 1;
    if (hasMoreRounds(turn, running, { thread, node: outer, frame })) {
      frame.index = 0;
      return;
    }
  }
  thread.frames.pop();
  if (thread.frames.length >= thread.base) next(thread);
}

function hasMoreRounds(turn: Turn, running: Running, given: Place & { readonly frame: Frame }): boolean {
  const { thread, node, frame } = given;
  if (frame.round >= frame.rounds || !('repeat' in node.step)) return false;
  const [judge] = node.judges;
  if (judge === undefined) return true;
  const result = judge(scopeOf(turn, running, thread), []);
  return node.step.repeat.while === undefined ? result !== true : result === true;
}

function endThread(turn: Turn, running: Running, thread: Thread): void {
  const { state } = running;
  state.threads = state.threads.filter((one) => one !== thread);
  turn.touched.add(state.id);
  const parent = state.threads.find(({ id }) => id === thread.parent);
  if (parent?.wait?.kind === 'branches') {
    const children = new Set(parent.wait.children);
    const others = state.threads.filter(({ id }) => children.has(id));
    if (parent.wait.end === 'all' && others.length > 0) return;
    for (const other of others) cancelThread(turn, running, other);
    parent.wait = null;
    goOn(turn, running, parent);
    return;
  }
  if (state.threads.length === 0) endRun(turn, running, { outcome: 'finished', reason: null });
}

/** Ends a branch that is not needed any more, with the branches that it made. */
function cancelThread(turn: Turn, running: Running, thread: Thread): void {
  const { state } = running;
  for (const child of state.threads.filter(({ parent }) => parent === thread.id)) cancelThread(turn, running, child);
  const node = nodeAt(running.program, thread.frames);
  if (node !== undefined && thread.wait?.kind !== 'command') {
    changeLine(turn, running, { at: findLine(running, node.pointer), change: { outcome: 'stopped' } });
  }
  cancelWait(turn, running, thread);
  state.threads = state.threads.filter((one) => one !== thread);
}
