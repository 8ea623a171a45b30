import type { Issuer } from '#core/command/issuer.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { type Caller, callerId, canCaller } from './caller.ts';
import type { Scope } from './scope.ts';

/** The part of the home that exists for a caller. What its right does not reach is treated as if it did not exist. */
export type Visibility = {
  /** Nothing is hidden: no device has to be checked. */
  readonly isWhole: boolean;
  readonly seesDevice: (device: Pick<Device, 'id' | 'roomId'>) => boolean;
  readonly seesRoom: (id: RoomId) => boolean;
};

export function visibilityFor(caller: Caller, right: Scope): Visibility {
  return {
    isWhole: canCaller(caller, right, 'home'),
    seesDevice: (device) => canCaller(caller, right, { device }),
    seesRoom: (room) => canCaller(caller, right, { room }),
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

/** What of a command decides who may see it. */
export type IssuedCommand = {
  readonly issuer: Pick<Issuer, 'id' | 'userId'>;
  readonly deviceIds: readonly DeviceId[];
};

/**
 * A command is visible to the login or API token that issued it. It is also visible to the person behind the issuer and
 * to those who manage devices, if by this right they see every device of the command.
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
