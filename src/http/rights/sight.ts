import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import type { Device } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';

/** What of the home there is for a caller. What a right does not reach to is as if it were not there. */
export type Sight = {
  /** Nothing is hidden: there is no need to ask for each device. */
  readonly isWhole: boolean;
  readonly seesDevice: (device: Pick<Device, 'id' | 'roomId'>) => boolean;
  readonly seesRoom: (id: RoomId) => boolean;
};

export function sightFor(caller: Caller, right: Scope): Sight {
  return {
    isWhole: canCaller(caller, right, 'home'),
    seesDevice: (device) => canCaller(caller, right, { device }),
    seesRoom: (room) => canCaller(caller, right, { room }),
  };
}

type Find<Found> = (idOrSelector: string) => Found | undefined;

/** The same search for one who sees only some devices. */
export function findDeviceIn({ seesDevice }: Sight, find: Find<Device>): Find<Device> {
  return (name) => {
    const device = find(name);
    return device !== undefined && seesDevice(device) ? device : undefined;
  };
}

/** The same search for one who sees only some rooms. */
export function findRoomIn({ seesRoom }: Sight, find: Find<Room>): Find<Room> {
  return (name) => {
    const room = find(name);
    return room !== undefined && seesRoom(room.id) ? room : undefined;
  };
}
