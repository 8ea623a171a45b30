import type { JsonValue } from '#base/json.ts';
import { LATE_MAX_S, LONGEST_DELAY_S } from '#core/automation/document/step.ts';
import type { OperandSeen } from '#core/automation/view.ts';
import { giveCommand, type StepEnd } from './command-step.ts';
import type { Running, Steering } from '#core/automation-run/engine.ts';
import type { Node } from '#core/automation-run/program/program.ts';
import { endRun, stopAutomation, suspendAutomation } from './run-end.ts';
import type { Thread } from '#core/automation-run/state/run-state.ts';
import { addLine, beginLine } from './trace-lines.ts';
import { arm, scopeOf, threadTimer, type Turn } from '#core/automation-run/turn.ts';
import { armCivilWaits, beginWatch, closeWatch } from './wait.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

type Place = { readonly thread: Thread; readonly node: Node };

/** Does a step that has no steps in it. */
export function perform(turn: Turn, running: Running, place: Place): StepEnd {
  const { thread, node } = place;
  const { step } = node;
  if ('command' in step || 'scene' in step || 'restore' in step) {
    return giveCommand(turn, running, { ...place, attempt: 0 });
  }
  if ('delay' in step) return delay(turn, running, place);
  if ('wait_for' in step) {
    if (beginWatch(turn, running, thread) === 'waits') return 'waits';
    closeWatch(turn, running, { thread, hasTimedOut: false });
    return 'next';
  }
  if ('stop' in step) {
    addLine(turn, running, { pointer: node.pointer, outcome: 'done' });
    endRun(turn, running, { outcome: step.stop.outcome, reason: step.stop.reason ?? null });
    return 'over';
  }
  return act(turn, running, place);
}

function delay(turn: Turn, running: Running, { thread, node }: Place): StepEnd {
  const { step, pointer } = node;
  if (!('delay' in step)) return 'next';
  const lateMaxMs = (step.delay.late_max_s ?? LATE_MAX_S) * 1_000;
  const run = running.state.id;
  if ('until' in step.delay) {
    beginLine(turn, running, { pointer });
    thread.wait = { kind: 'clock', at: step.delay.until, sinceMs: turn.nowMs, lateMaxMs };
    armCivilWaits(turn, running, thread);
    return 'waits';
  }
  const values: OperandSeen[] = [];
  const seconds = node.operands[0]?.[1](scopeOf(turn, running, thread), values);
  if (typeof seconds !== 'number') {
    // Going on at once could turn a lamp off that is to burn for an hour.
    const reason = because('delay_unknown');
    addLine(turn, running, { pointer, outcome: 'failed', values, reason });
    endRun(turn, running, { outcome: 'failed', reason });
    return 'over';
  }
  beginLine(turn, running, { pointer, values });
  const untilMs = turn.nowMs + Math.round(Math.min(LONGEST_DELAY_S, Math.max(0, seconds)) * 1_000);
  thread.wait = { kind: 'delay', untilMs, lateMaxMs };
  arm(turn, threadTimer(run, thread.id), {
    due: { hubMs: untilMs },
    purpose: { kind: 'thread', run, thread: thread.id },
  });
  return 'waits';
}

/** Steps that do something outside of the run. */
function act(turn: Turn, running: Running, { thread, node }: Place): StepEnd {
  const { state, program } = running;
  const { step, pointer } = node;
  const values: OperandSeen[] = [];
  const scope = scopeOf(turn, running, thread);
  const found = node.operands.map(([name, evaluate]) => [name, evaluate(scope, values)] as const);
  const unknown = found.find(([, value]) => value === undefined)?.[0];
  const given = Object.fromEntries(found.map(([name, value]): [string, JsonValue] => [name, value ?? null]));
  const { automation, cause } = state;
  const from = { automation, version: program.version, run: state.id, pointer, cause };
  const line = { pointer, outcome: 'done', values } as const;

  if ('notify' in step) {
    // People get the message all the same, with a gap in its text.
    turn.effects.push({ kind: 'notify', ...from, step: step.notify, operands: given, trigger: state.trigger });
  } else if (unknown !== undefined) {
    addLine(turn, running, { ...line, outcome: 'failed', reason: because('value_unknown', { key: unknown }) });
    return 'next';
  } else if ('request' in step) {
    const ref = step.request.wait === true ? `${state.id}:${state.nextCommand}` : null;
    turn.effects.push({ kind: 'request', ...from, ref, step: step.request, json: given });
    if (ref !== null) {
      state.nextCommand += 1;
      const trace = beginLine(turn, running, { pointer, values });
      thread.wait = { kind: 'request', ref, trace };
      return 'waits';
    }
  } else if ('mode' in step) {
    const { mode, value, for_s: forS = null, until = null } = step.mode;
    turn.effects.push({ kind: 'set_mode', ...from, mode, value, forS, until });
  } else if ('variable' in step) {
    const value = given['value'] ?? null;
    turn.effects.push({ kind: 'set_variable', ...from, variable: step.variable.variable, value });
  } else if ('presence_note' in step) {
    const { person, state: told } = step.presence_note;
    turn.effects.push({ kind: 'note_presence', ...from, person, state: told });
  } else if ('automation' in step) {
    const { automation: target, do: what } = step.automation;
    if (what !== 'disable') return steer(turn, running, { pointer, wish: { automation: target, do: what } });
    turn.effects.push({ kind: what, ...from, target });
  }
  addLine(turn, running, line);
  return 'next';
}

/** Runs, stops or enables another automation, if the signer of this one, and who led to it, may do that now. */
function steer(
  turn: Turn,
  running: Running,
  { pointer, wish }: { readonly pointer: string; readonly wish: Steering },
): StepEnd {
  const { id: run, automation, cause } = running.state;
  const refused = turn.home.steerRefusal(automation, wish, cause);
  const refusal = refused && because(refused);
  addLine(turn, running, { pointer, outcome: refused === null ? 'done' : 'failed', reason: refusal });
  if (refused === 'CAUSE_NOT_ALLOWED') return 'next';
  if (refused !== null) {
    suspendAutomation(turn, automation, refused);
    return 'over';
  }
  const reason = because('by_automation', { automation });
  if (wish.do === 'run') turn.ahead.push({ start: wish.automation, cause });
  else if (wish.do === 'stop') stopAutomation(turn, wish.automation, { outcome: 'stopped', reason });
  else {
    const { version } = running.program;
    turn.effects.push({ kind: 'enable', automation, version, run, pointer, cause, target: wish.automation });
  }
  return 'next';
}
