import { LIGHTS } from './light.ts';
import { fieldError, validationFailed } from '#base/hub-error.ts';
import type { Device, DeviceType, GroupMember } from './device.ts';
import type { RoomId } from '#core/room/room.ts';
import { faultWords } from '#words/faults.ts';

/** The integration of groups, which the hub itself makes of other devices. */
export const GROUP = 'group';
export const MAX_GROUPS = 50;
export const MAX_MEMBERS = 100;

export type FindDevice = (idOrSelector: string) => Device | undefined;

/** Whether the device is a group. */
export function isGroup({ integration }: Pick<Device, 'integration'>): boolean {
  return integration === GROUP;
}

/** The members that the home has at the moment. */
export function membersOf({ members = [] }: Pick<Device, 'members'>, findDevice: FindDevice): readonly Device[] {
  return members.flatMap(({ id }) => findDevice(id) ?? []);
}

/**
 * A group is in a room only if all of its members are. So a person who is limited to a room sees and reaches through a
 * group nothing that is outside.
 */
export function isRoomOfAll(members: readonly GroupMember[], roomId: RoomId | null, findDevice: FindDevice): boolean {
  return roomId === null || membersOf({ members }, findDevice).every((member) => member.roomId === roomId);
}

/** Throws HubError VALIDATION_FAILED if a group of these members cannot be in the room. */
export function requireRoomOfAll(members: readonly GroupMember[], roomId: RoomId | null, findDevice: FindDevice): void {
  if (isRoomOfAll(members, roomId, findDevice)) return;
  throw validationFailed([fieldError('/room', 'INVALID_VALUE', ...faultWords('room_of_members'))]);
}

/** Chooses the type of a group: that of its members, or of lights the one that can do most. */
export function groupType(members: readonly Pick<Device, 'type'>[]): DeviceType {
  const types = new Set(members.map(({ type }) => type));
  const [first] = types;
  if (first !== undefined && types.size === 1) return first;
  const best = LIGHTS.findLast((type) => types.has(type));
  return best !== undefined && [...types].every((type) => LIGHTS.includes(type)) ? best : 'other';
}
