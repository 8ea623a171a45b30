import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { JsonValue } from '#base/json.ts';
import type { Evidence } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { RunReason } from '#core/automation-run/trace/run-reason.ts';

/** The answer to "why did it not run at that moment?". */
export const VERDICTS = [
  'ran',
  'trigger_never_happened',
  'conditions',
  'device_unknown',
  'busy',
  'loop',
  'yielded_to_hand',
  'disabled',
  'suspended',
  'broken',
  'tripped',
  'clock_unset',
  'hub_off',
  'missed',
  'no_data',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Programs read the code of a sentence, and pages put it into other languages. */
export const WHY_CODES = [
  'ran',
  'running',
  'ended_badly',
  'yielded_to_hand',
  'not_met',
  'condition_unknown',
  'busy',
  'queue_full',
  'too_many_runs',
  'loop',
  'tripped',
  'disabled',
  'suspended',
  'broken',
  'clock_unset',
  'missed',
  'hub_off',
  'device_offline',
  'not_crossed',
  'not_armed',
  'for_cancelled',
  'from_was',
  'value_is',
  'moved_by',
  'first_value',
  'value_unknown',
  'not_all',
  'never_was',
  'nothing_happened',
  'not_there_yet',
  'nothing_kept',
] as const;
type WhyCode = (typeof WHY_CODES)[number];

/** `device` and `key`: of the feature that it is about; the other members say what their names say. */
export type WhyFields = {
  readonly run?: string;
  readonly outcome?: RunOutcome;
  readonly trigger?: string;
  readonly device?: DeviceId;
  readonly key?: string;
  readonly value?: JsonValue;
  readonly limit?: JsonValue;
  readonly rearmsAt?: JsonValue;
  readonly by?: string;
  readonly reason?: RunReason;
  readonly afterMs?: number;
  readonly ofMs?: number;
  readonly lateMs?: number;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly count?: number;
  /** The conditions that did not hold, with what they saw. */
  readonly conditions?: readonly Evidence[];
};
export type WhyReason = { readonly code: WhyCode; readonly fields: WhyFields };
export type WhyLine = WhyReason & { readonly atMs: number };

export type Why = WhyReason & {
  readonly verdict: Verdict;
  /** `replay`: made anew from what was recorded, because what was kept is gone. */
  readonly source: 'kept' | 'replay' | 'none';
  /** Oldest first. */
  readonly timeline: readonly WhyLine[];
};

export type Window = { readonly fromMs: number; readonly toMs: number };
export type Span = Window;
