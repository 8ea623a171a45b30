import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceId, DeviceType } from '#core/device/device.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { RoomId } from '#core/room/room.ts';
import type { AutomationId, Day, Mover, Operand, PersonMatch, SunEvent } from './condition.ts';

type Starts<Type extends string> = { readonly id: string; readonly type: Type };

/** All devices that fit; which these are is found anew at each change of the home. */
export type Selection = {
  readonly room?: RoomId;
  /** They have a feature with this capability. */
  readonly capability?: Capability;
  readonly type?: DeviceType;
  readonly except?: readonly DeviceId[];
};

/** Exactly one of these. A group is watched as the one device that it is. */
export type DeviceSource =
  | { readonly device: DeviceId }
  | { readonly group: DeviceId }
  | { readonly any_of: Selection };
/** `key` is needed but for `any_of`, where it stands for the features with the capability. */
type FeatureSource = DeviceSource & { readonly key?: string };

/** For how long it must have been so. Unknown for up to `grace_s` ends nothing. */
type Held = { readonly for_s?: number; readonly grace_s?: number };
export const GRACE_S = 300;

/** A value, a list of which one fits, or `"*"` for any. */
export type ValueMatch = JsonValue;
type FromTo = { readonly to?: ValueMatch; readonly from?: ValueMatch };

export type FeatureTrigger = Starts<'feature'> &
  FeatureSource &
  FromTo &
  Held & {
    readonly by?: Mover;
    /** With `any_of` and `to`: all of them must have the value, and not each for itself. */
    readonly all?: boolean;
    /** What was only sent counts too. */
    readonly assumed?: boolean;
  };

/** Fires when the value comes above or below; where both are there, between them. Or at a `change` within a time. */
export type ThresholdTrigger = Starts<'threshold'> &
  FeatureSource &
  Held & {
    readonly above?: Operand;
    readonly below?: Operand;
    readonly hysteresis?: number;
    readonly again_after_s?: number;
    /** It rises by at least this, or falls by it where it is negative. */
    readonly change?: { readonly by: number; readonly within_s: number };
  };

export type OccurrenceTrigger = Starts<'occurrence'> &
  FeatureSource & { readonly action?: string | readonly string[]; readonly count?: number; readonly raw?: string };

/**
 * `Missed` decides about times that passed while the hub could not act. Usual: one run, for the last, at most 300 s
 * late.
 */
type Missed = 'skip' | 'always' | { readonly run_late_s: number };
export const RUN_LATE_S = 300;

type Civil = {
  readonly missed?: Missed;
  /** While the clock is not set: wait until it is, or take the hub's best guess. */
  readonly when_clock_unset?: 'wait' | 'go_by_last';
  readonly days?: readonly Day[];
};

/** Exactly one of `at` (clock times, or a variable that holds one), `cron` and `every_s`. */
export type TimeTrigger = Starts<'time'> &
  Civil & {
    readonly at?: string | readonly string[] | { readonly variable: string };
    /** `MM-DD`, `YYYY-MM-DD`, or from one to another: `12-20..01-06`. */
    readonly dates?: readonly string[];
    readonly except_dates?: readonly string[];
    readonly cron?: string;
    readonly every_s?: number;
    /** The moment from which `every_s` counts; usually the beginning of 1970. */
    readonly anchor?: string;
  };

export type SunTrigger = Starts<'sun'> &
  Civil & {
    readonly event: SunEvent | 'elevation';
    /** Only `elevation` has these: the height, and whether the sun rises to it or sinks. */
    readonly elevation_deg?: number;
    readonly rising?: boolean;
    readonly offset_s?: number;
    readonly not_before?: string;
    readonly not_after?: string;
    /** On days without the event: nothing (`skip`), or this clock time. */
    readonly if_none?: string;
  };

/** `accepts`: the JSON Schema of the body. */
export type HookTrigger = Starts<'hook'> & { readonly accepts?: JsonObject };
export type ModeTrigger = Starts<'mode'> & FromTo & Held & { readonly mode: string };
export type VariableTrigger = Starts<'variable'> & FromTo & Held & { readonly variable: string };
export type PresenceTrigger = Starts<'presence'> &
  Held & { readonly person: PersonMatch; readonly to: 'home' | 'away' };
export type AvailabilityTrigger = Starts<'availability'> &
  Held &
  (DeviceSource | { readonly integration: string }) & { readonly to: 'offline' | 'online' };

export const HUB_MOMENTS = ['started', 'clock_set', 'integration_up', 'update'] as const;
/** `integration`: which one came up; any without it. */
export type HubTrigger = Starts<'hub'> & {
  readonly on: (typeof HUB_MOMENTS)[number];
  readonly integration?: string;
};
type AutomationTrigger = Starts<'automation'> & {
  readonly automation: AutomationId;
  readonly outcome: 'failed' | 'finished' | 'tripped';
};

/** Any one of an automation starts it. */
export type Trigger =
  | FeatureTrigger
  | ThresholdTrigger
  | OccurrenceTrigger
  | TimeTrigger
  | SunTrigger
  | HookTrigger
  | ModeTrigger
  | VariableTrigger
  | PresenceTrigger
  | AvailabilityTrigger
  | HubTrigger
  | AutomationTrigger;
