import type { Running } from '#core/automation-run/engine.ts';
import { takeRoom } from '#core/automation-run/state/run-work.ts';
import type { Turn } from '#core/automation-run/turn.ts';
import { type AutomationRun, MAX_STEP_TRACES, type StepTrace } from '#core/automation-run/trace/trace.ts';

type Traced = { trace: AutomationRun; readonly state: { readonly id: string } };

/** The place of a line that had no room. */
const NO_LINE = -1;

const NONE: readonly never[] = [];

/** Adds the line of a step that begins; returns its place. */
export function beginLine(turn: Turn, running: Running, line: Pick<StepTrace, 'pointer'> & Partial<StepTrace>): number {
  turn.touched.add(running.state.id);
  const { trace } = running;
  if (trace.steps.length >= MAX_STEP_TRACES) {
    running.trace = { ...trace, stepsLeftOut: trace.stepsLeftOut + 1 };
    return NO_LINE;
  }
  // Member by member: spreads of different forms cost more than all else here.
  const {
    pointer,
    ms = null,
    outcome = 'running',
    command = null,
    conditions = NONE,
    values = NONE,
    reason = null,
  } = line;
  const atMs = line.atMs ?? turn.nowMs;
  const whole: StepTrace = takeRoom(running.work, conditions, values)
    ? { pointer, atMs, ms, outcome, command, conditions, values, reason }
    : { pointer, atMs, ms, outcome, command, conditions: NONE, values: NONE, reason };
  running.trace = { ...trace, steps: [...trace.steps, whole] };
  return trace.steps.length;
}

/** Changes a line; one that is over gets its length. */
export function changeLine(
  turn: Turn,
  running: Traced,
  { at, change }: { at: number; change: Partial<Omit<StepTrace, 'pointer' | 'atMs'>> },
): void {
  const { steps } = running.trace;
  const line = steps[at];
  if (line === undefined) return;
  turn.touched.add(running.state.id);
  const isOver = change.outcome !== undefined && change.outcome !== 'running';
  const {
    ms = isOver ? turn.nowMs - line.atMs : line.ms,
    outcome = line.outcome,
    command = line.command,
    conditions = line.conditions,
    values = line.values,
    reason = line.reason,
  } = change;
  const { pointer, atMs } = line;
  const changed: StepTrace = { pointer, atMs, ms, outcome, command, conditions, values, reason };
  running.trace = { ...running.trace, steps: steps.with(at, changed) };
}

/** A step that is over at once. */
export function addLine(
  turn: Turn,
  running: Running,
  line: Pick<StepTrace, 'pointer' | 'outcome'> & Partial<StepTrace>,
): void {
  beginLine(turn, running, { ...line, ms: 0 });
}

/** The line of the step that waits at this pointer; the newest, as a loop has several. */
export function findLine({ trace }: Running, pointer: string): number {
  return trace.steps.findLastIndex((line) => line.pointer === pointer && line.outcome === 'running');
}
