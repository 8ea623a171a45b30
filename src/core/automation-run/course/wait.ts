import type { Evidence } from '#core/automation/view.ts';
import type { Happening, TriggerMemory } from '#core/automation/trigger/happening.ts';
import { type WaitStep, LATE_MAX_S } from '#core/automation/document/step.ts';
import type { Running } from '#core/automation-run/engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { type Node, nodeAt } from '#core/automation-run/program/program.ts';
import { type Cause, ledBy } from '#core/cause/cause.ts';
import { cancelWait } from './run-end.ts';
import { beginLine, changeLine, findLine } from './trace-lines.ts';
import { arm, scopeOf, threadTimer, type Turn } from '#core/automation-run/turn.ts';
import { armLooks, look } from './watch.ts';
import type { Thread, Wait } from '#core/automation-run/state/run-state.ts';

/** How often a condition is looked at that time alone may change. */
const POLL_MS = 1_000;

type Watch = Extract<Wait, { kind: 'watch' }>;
type WaitEnd = 'waits' | 'happened';

export function waitStepOf(node: Node): WaitStep | undefined {
  return 'wait_for' in node.step ? node.step.wait_for : undefined;
}

/** Begins a `wait_for`; what holds already needs no waiting. */
export function beginWatch(turn: Turn, running: Running, thread: Thread): WaitEnd {
  const node = nodeAt(running.program, thread.frames);
  const step = node && waitStepOf(node);
  if (node === undefined || step === undefined) return 'happened';
  beginLine(turn, running, { pointer: node.pointer });
  if ('condition' in step && isMet(turn, running, thread)) return 'happened';
  thread.wait = {
    kind: 'watch',
    sinceMs: turn.nowMs,
    untilMs: turn.nowMs + step.timeout_s * 1_000,
    lateMaxMs: (step.late_max_s ?? LATE_MAX_S) * 1_000,
    memories: node.triggers.map(() => ({})),
  };
  armWatch(turn, running, thread);
  if ('condition' in step) return 'waits';
  const happening = { kind: 'begin', isWait: true } as const;
  const ends = node.triggers.map((_, at) => offerToThread(turn, running, { thread, at, happening }));
  return ends.includes('happened') ? 'happened' : 'waits';
}

/** Gives each trigger of the node its memory, where an older program wrote one for all triggers that are equal. */
export function memoriesFor(node: Node, memories: TriggerMemory[]): TriggerMemory[] {
  const step = waitStepOf(node);
  if (step === undefined || !('triggers' in step) || memories.length === node.triggers.length) return memories;
  return node.triggers.map(({ trigger }) => memories[step.triggers.indexOf(trigger)] ?? {});
}

/** The timers and the place in the index of a `wait_for`, when it begins and after a restart. */
export function armWatch(turn: Turn, running: Running, thread: Thread): void {
  const node = nodeAt(running.program, thread.frames);
  const { wait } = thread;
  if (node === undefined || wait?.kind !== 'watch') return;
  const run = running.state.id;
  const owner = ownerOf.thread(run, thread.id);
  const timer = threadTimer(run, thread.id);
  arm(turn, timer, { due: { hubMs: wait.untilMs }, purpose: { kind: 'thread', run, thread: thread.id } });
  turn.engine.index.put(
    owner,
    node.triggers.map(({ trigger }) => trigger),
  );
  for (const [at, memory] of wait.memories.entries()) armLooks(turn, { owner, timer, at, old: {}, memory });
  armPoll(turn, running, thread);
  armCivilWaits(turn, running, thread);
}

/** Times of the clock for which a thread waits; to call again when the clock is set. */
export function armCivilWaits(turn: Turn, running: Running, thread: Thread): void {
  const { wallMs } = turn.view.now;
  const { wait } = thread;
  if (wallMs === undefined || wait === null) return;
  const run = running.state.id;
  const timer = threadTimer(run, thread.id);
  const owner = ownerOf.thread(run, thread.id);
  if (wait.kind !== 'clock' && wait.kind !== 'watch') return;
  // A clock that is put forward by seconds must not pass the time without a sound, nor one put back move it away.
  const fromWallMs = Math.min(wait.fromWallMs ?? Infinity, wallMs - (turn.nowMs - wait.sinceMs));
  if (fromWallMs !== wait.fromWallMs) {
    thread.wait = { ...wait, fromWallMs };
    turn.touched.add(run);
  }
  if (wait.kind === 'clock') {
    const civil = { type: 'clock', at: wait.at } as const;
    const due = { civil, afterWallMs: fromWallMs };
    arm(turn, timer, { due, purpose: { kind: 'thread', run, thread: thread.id } });
    return;
  }
  for (const [at, { trigger }] of (nodeAt(running.program, thread.frames)?.triggers ?? []).entries()) {
    if (trigger.type !== 'time' && trigger.type !== 'sun') continue;
    const due = { civil: trigger, afterWallMs: fromWallMs };
    arm(turn, `${timer}/${at}`, { due, purpose: { kind: 'civil', owner, at } });
  }
}

export function armPoll(turn: Turn, running: Running, thread: Thread): void {
  if (nodeAt(running.program, thread.frames)?.isTimed !== true) return;
  const run = running.state.id;
  const purpose = { kind: 'poll', run, thread: thread.id } as const;
  arm(turn, `${threadTimer(run, thread.id)}/poll`, { due: { hubMs: turn.nowMs + POLL_MS }, purpose });
}

/** Something that a waiting thread watches happened. */
export function offerToThread(
  turn: Turn,
  running: Running,
  offer: { readonly thread: Thread; readonly at: number; readonly happening: Happening; readonly cause?: Cause | null },
): WaitEnd {
  const { thread, at, happening, cause = null } = offer;
  const node = nodeAt(running.program, thread.frames);
  const step = node && waitStepOf(node);
  const compiled = node?.triggers[at];
  if (step === undefined || compiled === undefined || thread.wait?.kind !== 'watch') return 'waits';
  if ('condition' in step) {
    const callers = causeOf(turn, happening, cause)?.callers ?? [];
    const { [at]: before, ...others } = thread.wait.callers ?? {};
    if (callers.length > 0 || before !== undefined) {
      thread.wait = { ...thread.wait, callers: callers.length > 0 ? { ...others, [at]: callers } : others };
      turn.touched.add(running.state.id);
    }
    if (!holds(turn, running, thread)) return 'waits';
    noteCallers(running, callers);
    return 'happened';
  }
  const run = running.state.id;
  const place = {
    owner: ownerOf.thread(run, thread.id),
    timer: threadTimer(run, thread.id),
    at,
    memory: thread.wait.memories[at] ?? {},
  };
  const { memory, fired } = look(turn, compiled, { ...place, happening });
  if (memory !== place.memory) {
    const wait: Watch = { ...thread.wait, memories: thread.wait.memories.with(at, memory) };
    thread.wait = wait;
    turn.touched.add(run);
  }
  if (fired === null) return 'waits';
  noteCallers(running, (fired.cause ?? cause)?.callers);
  return 'happened';
}

function causeOf({ view }: Turn, happening: Happening, cause: Cause | null): Cause | null {
  if (happening.kind !== 'value') return cause;
  return (happening.news ?? view.value(happening.device, happening.key))?.cause ?? null;
}

/** Who ends a wait leads to all that the run does from then on. */
function noteCallers({ state }: Running, callers: Cause['callers']): void {
  state.cause = ledBy(state.cause, callers);
}

/** Ends a `wait_for`, as it happened or because its time is over. The thread stands at the step still. */
export function closeWatch(
  turn: Turn,
  running: Running,
  { thread, hasTimedOut }: { readonly thread: Thread; readonly hasTimedOut: boolean },
): void {
  const node = nodeAt(running.program, thread.frames);
  cancelWait(turn, running, thread);
  if (node === undefined) return;
  running.state.timedOut[node.step.id] = hasTimedOut;
  const outcome = hasTimedOut ? 'timed_out' : 'done';
  changeLine(turn, running, { at: findLine(running, node.pointer), change: { outcome } });
}

/** Whether the condition of a `wait_for` holds by now, with nothing that happened: all who led there are noted. */
export function isMet(turn: Turn, running: Running, thread: Thread): boolean {
  if (!holds(turn, running, thread)) return false;
  if (thread.wait?.kind === 'watch') noteCallers(running, Object.values(thread.wait.callers ?? {}).flat());
  return true;
}

function holds(turn: Turn, running: Running, thread: Thread): boolean {
  const evidence: Evidence[] = [];
  const judge = nodeAt(running.program, thread.frames)?.judges[0];
  return judge?.(scopeOf(turn, running, thread), evidence) === true;
}
