import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { WhyReason, Verdict, WhyFields } from './verdict.ts';

/** Tells from a start why the automation ran, or did not. */
export function toldOfRun(run: AutomationRun): WhyReason {
  const { trigger, outcome, merged, reason } = run;
  const id = idOf(reason);
  const { device, key } = trigger;
  const fields: WhyFields = {
    run: run.id,
    outcome,
    trigger: trigger.id,
    ...(device !== null && key !== null ? { device, key, value: trigger.value } : {}),
    ...(trigger.lateMs > 0 ? { lateMs: trigger.lateMs } : {}),
    ...(merged > 0 ? { count: merged + 1 } : {}),
  };
  if (outcome === 'not_met') {
    const failed = run.conditions.filter(({ result }) => result !== true);
    const code = id === 'unknown' ? 'condition_unknown' : 'not_met';
    return { code, fields: { ...fields, conditions: failed } };
  }
  if (outcome === 'skipped') {
    if (reason !== null && id === 'loop') return { code: id, fields: { ...fields, reason } };
    return { code: id === 'queue_full' || id === 'too_many_runs' || id === 'tripped' ? id : 'busy', fields };
  }
  if (isYielded(run)) return { code: 'yielded_to_hand', fields };
  if (outcome === 'running') return { code: 'running', fields };
  if (outcome === 'finished') return { code: 'ran', fields };
  return { code: 'ended_badly', fields: { ...fields, ...(reason === null ? {} : { reason }) } };
}

export function verdictOfRun(run: AutomationRun): Verdict {
  const { code } = toldOfRun(run);
  switch (code) {
    case 'not_met':
      return 'conditions';
    case 'condition_unknown':
      return verdictOfUnknown(run.conditions);
    case 'loop':
    case 'tripped':
    case 'yielded_to_hand':
      return code;
    case 'busy':
    case 'queue_full':
    case 'too_many_runs':
      return 'busy';
    default:
      return 'ran';
  }
}

function verdictOfUnknown(conditions: readonly Evidence[]): Verdict {
  const unknown = conditions
    .filter(({ result }) => result === 'unknown')
    .flatMap(({ operands }) => operands.filter((seen) => seen.unknown !== null));
  if (unknown.some((seen) => 'device' in seen)) return 'device_unknown';
  const isClock = (seen: OperandSeen): boolean => seen.unknown === 'clock_unset';
  return unknown.some(isClock) ? 'clock_unset' : 'conditions';
}

/** Whether it sent nothing, because a hand had moved all that it would have. */
function isYielded({ outcome, steps }: AutomationRun): boolean {
  const commands = steps.filter(({ command }) => command !== null);
  return outcome === 'finished' && commands.length > 0 && commands.every(({ reason }) => idOf(reason) === 'hand');
}

/** Tells from a near miss why the automation did not run. */
export function toldOfMiss({ trigger, device, key, reason, count }: KeptNearMiss): WhyReason {
  const fields: WhyFields = {
    trigger,
    ...(device === null ? {} : { device }),
    ...(key === null ? {} : { key }),
    ...(count > 1 ? { count } : {}),
  };
  switch (reason.why) {
    case 'not_crossed':
      return { code: 'not_crossed', fields: { ...fields, value: reason.value, limit: reason.limit } };
    case 'not_armed':
      return { code: 'not_armed', fields: { ...fields, value: reason.value, rearmsAt: reason.rearmsAt } };
    case 'for_cancelled': {
      const { afterMs, ofMs, by } = reason;
      return { code: 'for_cancelled', fields: { ...fields, afterMs, ofMs, by } };
    }
    case 'from_was':
    case 'value_is':
      return { code: reason.why, fields: { ...fields, value: reason.value } };
    case 'moved_by':
      return { code: 'moved_by', fields: { ...fields, by: reason.by } };
    case 'unknown':
      return { code: 'value_unknown', fields };
    case 'missed':
      return { code: 'missed', fields: { ...fields, lateMs: reason.lateMs } };
    default:
      return { code: reason.why, fields };
  }
}

export function verdictOfMiss({ reason }: KeptNearMiss): Verdict {
  switch (reason.why) {
    case 'disabled':
    case 'suspended':
    case 'broken':
    case 'tripped':
    case 'clock_unset':
    case 'missed':
      return reason.why;
    case 'unknown':
      return 'device_unknown';
    case 'for_cancelled':
      return reason.by === 'unknown' ? 'device_unknown' : 'trigger_never_happened';
    default:
      return 'trigger_never_happened';
  }
}
