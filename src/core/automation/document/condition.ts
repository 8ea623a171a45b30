import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, DeviceId } from '#core/device/device.ts';
import type { SceneId } from '#core/scene/scene.ts';

// The document of an automation is kept in the form in which people write it, so the members of these types have the
// names of the API, and a JSON pointer into it means the same everywhere.

declare const automationId: unique symbol;
export type AutomationId = string & { readonly [automationId]: never };

export type FeatureRef = { readonly device: DeviceId; readonly key: string };

export const HISTORY_FUNCTIONS = ['mean', 'min', 'max', 'increase', 'seconds_true'] as const;
type HistoryFunction = (typeof HISTORY_FUNCTIONS)[number];
/** `ago_s`: how long ago the time ended that it asks for; usually it ends now. */
export type HistoryQuestion = FeatureRef & {
  readonly over_s: number;
  readonly ago_s?: number;
  readonly fn: HistoryFunction;
};

/** `late_s`: how late a missed time is. A word with `/` in front leads into the body that a hook was called with. */
const TRIGGER_FACTS = ['value', 'from', 'device', 'key', 'at', 'action', 'late_s'] as const;
type TriggerFact = (typeof TRIGGER_FACTS)[number] | `/${string}`;

type Pair = readonly [Operand, Operand];
/** Each has one member; any other object is a value, and `{"value": …}` is for one that looks like an operation. */
export type Operation =
  | { readonly value: JsonValue }
  | { readonly feature: FeatureRef }
  | { readonly trigger: TriggerFact }
  /** The document's variable of this name, else that of the home. */
  | { readonly variable: string }
  | { readonly sun: 'elevation' }
  | { readonly history: HistoryQuestion }
  | { readonly add: readonly Operand[] }
  | { readonly sub: readonly Operand[] }
  | { readonly mul: readonly Operand[] }
  | { readonly div: readonly Operand[] }
  | { readonly min: readonly Operand[] }
  | { readonly max: readonly Operand[] }
  /** To so many digits after the point. */
  | { readonly round: readonly [Operand, number] }
  /** The value, its least and its greatest. */
  | { readonly clamp: readonly [Operand, Operand, Operand] }
  /** The value, and two ranges: where it lies in the first, the result lies in the second. */
  | { readonly map: readonly [Operand, Operand, Operand, Operand, Operand] }
  | { readonly if: readonly [Condition, Operand, Operand] }
  /** The first that is known. */
  | { readonly coalesce: readonly Operand[] };

/** A value, or how to get it. Without a known value all that is made of it is unknown. */
export type Operand = JsonValue | Operation;

/** One of these. `is` and `is_not` take a value or a list of values. */
export type Comparison = {
  readonly is?: Operand;
  readonly is_not?: Operand;
  readonly above?: Operand;
  readonly below?: Operand;
  readonly between?: Pair;
};

export const COMPARE_OPERATIONS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;
export type CompareOperation = (typeof COMPARE_OPERATIONS)[number];

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'workday'] as const;
/** `workday`: Monday to Friday without the dates of the calendar. */
export type Day = (typeof DAYS)[number];

export const SUN_EVENTS = ['sunrise', 'sunset', 'dawn', 'dusk', 'noon'] as const;
export type SunEvent = (typeof SUN_EVENTS)[number];

/** `hand`: without a command, of what people move; `hub`: by a command; `other`: without a command, of a sensor. */
export const MOVERS = ['any', 'hand', 'hub', 'other'] as const;
export type Mover = (typeof MOVERS)[number];

/** The id of a person; `anyone`: at least one of all; `everyone`: all of them. */
export type PersonMatch = string;

/** The height of the sun, or between two of its moments; the time may go over midnight. */
type SunCondition = {
  readonly above?: Operand;
  readonly below?: Operand;
  readonly after?: SunEvent;
  /** Moves `after`. */
  readonly offset_s?: number;
  readonly before?: SunEvent;
  readonly before_offset_s?: number;
};

type ConditionBody =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  | {
      readonly feature: FeatureRef &
        Comparison & {
          readonly for_s?: number;
          /** `false`: a value from before the restart is unknown. */
          readonly accept_restored?: boolean;
        };
    }
  /** Clock times. It may go over midnight; the day is that on which it began. */
  | { readonly time: { readonly after?: string; readonly before?: string; readonly days?: readonly Day[] } }
  | { readonly sun: SunCondition }
  /** By the key of the mode: a value, or several. Each must be met. */
  | { readonly mode: Readonly<Record<string, string | readonly string[]>> }
  | { readonly presence: { readonly person: PersonMatch; readonly is: 'home' | 'away' } }
  | { readonly variable: { readonly variable: string } & Comparison }
  | { readonly availability: { readonly device: DeviceId; readonly is: AvailabilityState } }
  | { readonly trigger: { readonly id: string | readonly string[] } }
  /** How a `wait_for` of this run ended. */
  | { readonly step: { readonly id: string; readonly timed_out: boolean } }
  | { readonly scene: { readonly scene: SceneId; readonly is: 'active' | 'partly' | 'inactive' } }
  | { readonly run: { readonly automation: AutomationId; readonly is: 'running' } }
  | { readonly compare: { readonly left: Operand; readonly op: CompareOperation; readonly right: Operand } }
  | { readonly changed: FeatureRef & { readonly within_s: number; readonly by?: Mover } };

/** `if_unknown`: what holds where nobody knows. Otherwise unknown stays unknown up to the top, and is not met there. */
export type Condition = ConditionBody & { readonly if_unknown?: boolean };

type MemberOf<Union> = Union extends unknown ? keyof Union : never;
export type ConditionWord = MemberOf<ConditionBody>;
export type OperationWord = MemberOf<Operation>;
