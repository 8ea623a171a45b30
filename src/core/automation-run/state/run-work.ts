import type { Evidence, OperandSeen } from '#core/automation/view.ts';

/** Only this process knows this of a run: its start, or that of the hub, begins it anew. */
export type RunWork = {
  /** Hub time from which `steps` are counted. */
  sinceMs: number;
  steps: number;
  /** Bytes, about, that its trace may still take for what it saw. */
  room: number;
  /** Threads that are going through their steps further up the stack. */
  readonly advancing: Set<number>;
};

const MOST_STEPS = 5_000;
const WINDOW_MS = 10_000;
const ROOM_BYTES = 256 * 1024;
/** The names, quality and time of a value take about so many. */
const SEEN_BYTES = 100;

export function createRunWork(): RunWork {
  return { sinceMs: -Infinity, steps: 0, room: ROOM_BYTES, advancing: new Set() };
}

/** Whether it may do another step. Waits of no length, and calls that are refused at once, are no rest. */
export function takeStep(work: RunWork, nowMs: number): boolean {
  // The clock may have been set back.
  if (Math.abs(nowMs - work.sinceMs) >= WINDOW_MS) {
    work.sinceMs = nowMs;
    work.steps = 0;
  }
  work.steps += 1;
  return work.steps <= MOST_STEPS;
}

/** Whether the trace has room for what a line saw. */
export function takeRoom(work: RunWork, conditions: readonly Evidence[], values: readonly OperandSeen[]): boolean {
  let bytes = 0;
  for (const one of values) bytes += sizeOf(one);
  for (const { operands } of conditions) {
    bytes += SEEN_BYTES;
    for (const one of operands) bytes += sizeOf(one);
  }
  if (bytes > work.room) return false;
  work.room -= bytes;
  return true;
}

function sizeOf({ value }: OperandSeen): number {
  return SEEN_BYTES + (typeof value === 'string' ? value.length : 0);
}
