import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { RightsCode, Running } from '#core/automation-run/engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { acceptedCause } from '#core/cause/cause.ts';
import type { Thread } from '#core/automation-run/state/run-state.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { activeOf, disarm, threadTimer, type Turn } from '#core/automation-run/turn.ts';
import { because, type RunReason } from '#core/automation-run/trace/run-reason.ts';

export type Ending = { readonly outcome: RunOutcome; readonly reason: RunReason | null };

/** Ends a run. Does nothing if it is over already. The next one in the queue is for the caller to begin. */
export function endRun(turn: Turn, running: Running, { outcome, reason }: Ending): void {
  const { engine, nowMs } = turn;
  const { id, automation, threads, cause } = running.state;
  if (!engine.runs.delete(id)) return;
  turn.over.set(id, running.state);
  for (const thread of threads) cancelWait(turn, running, thread);
  activeOf(turn, automation)?.runs.delete(id);
  engine.ended.set(id, { ...closeLines(running.trace, nowMs), outcome, reason, finishedAtMs: nowMs });
  turn.touched.add(id);
  if (outcome === 'finished' || outcome === 'failed') {
    turn.ahead.push({ happening: { kind: 'automation', automation, outcome }, cause: acceptedCause(null, cause) });
  }
}

/** A command that is under way gets its end later. */
function closeLines(trace: AutomationRun, nowMs: number): AutomationRun {
  const isOpen = ({ outcome, command }: AutomationRun['steps'][number]): boolean =>
    outcome === 'running' && command === null;
  if (!trace.steps.some(isOpen)) return trace;
  const steps = trace.steps.map((line) =>
    isOpen(line) ? { ...line, outcome: 'stopped' as const, ms: nowMs - line.atMs } : line,
  );
  return { ...trace, steps };
}

/** Forgets what the thread waits for. */
export function cancelWait(turn: Turn, { state }: Running, thread: Thread): void {
  const { engine } = turn;
  const { wait } = thread;
  if (wait === null) return;
  const timer = threadTimer(state.id, thread.id);
  disarm(turn, timer);
  if (wait.kind === 'watch' || wait.kind === 'command') engine.index.remove(ownerOf.thread(state.id, thread.id));
  if (wait.kind === 'watch') {
    for (const [at, memory] of wait.memories.entries()) {
      disarm(turn, `${timer}/${at}`);
      for (const slot of Object.keys(memory)) disarm(turn, lookTimer(timer, at, slot));
    }
    disarm(turn, `${timer}/poll`);
  }
  thread.wait = null;
}

export function lookTimer(of: string, trigger: number, slot: string): string {
  return `${of}/${trigger}/${slot}`;
}

/** Its signer may not do what one of its steps says: nothing of the automation may go on. */
export function suspendAutomation(turn: Turn, id: AutomationId, code: RightsCode): void {
  const active = activeOf(turn, id);
  if (active?.automation.state === 'ready') active.automation = { ...active.automation, state: 'suspended' };
  turn.effects.push({ kind: 'suspend', automation: id, code });
  stopAutomation(turn, id, { outcome: 'failed', reason: because(code) });
}

/** Ends all runs of an automation, those in the queue too. */
export function stopAutomation(turn: Turn, id: AutomationId, ending: Ending): void {
  for (const run of [...(activeOf(turn, id)?.runs ?? [])].toReversed()) {
    const running = turn.engine.runs.get(run);
    if (running !== undefined) endRun(turn, running, ending);
  }
}
