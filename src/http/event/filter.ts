import * as z from 'zod/mini';
import { type EventAppearance, type EventViewer, eventVisibilityFor } from '#auth/visibility.ts';
import { fieldError, HubError } from '#base/hub-error.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Scene } from '#core/scene/scene.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { dataOf, type EncodedEvent, type EventKind, type EventKinds } from '#core/event/event-log.ts';
import { type EventLog, type KeptEvent, kindOfType } from '#core/event/event-log.ts';
import { described, wordOf } from '#http/note/described.ts';
import { eventSchemas, formOfEvent } from '#http/answer/home-events.ts';
import { inShort, type NotificationJson } from '#http/notification/json.ts';
import { readIds } from '#http/routing/named-ids.ts';
import { encodeEvent } from './frame.ts';
import { CONTROL_SCHEMAS } from './json.ts';

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100));

/** The events about one feature. */
const OF_FEATURES = ['feature.changed', 'feature.occurred'];

/** Every type that a stream can have. */
export function eventTypes(): readonly string[] {
  return [...eventSchemas().keys(), ...Object.keys(CONTROL_SCHEMAS)];
}

/** Comma-separated lists. An event must pass each filter that is present. */
export function eventFilterShape() {
  return {
    types: described('Only events of these types.', z.optional(z.array(wordOf('StreamEventType', eventTypes())))),
    device: described(
      'Only events of these devices: ids or selectors. Changes of rooms pass too, because devices show the name of their room.',
      z.optional(names),
    ),
    key: described(
      'Of events about one feature only those of these keys, such as `open`. Without `types`, events about features alone.',
      z.optional(names),
    ),
    room: described(
      'Only events of the devices in these rooms: ids or selectors. The event with which a device leaves the room passes too.',
      z.optional(names),
    ),
  };
}

export type EventQuery = {
  readonly types?: readonly string[] | undefined;
  readonly device?: readonly string[] | undefined;
  readonly key?: readonly string[] | undefined;
  readonly room?: readonly string[] | undefined;
};

/** Which events a client gets. Events of the stream itself (`hub.…`) always pass. */
export type EventFilter = {
  /** The event as this client sees it; `undefined` if it does not get it. */
  readonly show: (event: KeptEvent) => KeptEvent | undefined;
  /** The only kinds of events that pass the filter. */
  readonly kinds: EventKinds;
  readonly wantsDevice: (id: DeviceId, roomId: RoomId | null) => boolean;
  readonly wantsRoom: (id: RoomId) => boolean;
  readonly wantsScene: (scene: Scene) => boolean;
};

export type EventFilterDeps = {
  readonly findDevice: (idOrSelector: string) => Device | undefined;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
};

/** `undefined` if the query limits nothing. Throws INVALID_QUERY for an unknown selector. */
export function readEventFilter(query: EventQuery, deps: EventFilterDeps): EventFilter | undefined {
  const keys = query.key === undefined ? undefined : new Set(query.key);
  const asked = query.types ?? (keys === undefined ? undefined : OF_FEATURES);
  const types = asked === undefined ? undefined : new Set<string>(asked);
  const devices = readNamed('device', query.device, deps.findDevice);
  const rooms = readNamed('room', query.room, deps.findRoom);
  if (types === undefined && devices === undefined && rooms === undefined) return undefined;
  const wants = ({ type, subject }: KeptEvent): boolean =>
    (types === undefined || types.has(type)) &&
    (keys === undefined || subject.key === null || keys.has(subject.key)) &&
    (devices === undefined || type === 'room.changed' || subject.deviceIds.some((id) => devices.has(id))) &&
    (rooms === undefined || subject.roomIds.some((id) => rooms.has(id)));
  return {
    show: (event) => (wants(event) ? event : undefined),
    kinds: asked === undefined ? undefined : kindsOf(asked),
    wantsDevice: (id, roomId) =>
      (devices === undefined || devices.has(id)) && (rooms === undefined || (roomId !== null && rooms.has(roomId))),
    wantsRoom: (id) => rooms === undefined || rooms.has(id),
    wantsScene: ({ targets }) =>
      rooms === undefined && (devices === undefined || targets.some(({ deviceId }) => devices.has(deviceId))),
  };
}

/** Events of the stream itself are of no kind: the log has none of them. */
function kindsOf(types: readonly string[]): ReadonlySet<EventKind> {
  return new Set(types.flatMap((type) => (formOfEvent(type) === undefined ? [] : kindOfType(type))));
}

function readNamed(
  noun: string,
  names: readonly string[] | undefined,
  find: (idOrSelector: string) => { readonly id: string } | undefined,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const refuse = (name: string): never => {
    const quoted = JSON.stringify(name);
    throw new HubError('INVALID_QUERY', `There is no ${noun} ${quoted}.`, {
      errors: [fieldError(`?${noun}`, 'INVALID_VALUE', `${quoted} is not the id or selector of a ${noun}`)],
    });
  };
  return new Set(readIds(names, find, refuse));
}

type CursorAt = EventLog['cursorAt'];

/** Limits a filter to what the caller sees. For callers from which some events are hidden. */
export function limitEvents(viewer: EventViewer, filter: EventFilter | undefined, cursorAt: CursorAt): EventFilter {
  const { appearanceOf, seesDevice, seesRoom } = eventVisibilityFor(viewer);
  const seesTarget = ({ deviceId }: Scene['targets'][number]): boolean => {
    const device = viewer.findDevice(deviceId);
    return device !== undefined && seesDevice(device);
  };
  const seesScene = ({ isBuiltIn, targets }: Scene): boolean => !isBuiltIn && targets.every(seesTarget);
  return {
    show: (event) => {
      const visible = shownAs(event, appearanceOf(event), cursorAt);
      return visible === undefined || filter === undefined ? visible : filter.show(visible);
    },
    // An event that the caller gets as another type has the same kind.
    kinds: filter?.kinds,
    wantsDevice: (id, roomId) => seesDevice({ id, roomId }) && filter?.wantsDevice(id, roomId) !== false,
    wantsRoom: (id) => seesRoom(id) && filter?.wantsRoom(id) !== false,
    wantsScene: (scene) => seesScene(scene) && filter?.wantsScene(scene) !== false,
  };
}

function shownAs(event: KeptEvent, appearance: EventAppearance, cursorAt: CursorAt): KeptEvent | undefined {
  if (appearance === 'hidden') return undefined;
  if (appearance === 'unchanged') return event;
  const { moved } = event.subject;
  const encode = (type: KeptEvent['type'], json: string): Pick<KeptEvent, 'type' | keyof EncodedEvent> => ({
    type,
    ...encodeEvent(type, json, cursorAt(event.sequence)),
  });
  if (appearance === 'short') {
    return { ...event, ...encode(event.type, dataInShort(event)), subject: { ...event.subject, deviceIds: [] } };
  }
  if (appearance === 'appears') return { ...inRoom(event, moved?.to), ...encode('device.added', dataOf(event)) };
  const data = JSON.parse(dataOf(event)) as {
    readonly device: { readonly id: string; readonly selector: string };
  };
  const { id, selector } = data.device;
  const json = JSON.stringify({ ...data, device: { id, selector } });
  return { ...inRoom(event, moved?.from), ...encode('device.removed', json) };
}

/** The event of a danger, told to a caller that does not see its device. */
function dataInShort(event: KeptEvent): string {
  const data = JSON.parse(dataOf(event)) as { readonly notification: NotificationJson };
  return JSON.stringify({ ...data, notification: inShort(data.notification) });
}

/** The event with only the visible room, so that no filter can reveal the other room. */
function inRoom(event: KeptEvent, room: RoomId | null | undefined): KeptEvent {
  return { ...event, subject: { ...event.subject, roomIds: room === null || room === undefined ? [] : [room] } };
}

/** The hub does not send an older button press, so that no client acts on it late. */
const OCCURRENCE_MS = 5_000;

export type EventLimits = {
  readonly maxBytes: number;
  readonly maxEvents: number;
  /** Stop after this event. */
  readonly upTo?: number;
};

type EventSelection = {
  readonly events: readonly KeptEvent[];
  /** The hub has checked all events up to this one. */
  readonly to: number;
};

export type SelectEvents = (position: number, filter: EventFilter | undefined, limits: EventLimits) => EventSelection;

/** Reads the events after a position that pass the filter. The log must still have all events after the position. */
export function createEventSelector(
  log: Pick<EventLog, 'lastSequence' | 'after'>,
  monotonicMs: () => number,
): SelectEvents {
  return (position, filter, limits) => {
    const last = Math.min(log.lastSequence(), limits.upTo ?? Number.POSITIVE_INFINITY);
    const nowMs = monotonicMs();
    const events: KeptEvent[] = [];
    let bytes = 0;
    for (const kept of log.after(position, filter?.kinds)) {
      if (kept.sequence > last) break;
      if (isTooLate(kept, nowMs)) continue;
      const event = filter === undefined ? kept : filter.show(kept);
      if (event === undefined) continue;
      bytes += event.frame.length;
      // An event that is larger than the limit is read alone.
      if (events.length > 0 && (bytes > limits.maxBytes || events.length >= limits.maxEvents)) {
        return { events, to: kept.sequence - 1 };
      }
      events.push(event);
    }
    return { events, to: last };
  };
}

function isTooLate({ type, monotonicMs }: KeptEvent, nowMs: number): boolean {
  return type === 'feature.occurred' && nowMs - monotonicMs > OCCURRENCE_MS;
}
