import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import type { Device } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { KeptEvent } from '#core/event/event-log.ts';
import { maySeeCommand, type Visibility, visibilityFor } from '#auth/visibility.ts';
import type { EventFilter } from '#http/event/filter.ts';
import { dataOfFrame, eventFrame, idOfFrame } from '#http/event/frame.ts';

const RIGHT: Scope = 'event:read';

export type EventSightDeps = {
  readonly caller: Caller;
  readonly devices: () => readonly Device[];
  readonly findDevice: (id: string) => Device | undefined;
};

/** Whether there is nothing that this caller must not be told. */
export function seesAllEvents(caller: Caller): boolean {
  return canCaller(caller, RIGHT, 'home') && canCaller(caller, 'device:manage', 'home');
}

/**
 * The filter of one who must not be told everything. Of commands those are told that could be asked for. For one who
 * sees only some devices and rooms, a device that comes into sight by a move is told of as added, one that leaves it as
 * removed, so that the events still fold into the list; what is about no device or room at all (integrations, pairing)
 * is about the whole home, and is not told.
 */
export function limitEvents(deps: EventSightDeps, filter: EventFilter | undefined): EventFilter {
  const sight = visibilityFor(deps.caller, RIGHT);
  const looker = { ...deps, sight };
  const { seesDevice, seesRoom } = sight;
  return {
    show: (event) => {
      const seen = eventInSight(event, looker);
      return seen === undefined || filter === undefined ? seen : filter.show(seen);
    },
    // What is shown as another type, since the device comes into sight or leaves it, is of the same kind.
    kinds: filter?.kinds,
    wantsDevice: (id, roomId) => seesDevice({ id, roomId }) && filter?.wantsDevice(id, roomId) !== false,
    wantsRoom: (id) => seesRoom(id) && filter?.wantsRoom(id) !== false,
  };
}

type Looker = EventSightDeps & { readonly sight: Visibility };

function eventInSight(event: KeptEvent, looker: Looker): KeptEvent | undefined {
  const { subject } = event;
  const { sight, caller, findDevice } = looker;
  const { seesDevice } = sight;
  if (subject.issuer !== null) {
    const { issuer, deviceIds } = subject;
    return maySeeCommand(caller, { issuer, deviceIds }, { right: RIGHT, findDevice }) ? event : undefined;
  }
  if (sight.isWhole) return event;
  const [id] = subject.deviceIds;
  if (subject.moved !== null && id !== undefined) {
    const isSeen = seesDevice({ id, roomId: subject.moved.to });
    const wasSeen = seesDevice({ id, roomId: subject.moved.from });
    if (isSeen) return wasSeen ? event : comingInto(event);
    return wasSeen ? leaving(event) : undefined;
  }
  const [room] = subject.roomIds;
  return room !== undefined && isRoomInSight(room, event, looker) ? event : undefined;
}

/** A room's new name is shown by its devices, whoever sees the room itself. */
function isRoomInSight(room: RoomId, { type }: KeptEvent, { sight, devices }: Looker): boolean {
  if (sight.seesRoom(room)) return true;
  return type === 'room.changed' && devices().some((device) => device.roomId === room && sight.seesDevice(device));
}

function comingInto(event: KeptEvent): KeptEvent {
  return retyped(event, { type: 'device.added', room: event.subject.moved?.to }, dataOfFrame(event.bytes).toString());
}

function leaving(event: KeptEvent): KeptEvent {
  const data = JSON.parse(dataOfFrame(event.bytes).toString()) as { device: { id: string; selector: string } };
  const { id, selector } = data.device;
  const json = JSON.stringify({ ...data, device: { id, selector } });
  return retyped(event, { type: 'device.removed', room: event.subject.moved?.from }, json);
}

type Sighting = { readonly type: KeptEvent['type']; readonly room: RoomId | null | undefined };

/** It has to do with the room in sight alone: a filter must not find out about the other one. */
function retyped(event: KeptEvent, { type, room }: Sighting, json: string): KeptEvent {
  const subject = { ...event.subject, roomIds: room === null || room === undefined ? [] : [room] };
  return { ...event, type, subject, bytes: eventFrame(type, json, idOfFrame(event.bytes)) };
}
