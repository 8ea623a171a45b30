import type * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { findRoomIn, visibilityFor } from '#auth/visibility.ts';
import { fieldError, HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceUpdate } from '#core/device/device-registry.ts';
import { isSensitive } from '#core/device/sensitive.ts';
import type { Room } from '#core/room/room.ts';
import { callerOf, homeNeeded, insufficientScope, sessionNeeded } from '#http/rights/access.ts';
import type { RouteRequest } from '#http/routing/route.ts';
import { faultWords } from '#words/faults.ts';
import type { deviceUpdateSchema } from './json.ts';

type Body = z.infer<typeof deviceUpdateSchema>;

/** Reads a change of a device. Throws HubError ROOM_NOT_FOUND, and FORBIDDEN for what the caller may not change of it. */
export function updateFrom(
  deps: { readonly findRoom: (idOrSelector: string) => Room | undefined },
  request: Pick<RouteRequest<unknown, Body>, 'caller' | 'body'>,
  device: Device,
): DeviceUpdate {
  const { name, room, sensitive, all_off: isInAllOff, icon } = request.body;
  const caller = callerOf(request);
  if (sensitive === false && device.markedSensitive === true) refuseUnmarking(caller);
  const findRoom = findRoomIn(visibilityFor(caller, 'device:manage'), deps.findRoom);
  const found = room === null || room === undefined ? null : findRoom(room);
  if (found === undefined) {
    const errors = [fieldError('/room', 'INVALID_VALUE', ...faultWords('unknown_room'))];
    throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', { errors });
  }
  const roomId = found?.id ?? null;
  if (room !== undefined && !canCaller(caller, 'device:manage', { device: { id: device.id, roomId } })) {
    throw homeNeeded();
  }
  // Who may open what is in a room may then open this: a script gives no door to others that it may not open itself.
  const isMoved = room !== undefined && roomId !== device.roomId;
  if (isMoved && isSensitive(device) && !canCaller(caller, 'device:control_sensitive', { device })) {
    throw insufficientScope('device:control_sensitive', ` for ${device.selector}`);
  }
  return {
    ...(name === undefined ? {} : { ownName: name }),
    ...(room === undefined ? {} : { roomId }),
    ...(sensitive === undefined ? {} : { markedSensitive: sensitive }),
    ...(isInAllOff === undefined ? {} : { isLeftOn: isInAllOff === null ? undefined : !isInAllOff }),
    ...(icon === undefined ? {} : { icon }),
  };
}

/** Says for the audit log which marks a change sets. */
export function marksIn({ sensitive, all_off: isInAllOff }: Body): readonly string[] {
  const words = isInAllOff === null ? 'in all off by its type' : isInAllOff === true ? 'in all off' : 'not in all off';
  return [
    ...(sensitive === undefined ? [] : [sensitive ? 'sensitive' : 'not sensitive']),
    ...(isInAllOff === undefined ? [] : [words]),
  ];
}

/** The mark keeps people and scripts out: removing it needs a login, and the right to manage the hub. */
function refuseUnmarking(caller: Caller): void {
  if (!canCaller(caller, 'session')) throw sessionNeeded();
  if (!canCaller(caller, 'hub:manage')) throw insufficientScope('hub:manage');
}
