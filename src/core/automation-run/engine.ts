import type { JsonObject, JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { NotifyStep, RequestStep } from '#core/automation/document/step.ts';
import type { Selection, SunTrigger, TimeTrigger } from '#core/automation/document/trigger.ts';
import type { HookCall, TriggerIndex, TriggerMemory } from '#core/automation/trigger/happening.ts';
import { createTriggerIndex } from '#core/automation/trigger/trigger-index.ts';
import type { TriggerFacts, View } from '#core/automation/view.ts';
import type { Cause, CauseCaller } from '#core/cause/cause.ts';
import type { CommandStatus, Evidence as Proof } from '#core/command/command.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { RoomId } from '#core/room/room.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { Breaker, TripCause } from '#core/automation-run/guard/breaker.ts';
import type { Flapping } from '#core/automation-run/guard/flapping.ts';
import type { Hands } from '#core/automation-run/guard/hands.ts';
import { createScratch, type Scratch } from './scratch.ts';
import type { Program, Resting } from '#core/automation-run/program/program.ts';
import type { Owner } from '#core/automation-run/state/owner.ts';
import type { RunWork } from '#core/automation-run/state/run-work.ts';
import type { RunState } from '#core/automation-run/state/run-state.ts';
import type { NearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { RunReason } from '#core/automation-run/trace/run-reason.ts';

/** A replay records these facts of the home beside its values, as it does the rest of the view. */
export type RunView = Omit<View, 'isRunning'> & {
  /** A place in which a command may go: the devices of a room, the members that fit a selection. */
  readonly devicesIn: (place: { readonly room: RoomId } | { readonly anyOf: Selection }) => readonly DeviceId[];
  /** A group has members; any other device has none. */
  readonly members: (device: DeviceId) => readonly DeviceId[];
  /** What a value for a group is for each member that can take some of it; of any other device nothing. */
  readonly memberSets: (device: DeviceId, set: JsonObject) => readonly (readonly [DeviceId, JsonObject])[];
  /** Whether the device has all of it. */
  readonly canTake: (device: DeviceId, wish: Wish) => boolean;
  readonly isSensitive: (device: DeviceId, wish: Wish) => boolean;
  /** What the scene wants now; `undefined` for one that the home does not have. */
  readonly sceneWishes: (scene: SceneId) => readonly (readonly [DeviceId, Wish])[] | undefined;
  /** Why the signer of an automation may not have it steer another at this moment; `null` if they may. */
  readonly steerRefusal: (by: AutomationId, step: Steering, cause: Cause) => SteerRefusal | null;
  /** The API token that an automation was signed with, if it was one: what it does, it does for that. */
  readonly signedWith: (automation: AutomationId) => readonly CauseCaller[];
};

/** A step that runs, stops or enables another automation. */
export type Steering = { readonly do: 'run' | 'stop' | 'enable'; readonly automation: AutomationId };
/** The signer lacks a right, or is gone. */
export type RightsCode = 'RIGHTS_MISSING' | 'SIGNER_GONE';
/** `CAUSE_NOT_ALLOWED`: not the signer, but somebody who led to it lacks the right. That suspends nothing. */
type SteerRefusal = RightsCode | 'CAUSE_NOT_ALLOWED';

/** Either values or an action. */
export type Wish = { readonly set: Readonly<Record<string, JsonValue>> } | { readonly do: string };

/** All that can happen to automations. One is dealt with wholly, effects included, before the next. */
export type Input =
  /** The first one of a process: `entries` are what `persist` wrote, by key. */
  | {
      readonly kind: 'loaded';
      readonly automations: readonly Automation[];
      /** Older versions, of runs that began with them. */
      readonly versions: readonly Pick<Automation, 'id' | 'version' | 'definition'>[];
      readonly devices: readonly Device[];
      readonly modes: ReadonlyMap<string, string>;
      readonly variables: ReadonlyMap<string, JsonValue>;
      readonly people: ReadonlyMap<string, PresenceState>;
      /** Whether each is connected. */
      readonly integrations: ReadonlyMap<string, boolean>;
      readonly entries: ReadonlyMap<string, SavedEntry>;
      /** The last traces of the runs among the entries, and all traces of runs that had not ended. */
      readonly traces: readonly AutomationRun[];
      /** The hub has started only once `started` comes. */
      readonly startsLater?: true;
    }
  /** What automations command can be reached by now, or that takes too long. */
  | { readonly kind: 'started' }
  /** `cause`: of the event, where the event itself does not have one. */
  | { readonly kind: 'event'; readonly event: HomeEvent; readonly cause: Cause | null }
  | { readonly kind: 'due'; readonly timer: TimerId }
  /** A time that a `civil` due asked for came. `lateMs`: how long ago. */
  | { readonly kind: 'civil_due'; readonly timer: TimerId; readonly wallMs: number; readonly lateMs: number }
  | { readonly kind: 'command'; readonly ref: string; readonly report: CommandReport }
  | { readonly kind: 'request_ended'; readonly ref: string; readonly error: RunReason | null }
  /** A new or changed automation, or one that may run again or no more. */
  | { readonly kind: 'saved'; readonly automation: Automation }
  | { readonly kind: 'removed'; readonly automation: AutomationId }
  /** The clock was set or corrected. `hubShiftMs`: by how much the hub's clock jumped. */
  | { readonly kind: 'clock_set'; readonly hubShiftMs: number }
  | ({ readonly kind: 'hook'; readonly automation: AutomationId } & HookCall)
  /** A person starts it. `cause`: of what they did. */
  | {
      readonly kind: 'run';
      readonly automation: AutomationId;
      readonly trigger: string | null;
      readonly cause: Cause;
      readonly skipConditions: boolean;
    }
  | { readonly kind: 'stop'; readonly automation: AutomationId }
  /** A person closes the breaker. */
  | { readonly kind: 'reset'; readonly automation: AutomationId }
  | { readonly kind: 'updated' };

/** `shiftMs`: what to add to its times, because the hub's clock was corrected since. */
export type SavedEntry = { readonly value: JsonValue; readonly shiftMs: number };

/** How far a command came. `refused`: nothing of it was sent, and the code says why. */
export type CommandReport =
  | {
      readonly id: string;
      readonly status: CommandStatus;
      readonly evidence: Proof;
      readonly results: Readonly<Record<string, CommandStatus>>;
      readonly reason: RunReason | null;
    }
  | { readonly refused: string; readonly message: string };

export type TimerId = string;
/** A duration by the hub's clock, or a time of the wall clock, which the edge works out. */
export type Due =
  | { readonly hubMs: number }
  /** The last such time up to now that is after `afterWallMs`, else the next one. */
  | { readonly civil: CivilRule; readonly afterWallMs: number };
export type CivilRule = TimeTrigger | SunTrigger | { readonly type: 'clock'; readonly at: string };

type FromRun = {
  readonly automation: AutomationId;
  readonly version: number;
  readonly run: string;
  readonly pointer: string;
  readonly cause: Cause;
};

export type Effect =
  | { readonly kind: 'arm'; readonly timer: TimerId; readonly due: Due }
  | { readonly kind: 'disarm'; readonly timer: TimerId }
  /** With the rights of the signer at that moment. Answered by `command` inputs with its `ref`. */
  | (FromRun & {
      readonly kind: 'command';
      readonly ref: string;
      readonly wishes: readonly (readonly [DeviceId, Wish])[];
      readonly scene: SceneId | null;
      readonly transitionMs: number | null;
      readonly expiresInS: number | null;
      readonly isSensitive: boolean;
    })
  | (FromRun & {
      readonly kind: 'notify';
      readonly step: NotifyStep;
      readonly operands: Readonly<Record<string, JsonValue>>;
      readonly trigger: TriggerFacts;
    })
  /** Answered by `request_ended`, if `ref` is not `null`. */
  | (FromRun & {
      readonly kind: 'request';
      readonly ref: string | null;
      readonly step: RequestStep;
      readonly json: Readonly<Record<string, JsonValue>>;
    })
  | (FromRun & {
      readonly kind: 'set_mode';
      readonly mode: string;
      readonly value: string;
      readonly forS: number | null;
      readonly until: string | null;
    })
  | (FromRun & { readonly kind: 'set_variable'; readonly variable: string; readonly value: JsonValue })
  | (FromRun & { readonly kind: 'note_presence'; readonly person: string; readonly state: 'home' | 'away' })
  | (FromRun & { readonly kind: 'enable' | 'disable'; readonly target: AutomationId })
  /** The newest record of a run: it takes the place of an older one with its id. */
  | { readonly kind: 'trace'; readonly run: AutomationRun }
  | { readonly kind: 'near_miss'; readonly miss: NearMiss }
  /** `null`: forget the entry. `before_effects`: it must be on disk before the effects after it are done. */
  | {
      readonly kind: 'persist';
      readonly urgency: 'before_effects' | 'within_1_s' | 'with_next';
      readonly key: string;
      readonly value: JsonValue;
    }
  | (TripCause & {
      readonly kind: 'trip';
      readonly automation: AutomationId;
      readonly forMs: number;
      /** The automations that led to it, the newest first. */
      readonly chain: readonly AutomationId[];
    })
  /** It may run again. */
  | { readonly kind: 'untrip'; readonly automation: AutomationId }
  /** Its signer lacks a right, or is gone. */
  | { readonly kind: 'suspend'; readonly automation: AutomationId; readonly code: RightsCode };

/** An automation in the engine. */
export type Active = {
  automation: Automation;
  program: Resting;
  readonly breaker: Breaker;
  /** By the id of a trigger. */
  readonly memories: Map<string, TriggerMemory>;
  /** Times of the clock that were dealt with, newest last, by the id of a trigger. Wall time. */
  readonly marks: Map<string, readonly number[]>;
  /** Ids, oldest first; those that are queued too. */
  readonly runs: Set<string>;
  /** The automations that led to its newest start, itself last. */
  chain: readonly AutomationId[];
};

export type Running = {
  readonly state: RunState;
  readonly program: Program;
  readonly work: RunWork;
  trace: AutomationRun;
};

/** A timer ends or renews one of these. */
export type Purpose =
  /** The end of a wait. */
  | { readonly kind: 'thread'; readonly run: string; readonly thread: number }
  /** A condition is looked at once more. */
  | { readonly kind: 'poll'; readonly run: string; readonly thread: number }
  /** A trigger asked for it, by its place. */
  | { readonly kind: 'look'; readonly owner: Owner; readonly at: number; readonly slot: string }
  | { readonly kind: 'civil'; readonly owner: Owner; readonly at: number }
  | { readonly kind: 'breaker'; readonly automation: AutomationId };

/**
 * All that the reducer remembers. It is changed in its place, because copying the maps at each change of the home
 * would cost more than the change. What of it must survive is in the entries that `persist` writes; the rest is made
 * again from the documents and the home.
 */
export type Engine = {
  /** Twelve hexadecimal digits that no other process had, for ids of runs. */
  readonly seed: string;
  runsMade: number;
  readonly automations: Map<AutomationId, Active>;
  readonly runs: Map<string, Running>;
  readonly index: TriggerIndex<Owner>;
  readonly timers: Map<TimerId, { readonly atMs: number | null; readonly purpose: Purpose }>;
  /** The last known value of each feature, by `device key`: without and with what was only sent. */
  readonly values: Map<string, JsonValue>;
  readonly shown: Map<string, JsonValue>;
  readonly availability: Map<DeviceId, Device['availability']['state']>;
  readonly modes: Map<string, string>;
  readonly variables: Map<string, JsonValue>;
  readonly presences: Map<string, PresenceState>;
  /** Whether it is connected. */
  readonly integrations: Map<string, boolean>;
  /** Keys of entries that are written. */
  readonly written: Set<string>;
  readonly hands: Hands;
  readonly flapping: Flapping;
  /** Commands under way, by their `ref`: their run, and their place in its trace. Oldest first. */
  readonly followed: Map<string, { readonly run: string; readonly step: number }>;
  /** Traces of runs that are over, but for the end of a command. */
  readonly ended: Map<string, AutomationRun>;
  homeModeChangedMs: number;
  readonly scratch: Scratch;
};

export function createEngine(seed: string): Engine {
  return {
    seed,
    runsMade: 0,
    automations: new Map(),
    runs: new Map(),
    index: createTriggerIndex(),
    timers: new Map(),
    values: new Map(),
    shown: new Map(),
    availability: new Map(),
    modes: new Map(),
    variables: new Map(),
    presences: new Map(),
    integrations: new Map(),
    written: new Set(),
    hands: new Map(),
    flapping: new Map(),
    followed: new Map(),
    ended: new Map(),
    homeModeChangedMs: -Infinity,
    scratch: createScratch(),
  };
}
