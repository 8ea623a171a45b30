import type * as z from 'zod/mini';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { readRequest } from '#core/command/command-request.ts';
import { MAX_TARGETS } from '#core/command/command-terms.ts';
import type { Device } from '#core/device/device.ts';
import { isGroup, membersOf } from '#core/device/group.ts';
import type { Room } from '#core/room/room.ts';
import type { FindDevice, SceneTarget } from '#core/scene/scene.ts';
import { spreadTargets } from '#core/scene/scene-groups.ts';
import { targetOf } from '#core/scene/scene-capture.ts';
import { tooManyMembers } from '#http/command/give.ts';
import { limit } from '#words/limits.ts';
import type { sceneCaptureSchema, sceneTargetWishSchema } from './json.ts';
import { faultWords } from '#words/faults.ts';

/** The part of the home that the caller may use. */
export type SceneHome = {
  readonly devices: () => readonly Device[];
  readonly findDevice: FindDevice;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
};

/**
 * Targets that a person wrote, checked as a command is. A target of the scene whose device is gone may stay as it is.
 * Throws HubError VALIDATION_FAILED with every fault.
 */
export function readTargets(
  { findDevice }: Pick<SceneHome, 'findDevice'>,
  wishes: readonly z.infer<typeof sceneTargetWishSchema>[],
  old: readonly SceneTarget[] = [],
): readonly SceneTarget[] {
  const errors: FieldError[] = [];
  const targets = new Map<string, SceneTarget>();
  for (const [index, wish] of wishes.entries()) {
    const pointer = `/targets/${index}`;
    const device = findDevice(wish.device);
    const kept = old.find(({ deviceId, selector }) => wish.device === deviceId || wish.device === selector);
    const id = device?.id ?? kept?.deviceId ?? '';
    if (targets.has(id)) errors.push(fieldError(`${pointer}/device`, 'INVALID_VALUE', ...faultWords('named_twice')));
    else if (device !== undefined) {
      // The body was parsed as JSON, so each value is JSON.
      const set = wish.set as JsonObject;
      const reading = readRequest(device, { set });
      if ('errors' in reading)
        errors.push(...reading.errors.map((one) => ({ ...one, pointer: pointer + one.pointer })));
      targets.set(id, { ...targetOf(device, set), transitionMs: wish.transition_ms ?? null });
    } else if (kept !== undefined) targets.set(id, kept);
    else errors.push(fieldError(`${pointer}/device`, 'INVALID_VALUE', ...faultWords('unknown_device')));
  }
  if (errors.length > 0) throw validationFailed(errors);
  const wanted = [...targets.values()];
  const spread = spreadTargets(wanted, findDevice);
  if (spread !== wanted && spread.length > MAX_TARGETS) throw tooManyMembers();
  return wanted;
}

/** The devices that a capture names, each once. `undefined` if it names none. */
export function captureDevices(
  home: SceneHome,
  { devices: names, room }: z.infer<typeof sceneCaptureSchema>,
  pointer = '/capture',
): readonly Device[] | undefined {
  if (names === undefined && room === undefined) return undefined;
  const named = (names ?? []).map((name) => home.findDevice(name));
  const errors = named.flatMap((device, index) =>
    device === undefined
      ? [fieldError(`${pointer}/devices/${index}`, 'INVALID_VALUE', ...faultWords('unknown_device'))]
      : [],
  );
  if (errors.length > 0) throw validationFailed(errors);
  const roomId = room === undefined ? undefined : findSceneRoom(home, room, `${pointer}/room`)?.id;
  const inRoom = roomId === undefined ? [] : home.devices().filter((device) => device.roomId === roomId);
  const found = [...named.filter((device) => device !== undefined), ...inRoom];
  // What is captured of a group are its members.
  const members = found.flatMap((device) => (isGroup(device) ? membersOf(device, home.findDevice) : device));
  const devices = [...new Set(members)];
  if (devices.length > MAX_TARGETS) {
    const most = limit('most', { most: MAX_TARGETS });
    throw validationFailed([fieldError(`${pointer}/room`, 'TOO_LONG', `must be at most ${MAX_TARGETS} devices`, most)]);
  }
  return devices;
}

export function findSceneRoom({ findRoom }: Pick<SceneHome, 'findRoom'>, name: string, pointer: string): Room {
  const room = findRoom(name);
  if (room !== undefined) return room;
  throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', {
    errors: [fieldError(pointer, 'INVALID_VALUE', ...faultWords('unknown_room'))],
  });
}
