import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { AvailabilityState, Device, DeviceId } from '#core/device/device.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { HubTrigger, Trigger } from '#core/automation/document/trigger.ts';
import type { SeenValue, TriggerFacts, View } from '#core/automation/view.ts';

/** Something to which a trigger may answer. The view shows the home after it, and may be ahead of it. */
export type Happening =
  /**
   * The trigger is new: its automation was saved, or a run begins to wait for it (`isWait`). It takes the present for
   * known and does not fire; but a wait counts the time for which the value has been so already.
   */
  | { readonly kind: 'begin'; readonly isWait: boolean }
  /**
   * A feature has another value or quality. `from`: the last value that was reported, be it before a restart, and
   * `shown`: the last that was reported or only sent; `undefined` where there never was one. `news`: what it became
   * then, where the view may have a later one: of two changes in one moment it shows the second at both.
   */
  | {
      readonly kind: 'value';
      readonly device: DeviceId;
      readonly key: string;
      readonly from: JsonValue | undefined;
      readonly shown: JsonValue | undefined;
      readonly news?: Pick<SeenValue, 'value' | 'quality' | 'cause'>;
    }
  | { readonly kind: 'occurrence'; readonly device: DeviceId; readonly key: string; readonly occurrence: Occurrence }
  | {
      readonly kind: 'availability';
      readonly device: DeviceId;
      readonly from: AvailabilityState | undefined;
      readonly to: AvailabilityState | undefined;
    }
  | { readonly kind: 'integration'; readonly integration: string; readonly to: 'online' | 'offline' }
  | {
      readonly kind: 'mode';
      readonly mode: string;
      readonly from: string;
      readonly to: string;
      readonly cause: Cause | null;
    }
  | {
      readonly kind: 'variable';
      readonly variable: string;
      readonly from: JsonValue;
      readonly to: JsonValue;
      readonly cause: Cause | null;
    }
  | {
      readonly kind: 'presence';
      readonly person: string;
      readonly from: PresenceState;
      readonly to: PresenceState;
      readonly cause?: Cause | null;
    }
  | { readonly kind: 'hub'; readonly on: HubTrigger['on']; readonly integration: string | null }
  | {
      readonly kind: 'automation';
      readonly automation: AutomationId;
      readonly outcome: 'failed' | 'finished' | 'tripped';
    }
  /** A civil time of the trigger came, or is made up for. */
  | { readonly kind: 'time'; readonly atMs: number; readonly lateMs: number }
  | { readonly kind: 'hook'; readonly body: JsonObject | null }
  /** The time came at which a slot asked to be looked at (`lookAtMs`). */
  | { readonly kind: 'look'; readonly slot: string };

/**
 * A trigger remembers a slot for each thing that it watches, by `device key`, or under `''` where it watches one thing.
 */
export type TriggerMemory = Readonly<Record<string, Slot>>;

/** Plain JSON, so that it survives a restart. */
export type Slot = {
  /** When to call again with `look`; `null`: not by the clock. It takes the place of the time before. */
  readonly lookAtMs: number | null;
  /** Whether the next crossing fires. `null`: nothing is known yet. */
  readonly armed: boolean | null;
  /** It has been so since then, and fires once that was for long enough. */
  readonly held: Held | null;
  /** When a threshold that fires again last fired. */
  readonly firedAtMs: number | null;
  /** The points of a slope: until when the value was this; `null`: it still is. Oldest first. */
  readonly points: readonly Point[];
};
type Held = {
  readonly sinceMs: number;
  readonly unknownSinceMs: number | null;
  readonly facts: TriggerFacts;
};
export type Point = readonly [untilMs: number | null, value: number];

/** Why a trigger that looked did not fire. Only what people would ask about. */
export type NearMissReason =
  | { readonly why: 'not_crossed'; readonly value: JsonValue; readonly limit: JsonValue }
  | { readonly why: 'not_armed'; readonly value: JsonValue; readonly rearmsAt: JsonValue }
  | { readonly why: 'for_cancelled'; readonly afterMs: number; readonly ofMs: number; readonly by: 'value' | 'unknown' }
  | { readonly why: 'from_was' | 'value_is'; readonly value: JsonValue }
  | { readonly why: 'moved_by'; readonly by: 'hand' | 'hub' | 'other' }
  | { readonly why: 'first_value' | 'unknown' | 'not_all' };

export type NearMiss = { readonly trigger: string; readonly device: DeviceId | null; readonly key: string | null } & {
  readonly reason: NearMissReason;
};

/** `memory` is the same object where nothing changed. */
export type TriggerVerdict = {
  readonly memory: TriggerMemory;
  readonly fired: TriggerFacts | null;
  readonly nearMiss: NearMiss | null;
};

/** A trigger with `any_of` has as members the features that fit now, or the devices, whose key is `''`. */
export type Member = { readonly device: DeviceId; readonly key: string };

/**
 * A compiled trigger: whether it fires. The caller keeps the memory, and calls with `look` when the time of a slot has
 * come. To be called only with what the index found for it.
 */
export type MatchTrigger = (
  happening: Happening,
  context: { readonly memory: TriggerMemory; readonly view: View; readonly members: () => readonly Member[] },
) => TriggerVerdict;

/**
 * Which triggers a happening may start, found without a look at the others. `Owner`: an automation, or a run that waits.
 */
export type TriggerIndex<Owner> = {
  /** Takes the place of all triggers that the owner had. */
  readonly put: (owner: Owner, triggers: readonly Trigger[]) => void;
  readonly remove: (owner: Owner) => void;
  /** To call with each device that was added, changed or removed (`undefined`). */
  readonly noteDevice: (id: DeviceId, device: Device | undefined) => void;
  /** In the order in which the owners were put. A `look` and a `time` belong to one trigger and are not in it. */
  readonly find: (happening: Happening) => readonly { readonly owner: Owner; readonly trigger: Trigger }[];
  readonly members: (trigger: Trigger) => readonly Member[];
};

/** A program calls a hook with this. */
export type HookCall = {
  readonly trigger: string;
  readonly body: JsonObject | null;
  /** Names the caller, or the person or token that made its secret. */
  readonly cause?: Cause | null;
};
