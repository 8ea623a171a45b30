import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Availability, DeviceId } from '#core/device/device.ts';
import type { Quality } from '#core/feature/feature.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { ActivityState, SceneId } from '#core/scene/scene.ts';
import type { AutomationId, Day, HistoryQuestion, SunEvent } from '#core/automation/document/condition.ts';

/**
 * The home as an automation may see it: live, in a dry run and in a replay of the past. All milliseconds are of the
 * hub's clock in its present epoch, which never goes back, unless the name says `wall`.
 */
export type View = {
  readonly now: Moment;
  /** `undefined`: the home has no such device or feature. */
  readonly value: (device: DeviceId, key: string) => SeenValue | undefined;
  readonly availability: (device: DeviceId) => SeenAvailability | undefined;
  readonly mode: (key: string) => string | undefined;
  readonly variable: (key: string) => JsonValue | undefined;
  readonly presence: (person: string) => PresenceState | undefined;
  /** The states of all people who live here. */
  readonly everyone: () => readonly PresenceState[];
  readonly scene: (id: SceneId) => ActivityState | undefined;
  /** `undefined`: without a location, or while the clock is not set. */
  readonly sun: () => SeenSun | undefined;
  readonly isRunning: (id: AutomationId) => boolean;
  /** `undefined`: not enough is known of that time. */
  readonly history: (question: HistoryQuestion) => number | undefined;
};

export type Moment = {
  readonly hubMs: number;
  /** `undefined` while the clock is not set. */
  readonly wallMs: number | undefined;
  readonly civil: CivilMoment | undefined;
};

/** The present in the time zone of the hub. */
export type CivilMoment = {
  readonly today: CivilDay;
  readonly yesterday: CivilDay;
  /** As the clock shows it: hours × 3,600 + minutes × 60 + seconds. */
  readonly secondOfDay: number;
};
export type CivilDay = { readonly weekday: Exclude<Day, 'workday'>; readonly isWorkday: boolean };

export type SeenValue = {
  readonly value: JsonValue;
  readonly quality: Quality;
  /** `null` where nobody knows. */
  readonly changedAtMs: number | null;
  /** The cause of the last change; `null`: no command. */
  readonly cause: Cause | null;
};

type SeenAvailability = Pick<Availability, 'state' | 'reason'> & { readonly sinceMs: number };

/** `secondOf`: when today's event is, in seconds of the day; `undefined` on a day without it. */
export type SeenSun = {
  readonly elevationDeg: number;
  readonly secondOf: (event: SunEvent) => number | undefined;
};

/** These facts of the trigger start a run. */
export type TriggerFacts = {
  readonly id: string;
  readonly type: string;
  readonly device: DeviceId | null;
  readonly key: string | null;
  readonly from: JsonValue;
  readonly value: JsonValue;
  readonly quality: Quality | null;
  readonly action: string | null;
  /** When it happened, not when the run began. */
  readonly atMs: number;
  /** How late a missed time was made up for. */
  readonly lateMs: number;
  readonly cause: Cause | null;
  /** That a hook was called with. */
  readonly body: JsonObject | null;
  /** Who started it by its name wanted its conditions left out. Absent: they decide. */
  readonly skipsConditions?: true;
};

/** Operands and conditions see the run that they are part of, beside the home. `trigger` is `null` without one. */
export type RunScope = {
  readonly view: View;
  readonly trigger: TriggerFacts | null;
  /** The document's variables, as evaluated at the start of the run, and the value of a round of `for_each`. */
  readonly variables: ReadonlyMap<string, JsonValue | undefined>;
  /** How each `wait_for` that ended in this run did so, by the id of its step. */
  readonly timedOut: ReadonlyMap<string, boolean>;
};

/** Three values: what nobody knows is neither true nor false. */
export type Truth = boolean | 'unknown';

/** Why a value is not known. */
export type UnknownReason =
  /** The home has no such device, feature, mode, variable, person or scene. */
  | 'gone'
  | 'offline'
  | 'stale'
  /** It was never reported, or the device says that it does not know. */
  | 'none'
  /** It is from before the restart, and that does not count here. */
  | 'restored'
  | 'changed_when'
  | 'clock_unset'
  | 'no_sun'
  /** This day does not have the moment of the sun, as in the far north. */
  | 'sun_does_not_set'
  | 'sun_does_not_rise'
  | 'no_dawn_or_dusk'
  | 'no_history'
  | 'no_trigger'
  | 'not_run'
  /** A value is of another type than the calculation needs, or it has no result, as a division by zero. */
  | 'not_calculable';

/** A value that a decision rested on. `name`: what it is, where it is no feature: `mode/home`, `sun/elevation`. */
export type OperandSeen = { readonly unknown: UnknownReason | null } & (
  | ({ readonly device: DeviceId; readonly key: string } & Pick<SeenValue, 'value' | 'quality' | 'changedAtMs'>)
  | { readonly name: string; readonly value: JsonValue }
);

export type Evidence = {
  readonly pointer: string;
  /** After `if_unknown`: then it is no longer unknown, but an operand is. */
  readonly result: Truth;
  readonly operands: readonly OperandSeen[];
};

/** A compiled condition. It adds what it looked at, in the order in which it did. */
export type Judge = (scope: RunScope, evidence: Pick<Evidence[], 'push'>) => Truth;
/** A compiled operand; `undefined` is unknown. */
export type Evaluate = (scope: RunScope, seen: OperandSeen[]) => JsonValue | undefined;
