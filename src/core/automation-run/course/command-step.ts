import type { JsonValue } from '#base/json.ts';
import type { CommandStatus } from '#core/command/command.ts';
import type { DeviceId } from '#core/device/device.ts';
import { type CommandReport, type Running } from '#core/automation-run/engine.ts';
import { MOST_COMMANDS, noteCommand } from '#core/automation-run/guard/flapping.ts';
import { type Order, keysOf, noteMoved, orderOf, sendingOf } from './order.ts';
import { type Node, nodeAt } from '#core/automation-run/program/program.ts';
import { cancelWait, endRun } from './run-end.ts';
import type { CommandWait, Thread } from '#core/automation-run/state/run-state.ts';
import { beginLine, changeLine } from './trace-lines.ts';
import type { CommandTrace, StepTrace } from '#core/automation-run/trace/trace.ts';
import type { TripCause } from '#core/automation-run/guard/breaker.ts';
import { tripAutomation } from './trip.ts';
import { activeOf, arm, isFollowed, threadTimer, type Turn } from '#core/automation-run/turn.ts';
import { because, type RunReason } from '#core/automation-run/trace/run-reason.ts';
import type { Wording } from '#words/texts.ts';

/** After a step the thread goes on, waits, or has ended with its run. */
export type StepEnd = 'next' | 'waits' | 'over';

const FINAL: ReadonlySet<CommandStatus> = new Set(['confirmed', 'unconfirmed', 'superseded', 'expired', 'failed']);
const BAD = ['unconfirmed', 'expired', 'failed'] as const;
type Bad = (typeof BAD)[number];
/** Commands whose end is still expected for a trace. */
const MAX_FOLLOWED = 1_000;

/** Gives the command of a command, scene or restore step. */
export function giveCommand(
  turn: Turn,
  running: Running,
  { thread, node, attempt }: { readonly thread: Thread; readonly node: Node; readonly attempt: number },
): StepEnd {
  const order = orderOf(turn, running, { thread, node });
  const { pointer } = node;
  if ('id' in order) {
    beginLine(turn, running, { pointer, outcome: 'failed', ms: 0, reason: order });
    return failed(turn, running, { node, reason: order });
  }
  const line = { pointer, values: order.values, ms: 0 };
  if (order.wishes.size === 0) {
    const { outcome, reason } = withoutWishes(order);
    beginLine(turn, running, { ...line, outcome, reason, command: commandLine(order, 'skipped') });
    return outcome === 'failed' ? failed(turn, running, { node, reason }) : 'next';
  }
  const fight = findFight(turn, running, order);
  if (fight !== undefined) {
    beginLine(turn, running, { ...line, outcome: 'failed', reason: because('flapping') });
    const active = activeOf(turn, running.state.automation);
    if (active !== undefined) tripAutomation(turn, active, { reason: 'flapping', ...fight });
    return 'over';
  }
  send(turn, running, { thread, node, attempt, order });
  return thread.wait === null ? 'next' : 'waits';
}

function withoutWishes({ leftOut }: Order): Pick<StepTrace, 'outcome'> & { readonly reason: Wording } {
  const left = [...leftOut.values()];
  const refused = left.find((why) => why !== 'unchanged' && why !== 'hand');
  if (refused !== undefined) return { outcome: 'failed', reason: because(refused) };
  return left.includes('hand')
    ? { outcome: 'skipped', reason: because('hand') }
    : { outcome: 'done', reason: because('unchanged') };
}

function commandLine({ wishes, leftOut }: Order, status: CommandTrace['status']): CommandTrace {
  const results = {
    ...Object.fromEntries([...wishes.keys()].map((id) => [id, 'running'])),
    ...Object.fromEntries(leftOut),
  };
  return { id: null, status, evidence: 'none', results };
}

type Fight = Pick<TripCause, 'detail' | 'device'>;

function findFight({ engine, nowMs }: Turn, { state, program }: Running, { wishes }: Order): Fight | undefined {
  const isPatient = program.definition.limits === 'high';
  let fight: Fight | undefined;
  let fought: string | undefined;
  for (const [device, wish] of wishes) {
    for (const key of keysOf(wish)) {
      const value: JsonValue = 'set' in wish ? (wish.set[key] ?? null) : wish.do;
      const given = { atMs: nowMs, run: state.id, value };
      const feature = `${device} ${key}`;
      if (!noteCommand(engine.flapping, feature, given) || isPatient) continue;
      fight = { device, detail: `${feature}: ${MOST_COMMANDS} commands in 10 s, back and forth` };
      fought = feature;
    }
  }
  // The other side of the fight has its lamp for itself now.
  if (fought !== undefined) engine.flapping.delete(fought);
  return fight;
}

function isBad(status: CommandStatus): status is Bad {
  return BAD.some((one) => one === status);
}

type Sending = { readonly thread: Thread; readonly node: Node; readonly attempt: number; readonly order: Order };

function send(turn: Turn, running: Running, { thread, node, attempt, order }: Sending): void {
  const { state, program } = running;
  const { engine } = turn;
  const { retry, wait = 'none', on_failure: onFailure, ...sending } = sendingOf(node);
  const ref = `${state.id}:${state.nextCommand}`;
  state.nextCommand += 1;
  const step = beginLine(turn, running, {
    pointer: node.pointer,
    values: order.values,
    command: commandLine(order, 'running'),
  });
  engine.followed.set(ref, { run: state.id, step });
  const [oldest] = engine.followed.size > MAX_FOLLOWED ? engine.followed : [];
  if (oldest !== undefined) {
    engine.followed.delete(oldest[0]);
    if (!isFollowed(engine, oldest[1].run)) engine.ended.delete(oldest[1].run);
  }
  noteMoved(turn, running, order.wishes);
  turn.effects.push({
    kind: 'command',
    ref,
    automation: state.automation,
    version: program.version,
    run: state.id,
    pointer: node.pointer,
    cause: state.cause,
    wishes: [...order.wishes],
    scene: order.scene,
    transitionMs: sending.transition_ms ?? null,
    expiresInS: sending.expires_in ?? null,
    isSensitive: order.isSensitive,
  });
  const awaited = { kind: 'command', ref, attempt, sinceMs: turn.nowMs, wanted: wantedBy(order) } as const;
  const isErrand = isErrandOf(thread);
  if (isErrand || wait === 'finished') thread.wait = { ...awaited, phase: 'finished' };
  else {
    if (wait === 'sent') thread.wait = { ...awaited, phase: 'sent' };
    if (retry !== undefined || onFailure === 'stop') follow(running, thread, { ...awaited, phase: 'finished' });
  }
}

function wantedBy({ wishes }: Order): CommandWait['wanted'] {
  return [...wishes].flatMap(([device, wish]) =>
    'set' in wish
      ? Object.entries(wish.set).map(([key, value]): readonly [DeviceId, string, JsonValue] => [device, key, value])
      : [],
  );
}

/** The end of a command that no step waits for, but that is to be tried again or ends the run. */
function follow({ state }: Running, thread: Thread, wait: CommandWait): void {
  const frames = thread.frames.map((frame) => ({ ...frame }));
  state.threads.push({ id: state.nextThread, parent: null, base: frames.length, frames, wait });
  state.nextThread += 1;
}

/** Whether the thread only follows a command. */
export function isErrandOf({ id, parent }: Thread): boolean {
  return id !== 0 && parent === null;
}

/** Writes what became of a command into the trace of its run, which may be over. */
export function noteReport(turn: Turn, ref: string, report: CommandReport): void {
  const { engine } = turn;
  const followed = engine.followed.get(ref);
  if (followed === undefined) return;
  const isOver = 'refused' in report || FINAL.has(report.status);
  if (isOver) engine.followed.delete(ref);
  const running = engine.runs.get(followed.run);
  const trace = running?.trace ?? engine.ended.get(followed.run);
  const line = trace?.steps[followed.step];
  if (trace === undefined || line === undefined) return;
  const carrier = running ?? { trace, state: { id: followed.run } };
  changeLine(turn, carrier, { at: followed.step, change: { ...outcomeOf(report), command: commandOf(line, report) } });
  if (running === undefined) engine.ended.set(followed.run, carrier.trace);
}

function outcomeOf(report: CommandReport): Partial<StepTrace> {
  if ('refused' in report) return { outcome: 'failed', reason: refusalOf(report) };
  if (!FINAL.has(report.status)) return {};
  return { outcome: isBad(report.status) ? 'failed' : 'done', reason: report.reason };
}

function refusalOf({ refused, message }: Extract<CommandReport, { readonly refused: string }>): RunReason {
  return { id: refused, with: {}, message };
}

function commandOf({ command }: StepTrace, report: CommandReport): CommandTrace {
  const results = command?.results ?? {};
  if ('refused' in report) return { id: null, status: 'refused', evidence: 'none', results };
  const { id, status, evidence } = report;
  return { id, status, evidence, results: { ...results, ...report.results } };
}

/** Lets the thread that waits for this command go on, wait or end, by the report. */
export function answerWait(
  turn: Turn,
  running: Running,
  { thread, report }: { thread: Thread; report: CommandReport },
): StepEnd {
  const { wait } = thread;
  const node = nodeAt(running.program, thread.frames);
  if (wait?.kind !== 'command' || node === undefined) return 'waits';
  const status = 'refused' in report ? 'failed' : report.status;
  if (status === 'queued' || (wait.phase === 'finished' && !FINAL.has(status))) return 'waits';
  cancelWait(turn, running, thread);
  turn.touched.add(running.state.id);
  if (!isBad(status)) return 'next';
  // Rights come back by a person only.
  const { retry } = sendingOf(node);
  if (retry === undefined || wait.attempt >= retry.times || (wait.phase === 'sent' && !isErrandOf(thread))) {
    const reason = 'refused' in report ? refusalOf(report) : (report.reason ?? because(status));
    return failed(turn, running, { node, reason });
  }
  const untilMs = turn.nowMs + retry.after_s * 1_000;
  thread.wait = { kind: 'retry', untilMs, attempt: wait.attempt + 1 };
  const purpose = { kind: 'thread', run: running.state.id, thread: thread.id } as const;
  arm(turn, threadTimer(running.state.id, thread.id), { due: { hubMs: untilMs }, purpose });
  return 'waits';
}

function failed(
  turn: Turn,
  running: Running,
  { node, reason }: { readonly node: Node; readonly reason: RunReason },
): StepEnd {
  if (sendingOf(node).on_failure !== 'stop') return 'next';
  endRun(turn, running, { outcome: 'failed', reason });
  return 'over';
}
