import type { Issuer } from '#core/cause/issuer.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { type Audience, EVENT_RIGHTS } from '#core/event/event.ts';
import type { KeptEvent } from '#core/event/event-log.ts';
import { isAddressedTo, isDanger } from '#core/notification/notification.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { type Caller, callerId, canCaller, isLimited } from './caller.ts';
import type { Scope } from './scope.ts';

/** The part of the home that exists for a caller. What its right does not reach is treated as if it did not exist. */
export type Visibility = ReturnType<typeof visibilityFor>;

export function visibilityFor(caller: Caller, right: Scope) {
  return {
    /** Nothing is hidden: no device has to be checked. */
    isWhole: canCaller(caller, right, 'home'),
    seesDevice: (device: Pick<Device, 'id' | 'roomId'>): boolean => canCaller(caller, right, { device }),
    seesRoom: (room: RoomId): boolean => canCaller(caller, right, { room }),
  };
}

type Find<Found> = (idOrSelector: string) => Found | undefined;

/** The same search, among the visible devices. */
export function findDeviceIn({ seesDevice }: Visibility, find: Find<Device>): Find<Device> {
  return (name) => {
    const device = find(name);
    return device !== undefined && seesDevice(device) ? device : undefined;
  };
}

/** The same search, among the visible rooms. */
export function findRoomIn({ seesRoom }: Visibility, find: Find<Room>): Find<Room> {
  return (name) => {
    const room = find(name);
    return room !== undefined && seesRoom(room.id) ? room : undefined;
  };
}

/** The facts about a command that decide who may see it. */
export type IssuedCommand = {
  readonly issuer: Pick<Issuer, 'id' | 'userId'>;
  readonly deviceIds: readonly DeviceId[];
};

/**
 * A command is visible to the login or API token that issued it. It is also visible to the issuer's person and to
 * callers that manage devices, if they see every device of the command.
 */
export function maySeeCommand(
  caller: Caller,
  { issuer, deviceIds }: IssuedCommand,
  { right, findDevice }: { readonly right: Scope; readonly findDevice: (id: string) => Device | undefined },
): boolean {
  if (issuer.id === callerId(caller)) return true;
  if (issuer.userId !== caller.user.id && !canCaller(caller, 'device:manage')) return false;
  const visibility = visibilityFor(caller, right);
  if (visibility.isWhole) return true;
  const findSeen = findDeviceIn(visibility, findDevice);
  return deviceIds.every((id) => findSeen(id) !== undefined);
}

/**
 * People who live in the home see all notifications; a guest only those for guests. One about a device is hidden from
 * callers that do not see the device, and one about no device from callers that are limited to a part of the home: its
 * words may tell what is outside. A person whom it names sees it in any case, and a limited script of theirs does not.
 */
export function maySeeNotification(
  caller: Caller,
  { to, deviceId }: Pick<Audience, 'to' | 'deviceId'>,
  findDevice: (id: string) => Device | undefined,
): boolean {
  if (!canCaller(caller, NOTIFICATION_RIGHT)) return false;
  const { id, role } = caller.user;
  if (to.includes(`user:${id}`) && !isLimited(caller)) return true;
  if (deviceId !== null) {
    const device = findDevice(deviceId) ?? { id: deviceId, roomId: null };
    if (!canCaller(caller, 'device:read', { device })) return false;
  }
  const isWhole = canCaller(caller, NOTIFICATION_RIGHT, 'home');
  if (!isWhole && deviceId === null) return false;
  return (isWhole && role !== 'guest') || isAddressedTo(to, { id, role });
}

/**
 * How a caller sees a notification. `short`: fire, gas and water reach everyone who may be inside, but only by their kind
 * and room. The device, and who did something about it, are for the people that it names.
 */
export type NotificationSight = 'whole' | 'short' | 'hidden';

export function sightOfNotification(
  caller: Caller,
  audience: Audience,
  findDevice: (id: string) => Device | undefined,
): NotificationSight {
  if (maySeeNotification(caller, audience, findDevice)) return 'whole';
  return isDanger(audience.builtIn) && canCaller(caller, NOTIFICATION_RIGHT) ? 'short' : 'hidden';
}

/**
 * How a caller sees an event. `appears`, `disappears`: as a device that enters or leaves its part of the home; `short`: as
 * a notification that has only the kind and the room of a danger.
 */
export type EventAppearance = 'unchanged' | 'short' | 'appears' | 'disappears' | 'hidden';

export type EventViewer = {
  readonly caller: Caller;
  readonly devices: () => readonly Device[];
  readonly findDevice: (id: string) => Device | undefined;
};

type EventVisibility = Pick<Visibility, 'seesDevice' | 'seesRoom'> & {
  readonly appearanceOf: (event: Pick<KeptEvent, 'type' | 'subject'>) => EventAppearance;
};

const EVENT_RIGHT = 'event:read';
const NOTIFICATION_RIGHT = 'notification:read';

const ALL_EVENT_RIGHTS: ReadonlySet<Scope> = new Set([EVENT_RIGHT, NOTIFICATION_RIGHT, ...EVENT_RIGHTS]);

/** Whether no event is hidden from this caller. */
export function seesAllEvents(caller: Caller): boolean {
  return [...ALL_EVENT_RIGHTS].every((right) => canCaller(caller, right, 'home'));
}

/**
 * A caller gets events of exactly those commands it may read. A caller that sees only some devices and rooms gets a
 * device that moves into its part of the home as added, and one that moves out as removed, so that it can still fold
 * the events into its list. It gets no events about the whole home (integrations, pairing).
 */
export function eventVisibilityFor({ caller, devices, findDevice }: EventViewer): EventVisibility {
  const visibility = visibilityFor(caller, EVENT_RIGHT);
  const { seesDevice, seesRoom } = visibility;
  /** Devices show the name of their room, even to a caller that does not see the room itself. */
  const isRoomVisible = (room: RoomId, type: KeptEvent['type']): boolean =>
    seesRoom(room) || (type === 'room.changed' && devices().some((one) => one.roomId === room && seesDevice(one)));

  return {
    seesDevice,
    seesRoom,
    appearanceOf: ({ type, subject: { issuer, deviceIds, roomIds, moved, right, audience } }) => {
      if (right !== null && !canCaller(caller, right, 'home')) return 'hidden';
      if (audience !== null) {
        const sight = sightOfNotification(caller, audience, findDevice);
        return sight === 'whole' ? 'unchanged' : sight;
      }
      if (issuer !== null) {
        const isVisible = maySeeCommand(caller, { issuer, deviceIds }, { right: EVENT_RIGHT, findDevice });
        return isVisible ? 'unchanged' : 'hidden';
      }
      if (visibility.isWhole) return 'unchanged';
      const [id] = deviceIds;
      // A scene is visible where all of its devices are.
      if (type.startsWith('scene.')) {
        const findSeen = findDeviceIn(visibility, findDevice);
        return id !== undefined && deviceIds.every((one) => findSeen(one) !== undefined) ? 'unchanged' : 'hidden';
      }
      if (moved !== null && id !== undefined) {
        const isSeen = seesDevice({ id, roomId: moved.to });
        const wasSeen = seesDevice({ id, roomId: moved.from });
        if (isSeen) return wasSeen ? 'unchanged' : 'appears';
        return wasSeen ? 'disappears' : 'hidden';
      }
      const [room] = roomIds;
      return room !== undefined && isRoomVisible(room, type) ? 'unchanged' : 'hidden';
    },
  };
}
