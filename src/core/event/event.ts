import type { ClockChange } from '#base/time/hub-clock.ts';

/**
 * The types of events and what each of them has. A noun declares its own, beside what they are about:
 * `declare module '#core/event/event.ts' { interface HomeEvents { … } }`.
 */
export interface HomeEvents {
  /** The hub knows the time of day from elsewhere now, or it jumped. */
  'clock.changed': { readonly clock: ClockChange };
  'session.revoked': { readonly sessionId: string; readonly userId: string };
  'api_token.revoked': { readonly tokenId: string; readonly userId: string };
}

/** Something that happened in the home. What an event is about is in it as it was right after the event. */
export type HomeEvent = {
  [Type in keyof HomeEvents]: { readonly type: Type } & HomeEvents[Type];
}[keyof HomeEvents];

type DeviceId = HomeEvents['device.added']['device']['id'];
type RoomId = HomeEvents['room.added']['room']['id'];
type Issuer = HomeEvents['command.changed']['command']['createdBy'];
type Notification = HomeEvents['notification.added']['notification'];

/** The subject decides which clients want the event and which callers see it. */
export type EventSubject = {
  readonly deviceIds: readonly DeviceId[];
  /** The feature that the event is about; `null` for events about more, or none. */
  readonly key: string | null;
  /** The room of the device now, and the one before the event. */
  readonly roomIds: readonly RoomId[];
  /** The room of the device before and after the event. */
  readonly moved: { readonly from: RoomId | null; readonly to: RoomId | null } | null;
  /** The issuer of the command in the event. */
  readonly issuer: Issuer | null;
  /** The only login or API token that may see the event; `null` for events that others may see as well. */
  readonly onlyFor: string | null;
  /** Only callers with this right in the whole home may see it; `null` for events that need no other right. */
  readonly right: EventRight | null;
  /** The audience of the notification in the event; `null` for events that are none. */
  readonly audience: Audience | null;
};

/** The facts about a notification that decide who may see it. */
export type Audience = Pick<Notification, 'to' | 'deviceId' | 'builtIn'>;

/** Rights in the whole home, beside that to read events, without which an event is hidden. */
export const EVENT_RIGHTS = ['automation:read', 'device:read', 'device:manage', 'history:read', 'hub:manage'] as const;
export type EventRight = (typeof EVENT_RIGHTS)[number];

/** Webhooks get none of these: they are about the work of a person who sets up an integration. */
export const isForKeepers = (type: HomeEvent['type']): boolean =>
  type === 'integration.found' || type === 'integration_setup.changed';

const NOTHING: EventSubject = {
  deviceIds: [],
  key: null,
  roomIds: [],
  moved: null,
  issuer: null,
  onlyFor: null,
  right: null,
  audience: null,
};

/** `right`: the one that its noun declares for events of this type. */
export function subjectOf(event: HomeEvent, right: EventRight | null): EventSubject {
  if ('device' in event) {
    const { id, roomId: to } = event.device;
    const from = event.type === 'device.changed' ? event.oldRoomId : to;
    const roomIds = [to, from === to ? null : from].filter((one) => one !== null);
    const key = 'key' in event ? event.key : null;
    return { ...NOTHING, deviceIds: [id], key, roomIds, moved: { from, to } };
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
    const { to, deviceId, builtIn } = event.notification;
    return { ...NOTHING, deviceIds: deviceId === null ? [] : [deviceId], audience: { to, deviceId, builtIn } };
  }
  if (event.type === 'session.revoked') return { ...NOTHING, onlyFor: event.sessionId };
  if (event.type === 'api_token.revoked') return { ...NOTHING, onlyFor: event.tokenId };
  return { ...NOTHING, right };
}
