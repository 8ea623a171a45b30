import type { JsonValue } from '#base/json.ts';
import type { AutomationRecord, AutomationState } from '#core/automation/registry/automation-record.ts';
import type { ClockChange } from '#base/time/hub-clock.ts';
import type { RunOutcome } from '#core/automation-run/trace/trace.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { Availability, Device, DeviceId } from '#core/device/device.ts';
import type { ExporterStatus } from '#core/exporter/exporter.ts';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { Notification, Recipient } from '#core/notification/notification.ts';
import type { User } from '#core/person/user.ts';
import type { Presence } from '#core/presence/presence.ts';
import type { Setup } from '#core/integration/setup-step.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { Activity, Scene } from '#core/scene/scene.ts';
import type { FeatureState, Occurrence } from '#core/feature/feature.ts';
import type { Variable } from '#core/variable/variable.ts';

/** Of a change that something led to: a command, a script, an automation. */
type Caused = { readonly cause?: Cause };

/** Something that happened in the home. The device in an event is as it was right after it. */
export type HomeEvent =
  | { readonly type: 'device.added'; readonly device: Device }
  /** `oldRoomId`: the room before the change, for clients that follow only that room. */
  | { readonly type: 'device.changed'; readonly device: Device; readonly oldRoomId: RoomId | null }
  | { readonly type: 'device.removed'; readonly device: Device }
  /** Added, set, changed, or removed. `endMs`: when its value ends, on the hub's clock. */
  | ({
      readonly type: 'mode.changed';
      readonly mode: Mode;
      readonly endMs: number | undefined;
      readonly isGone: boolean;
    } & Caused)
  | ({ readonly type: 'variable.changed'; readonly variable: Variable; readonly isGone: boolean } & Caused)
  /** The state of a person, or what it rests on. */
  | ({ readonly type: 'presence.changed'; readonly user: User; readonly presence: Presence } & Caused)
  | { readonly type: 'room.added'; readonly room: Room }
  | { readonly type: 'room.changed'; readonly room: Room }
  | { readonly type: 'room.removed'; readonly room: Room }
  | { readonly type: 'availability.changed'; readonly device: Device; readonly availability: Availability }
  | {
      readonly type: 'feature.changed';
      readonly device: Device;
      readonly key: string;
      readonly state: FeatureState;
      /** `null`: nobody commanded it. A new value that is confirmed was then set by hand, or by the device itself. */
      readonly cause: Cause | null;
    }
  | {
      readonly type: 'feature.occurred';
      readonly device: Device;
      readonly key: string;
      readonly occurrence: Occurrence;
    }
  /** A change of the scene, or of whether it is active: that at most once a second. */
  | { readonly type: 'scene.added' | 'scene.changed'; readonly scene: Scene; readonly activity: Activity }
  | { readonly type: 'scene.removed'; readonly scene: Scene }
  | {
      readonly type: 'scene.activated';
      readonly scene: Scene;
      readonly command: string;
      readonly by: Pick<Issuer, 'type' | 'id'>;
    }
  /** A change of the automation or of its state. */
  | {
      readonly type: 'automation.added' | 'automation.changed';
      readonly automation: AutomationRecord;
      readonly state: AutomationState;
    }
  /** It is in the trash. */
  | { readonly type: 'automation.removed'; readonly automation: AutomationRecord }
  /** A run that did or does something, and with `dull` one that its conditions or a running run ended at its start. */
  | {
      readonly type: 'automation.run' | 'automation.run.dull';
      readonly automation: Pick<AutomationRecord, 'id' | 'selector' | 'name'>;
      readonly run: string;
      /** `finished`: it is over, however it ended. */
      readonly phase: 'started' | 'waiting' | 'finished';
      readonly outcome: RunOutcome;
    }
  /** The command's status changed. A change of only one result makes no event. */
  | { readonly type: 'command.changed'; readonly command: Command }
  | {
      readonly type: 'integration.added';
      readonly integration: string;
      readonly kind: string;
      readonly name: string;
      readonly status: IntegrationStatus;
    }
  /** A change of its status, or of its name or settings, which the event does not have. */
  | { readonly type: 'integration.changed'; readonly integration: string; readonly status: IntegrationStatus }
  | { readonly type: 'integration.removed'; readonly integration: string }
  /** Something was discovered, changed, or is not there any more. */
  | { readonly type: 'integration.found'; readonly found: FoundThing; readonly isGone: boolean }
  | { readonly type: 'integration_setup.changed'; readonly setup: Setup }
  | { readonly type: 'pairing.changed'; readonly integration: string; readonly pairing: PairingProgress }
  | { readonly type: 'notification.added'; readonly notification: Notification }
  /** Its content or state, or it comes again because nobody has acknowledged it. */
  | { readonly type: 'notification.changed'; readonly notification: Notification }
  /** What the home uses has changed; at most one in ten seconds. */
  | { readonly type: 'energy.changed'; readonly powers: Readonly<Record<string, number | null>> }
  /** Its status, or its settings, which the event does not have. */
  | { readonly type: 'exporter.changed'; readonly exporter: string; readonly status: ExporterStatus | 'removed' }
  /** The history forgot samples before the receiver had them: at most so many, after this moment. */
  | {
      readonly type: 'exporter.gap';
      readonly exporter: string;
      readonly samples: number;
      readonly fromMs: number | null;
    }
  /** The hub knows the time of day from elsewhere now, or it jumped. */
  | { readonly type: 'clock.changed'; readonly clock: ClockChange }
  | { readonly type: 'session.revoked'; readonly sessionId: string; readonly userId: string }
  | { readonly type: 'api_token.revoked'; readonly tokenId: string; readonly userId: string };

export const INTEGRATION_STATES = ['connected', 'connecting', 'needs_action', 'error', 'off'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

export type IntegrationStatus = {
  readonly state: IntegrationState;
  readonly sinceMs: number;
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type PairingProgress = {
  readonly step: 'opened' | 'closed' | 'device_found' | 'interview_started' | 'interview_done' | 'interview_failed';
  readonly externalId: string | null;
  readonly deviceId: DeviceId | null;
  /** Seconds for which pairing stays open; only with `opened`. */
  readonly seconds: number | null;
  readonly detail: JsonValue;
};

/** What an event is about. It decides which clients want the event and which callers see it. */
export type EventSubject = {
  readonly deviceIds: readonly DeviceId[];
  /** The room of the device now, and the one before the event. */
  readonly roomIds: readonly RoomId[];
  /** The room of the device before and after the event. */
  readonly moved: { readonly from: RoomId | null; readonly to: RoomId | null } | null;
  /** Of the command in the event. */
  readonly issuer: Issuer | null;
  /** The only login or API token that may see the event; `null` for events that others may see as well. */
  readonly onlyFor: string | null;
  /** Only callers with this right in the whole home may see it; `null` for events that need no other right. */
  readonly right: EventRight | null;
  /** Of the notification in the event; `null` for events that are none. */
  readonly audience: Audience | null;
};

/** The facts about a notification that decide who may see it. */
export type Audience = { readonly to: readonly Recipient[]; readonly deviceId: DeviceId | null };

/** Rights in the whole home, beside that to read events, without which an event is hidden. */
export type EventRight = 'automation:read' | 'device:read' | 'device:manage' | 'history:read' | 'hub:manage';

/**
 * The right that the same thing needs in an answer; `null` where the subject decides by itself: devices, rooms, scenes,
 * commands, notifications, logins and what every caller may ask for.
 */
export const RIGHT_OF_TYPE: Readonly<Record<HomeEvent['type'], EventRight | null>> = {
  'device.added': null,
  'device.changed': null,
  'device.removed': null,
  'room.added': null,
  'room.changed': null,
  'room.removed': null,
  'availability.changed': null,
  'feature.changed': null,
  'feature.occurred': null,
  'scene.added': null,
  'scene.changed': null,
  'scene.removed': null,
  'scene.activated': null,
  'command.changed': null,
  'notification.added': null,
  'notification.changed': null,
  'session.revoked': null,
  'api_token.revoked': null,
  'mode.changed': 'device:read',
  'variable.changed': 'automation:read',
  'presence.changed': 'automation:read',
  'clock.changed': 'automation:read',
  'automation.added': 'automation:read',
  'automation.changed': 'automation:read',
  'automation.removed': 'automation:read',
  'automation.run': 'automation:read',
  'automation.run.dull': 'automation:read',
  'energy.changed': 'history:read',
  'integration.added': 'device:read',
  'integration.changed': 'device:read',
  'integration.removed': 'device:read',
  'integration.found': 'hub:manage',
  'integration_setup.changed': 'hub:manage',
  'pairing.changed': 'device:manage',
  'exporter.changed': 'hub:manage',
  'exporter.gap': 'hub:manage',
};

/** Webhooks get none of these: they are about the work of a person who sets up an integration. */
export const isForKeepers = (type: HomeEvent['type']): boolean =>
  type === 'integration.found' || type === 'integration_setup.changed';

const NOTHING: EventSubject = {
  deviceIds: [],
  roomIds: [],
  moved: null,
  issuer: null,
  onlyFor: null,
  right: null,
  audience: null,
};

export function subjectOf(event: HomeEvent): EventSubject {
  if ('device' in event) {
    const { id, roomId: to } = event.device;
    const from = event.type === 'device.changed' ? event.oldRoomId : to;
    const roomIds = [to, from === to ? null : from].filter((one) => one !== null);
    return { ...NOTHING, deviceIds: [id], roomIds, moved: { from, to } };
  }
  if ('room' in event) return { ...NOTHING, roomIds: [event.room.id] };
  if ('scene' in event) {
    // The devices of a built-in scene are all of the home.
    return { ...NOTHING, deviceIds: event.scene.isBuiltIn ? [] : event.scene.targets.map(({ deviceId }) => deviceId) };
  }
  if (event.type === 'command.changed') {
    const { results, createdBy } = event.command;
    return { ...NOTHING, deviceIds: [...new Set(results.map(({ deviceId }) => deviceId))], issuer: createdBy };
  }
  if ('notification' in event) {
    const { to, deviceId } = event.notification;
    return { ...NOTHING, deviceIds: deviceId === null ? [] : [deviceId], audience: { to, deviceId } };
  }
  if (event.type === 'session.revoked') return { ...NOTHING, onlyFor: event.sessionId };
  if (event.type === 'api_token.revoked') return { ...NOTHING, onlyFor: event.tokenId };
  return { ...NOTHING, right: RIGHT_OF_TYPE[event.type] };
}
