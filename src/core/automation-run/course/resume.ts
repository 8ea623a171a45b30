import { isSameJson } from '#base/json.ts';
import { answerWait, giveCommand, noteReport } from './command-step.ts';
import type { CommandReport, RightsCode, Running } from '#core/automation-run/engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { type Node, type Program, nodeAt } from '#core/automation-run/program/program.ts';
import { cancelWait, endRun, suspendAutomation } from './run-end.ts';
import type { CommandWait, Frame, Thread } from '#core/automation-run/state/run-state.ts';
import { changeLine, findLine } from './trace-lines.ts';
import { arm, threadTimer, type Turn } from '#core/automation-run/turn.ts';
import { closeWatch, waitStepOf } from './wait.ts';
import { goOn } from './walk.ts';
import { because, type RunReason } from '#core/automation-run/trace/run-reason.ts';

/** A time that comes no later than this counts as in time. */
export const LATE_MS = 10_000;

/** The time is over for which a thread waited. `lateMs`: how long ago, where the clock on the wall decides. */
export function endWait(
  turn: Turn,
  running: Running,
  { thread, lateMs }: { thread: Thread; lateMs: number | null },
): void {
  const { wait } = thread;
  const node = nodeAt(running.program, thread.frames);
  if (wait === null || node === undefined) return;
  if (wait.kind === 'command') return settleCommand(turn, running, { thread, isLast: true });
  if (wait.kind === 'retry') {
    thread.wait = null;
    if (giveCommand(turn, running, { thread, node, attempt: wait.attempt }) === 'next') goOn(turn, running, thread);
    return;
  }
  if (wait.kind !== 'delay' && wait.kind !== 'clock' && wait.kind !== 'watch') return;
  const late = lateMs ?? ('untilMs' in wait ? turn.nowMs - wait.untilMs : 0);
  if (!mayGoOn(turn, running, { thread, lateMs: late, lateMaxMs: wait.lateMaxMs })) return;
  if (wait.kind === 'watch') {
    closeWatch(turn, running, { thread, hasTimedOut: true });
    if (waitStepOf(node)?.then === 'stop') endRun(turn, running, { outcome: 'stopped', reason: because('timed_out') });
  } else {
    const reason = late >= LATE_MS ? becauseLate(late) : null;
    cancelWait(turn, running, thread);
    changeLine(turn, running, { at: findLine(running, node.pointer), change: { outcome: 'done', reason } });
  }
  goOn(turn, running, thread);
}

/** Goes on after what a `wait_for` waits for happened. `lateMs`: how long ago, if the hub could not see it then. */
export function endWatch(turn: Turn, running: Running, { thread, lateMs }: { thread: Thread; lateMs: number }): void {
  if (thread.wait?.kind !== 'watch') return;
  if (!mayGoOn(turn, running, { thread, lateMs, lateMaxMs: thread.wait.lateMaxMs })) return;
  closeWatch(turn, running, { thread, hasTimedOut: false });
  goOn(turn, running, thread);
}

/** A wait that ended long ago, while the hub was off, goes on only if that still makes sense; else the run is over. */
function mayGoOn(
  turn: Turn,
  running: Running,
  { thread, lateMs, lateMaxMs }: { readonly thread: Thread; readonly lateMs: number; readonly lateMaxMs: number },
): boolean {
  if (lateMs < LATE_MS) return true;
  running.state.lateMs = Math.max(running.state.lateMs, lateMs);
  turn.touched.add(running.state.id);
  if (lateMs <= lateMaxMs || leadsToRest(running.program, thread.frames)) return true;
  endRun(turn, running, { outcome: 'abandoned', reason: becauseLate(lateMs) });
  return false;
}

function becauseLate(ms: number): RunReason {
  return because('late', { late_s: Math.round(ms / 1_000) });
}

/** Whether the next command only turns off, closes or locks. A lamp left on is what people complain about. */
function leadsToRest(program: Program, frames: readonly Frame[]): boolean {
  for (let depth = frames.length; depth > 0; depth -= 1) {
    const inner = frames.slice(0, depth);
    for (const node of nodesAfter(program, inner)) {
      if (node.bodies.length > 0 || node.word === 'scene' || node.word === 'restore') return false;
      if (node.word === 'command') return isRest(node);
    }
  }
  return false;
}

function nodesAfter(program: Program, frames: readonly Frame[]): readonly Node[] {
  const last = frames.at(-1);
  const outer = frames.slice(0, -1);
  const block = outer.length === 0 ? program.steps : nodeAt(program, outer)?.bodies[last?.body ?? 0];
  return block?.slice((last?.index ?? 0) + 1) ?? [];
}

const REST: Readonly<Record<string, boolean | number>> = { on: false, open: false, position: 0, locked: true };

function isRest({ step }: Node): boolean {
  const set = 'command' in step ? Object.entries(step.command.set ?? {}) : [];
  return set.length > 0 && set.every(([key, value]) => REST[key.slice(key.lastIndexOf('.') + 1)] === value);
}

function isRightsCode(code: string): code is RightsCode {
  return code === 'RIGHTS_MISSING' || code === 'SIGNER_GONE';
}

/** A command came further, or was refused. */
export function noteCommand(turn: Turn, ref: string, report: CommandReport): void {
  const { engine } = turn;
  const id = engine.followed.get(ref)?.run ?? ref.slice(0, ref.lastIndexOf(':'));
  turn.touched.add(id);
  noteReport(turn, ref, report);
  const running = engine.runs.get(id);
  const automation = running?.state.automation ?? engine.ended.get(id)?.automation;
  if ('refused' in report && isRightsCode(report.refused) && automation !== undefined) {
    return suspendAutomation(turn, automation, report.refused);
  }
  for (const thread of running?.state.threads.slice() ?? []) {
    if (running === undefined || thread.wait?.kind !== 'command' || thread.wait.ref !== ref) continue;
    if (answerWait(turn, running, { thread, report }) === 'next') goOn(turn, running, thread);
  }
}

export function noteRequest(turn: Turn, ref: string, error: RunReason | null): void {
  const running = turn.engine.runs.get(ref.slice(0, ref.lastIndexOf(':')));
  const thread = running?.state.threads.find(({ wait }) => wait?.kind === 'request' && wait.ref === ref);
  if (running === undefined || thread?.wait?.kind !== 'request') return;
  const outcome = error === null ? 'done' : 'failed';
  changeLine(turn, running, { at: thread.wait.trace, change: { outcome, reason: error } });
  thread.wait = null;
  goOn(turn, running, thread);
}

/** After a restart a command that was under way is given so long to show in the values of its features. */
const SETTLE_MS = 10_000;

/**
 * After a restart: a command is never sent again by itself. Whether it arrived, the values of its features say, now or
 * within ten seconds; after that nobody knows.
 */
export function settleCommand(
  turn: Turn,
  running: Running,
  { thread, isLast }: { thread: Thread; isLast: boolean },
): void {
  const { wait } = thread;
  const node = nodeAt(running.program, thread.frames);
  if (wait?.kind !== 'command' || node === undefined) return;
  const hasArrived = wait.wanted.length > 0 && wait.wanted.every((wanted) => isThere(turn, wanted));
  if (!hasArrived && !isLast) return;
  cancelWait(turn, running, thread);
  thread.wait = wait;
  const reason = because(hasArrived ? 'arrived' : 'unclear');
  const change = { outcome: hasArrived ? 'done' : 'failed', reason } as const;
  changeLine(turn, running, { at: findLine(running, node.pointer), change });
  const status = hasArrived ? 'confirmed' : 'unconfirmed';
  const report = { id: '', status, evidence: 'none', results: {}, reason } as const;
  if (answerWait(turn, running, { thread, report }) === 'next') goOn(turn, running, thread);
}

function isThere({ view }: Turn, [device, key, value]: CommandWait['wanted'][number]): boolean {
  const seen = view.value(device, key);
  return seen !== undefined && seen.quality !== 'none' && seen.quality !== 'assumed' && isSameJson(seen.value, value);
}

/** Watches the features of a command that was under way. */
export function awaitCommand(turn: Turn, running: Running, thread: Thread): void {
  const { wait } = thread;
  if (wait?.kind !== 'command') return;
  const run = running.state.id;
  const lateMs = turn.nowMs - wait.sinceMs;
  if (lateMs >= LATE_MS) running.state.lateMs = Math.max(running.state.lateMs, lateMs);
  turn.engine.index.put(
    ownerOf.thread(run, thread.id),
    wait.wanted.map(([device, key]) => ({ id: `${device} ${key}`, type: 'feature', device, key })),
  );
  const due = { hubMs: Math.max(turn.nowMs, wait.sinceMs + SETTLE_MS) };
  arm(turn, threadTimer(run, thread.id), { due, purpose: { kind: 'thread', run, thread: thread.id } });
}
