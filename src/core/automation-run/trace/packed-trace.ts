import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isJsonObject, parseJson } from '#base/json.ts';
import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import type { AutomationRun, StepTrace } from './trace.ts';

/** A trace with two hundred steps of large values would cost what a whole automation may keep. */
export const MAX_PACKED_BYTES = 16_384;
/** A packed trace may unpack to no more: deflate could make a megabyte of a kilobyte. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** The trace in few bytes. Of one that is too large the steps in its middle go, then the values that it saw. */
export function packTrace(run: AutomationRun): Uint8Array {
  let smaller = run;
  for (let kept = run.steps.length; ; kept = Math.floor(kept / 2)) {
    const packed = deflated(smaller);
    if (packed.length <= MAX_PACKED_BYTES) return packed;
    if (kept === 0) return deflated(withoutValues(run));
    smaller = withoutMiddle(run, Math.floor(kept / 2));
  }
}

/** A copy: what zlib returns is the beginning of 16 KiB, all of which would stay in memory. */
function deflated(run: AutomationRun): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(run)));
}

function withoutMiddle(run: AutomationRun, kept: number): AutomationRun {
  const { steps } = run;
  const first = Math.ceil(kept / 2);
  const left = [...steps.slice(0, first), ...steps.slice(steps.length - (kept - first))];
  return { ...run, steps: left, stepsLeftOut: run.stepsLeftOut + steps.length - left.length };
}

function withoutValues(run: AutomationRun): AutomationRun {
  const trigger = { ...run.trigger, from: null, value: null, body: null };
  return { ...withoutMiddle(run, 0), trigger, conditions: [], variables: {} };
}

/** `undefined` for bytes that are no trace. */
export function unpackTrace(packed: Uint8Array): AutomationRun | undefined {
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MAX_TEXT_BYTES }).toString();
    const run = parseJson(text);
    const isTrace = run !== undefined && isJsonObject(run) && typeof run['id'] === 'string';
    // Only `packTrace` writes this form, and the journal is checked at each start.
    return isTrace ? (run as unknown as AutomationRun) : undefined;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}

/** Moves every time in it, after the hub's clock was corrected. */
export function shiftTrace(run: AutomationRun, byMs: number): AutomationRun {
  if (byMs === 0) return run;
  const shift = (atMs: number | null): number | null => (atMs === null ? null : atMs + byMs);
  const ofOperand = (seen: OperandSeen): OperandSeen =>
    'device' in seen ? { ...seen, changedAtMs: shift(seen.changedAtMs) } : seen;
  const ofEvidence = (one: Evidence): Evidence => ({ ...one, operands: one.operands.map(ofOperand) });
  const ofStep = (step: StepTrace): StepTrace => ({
    ...step,
    atMs: step.atMs + byMs,
    conditions: step.conditions.map(ofEvidence),
    values: step.values.map(ofOperand),
  });
  return {
    ...run,
    trigger: { ...run.trigger, atMs: run.trigger.atMs + byMs },
    conditions: run.conditions.map(ofEvidence),
    steps: run.steps.map(ofStep),
    startedAtMs: run.startedAtMs + byMs,
    finishedAtMs: shift(run.finishedAtMs),
  };
}
