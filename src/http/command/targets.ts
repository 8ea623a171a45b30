import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { canFulfil, type CommandRequest, findFormFault } from '#core/command/command-request.ts';
import { MAX_TARGETS } from '#core/command/command-terms.ts';
import type { JsonObject } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import type { Room } from '#core/room/room.ts';
import { limit } from '#words/limits.ts';
import { faultWords } from '#words/faults.ts';

type Targets = { readonly devices?: readonly string[] | undefined; readonly room?: string | undefined };

type Deps = {
  /** The devices that the caller sees. */
  readonly devices: () => readonly Device[];
  readonly findDevice: (idOrSelector: string) => Device | undefined;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  /** Whether the caller may request this of the device. */
  readonly mayCommand: (device: Device) => boolean;
};

/**
 * The devices of a request, each once. It is for every device that it names. In a room, it is for the devices that have
 * the requested features, so that `{"on": false}` skips sensors. If the caller may command only some of them, it is for
 * those.
 */
export function selectTargets(deps: Deps, targets: Targets, request: CommandRequest): readonly Device[] {
  const fault = findFormFault(request);
  if (fault !== undefined) throw validationFailed([fault]);
  if (targets.devices === undefined && targets.room === undefined) {
    throw validationFailed([fieldError('/targets', 'REQUIRED', ...faultWords('no_targets'))]);
  }
  const selected = new Set([...namedDevices(deps, targets.devices ?? []), ...roomDevices(deps, targets.room, request)]);
  if (selected.size > MAX_TARGETS) {
    const most = limit('most', { most: MAX_TARGETS });
    throw validationFailed([fieldError('/targets', 'TOO_LONG', `must be at most ${MAX_TARGETS} devices`, most)]);
  }
  return [...selected];
}

function namedDevices({ findDevice }: Deps, names: readonly string[]): readonly Device[] {
  const devices = names.map((name) => findDevice(name));
  const errors = devices.flatMap((device, index) =>
    device === undefined
      ? [fieldError(`/targets/devices/${index}`, 'INVALID_VALUE', ...faultWords('unknown_device'))]
      : [],
  );
  if (errors.length > 0) throw validationFailed(errors);
  return devices.filter((device) => device !== undefined);
}

function roomDevices(
  { devices, findRoom, mayCommand }: Deps,
  name: string | undefined,
  request: CommandRequest,
): readonly Device[] {
  if (name === undefined) return [];
  const room = findRoom(name);
  if (room === undefined) {
    throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', {
      errors: [fieldError('/targets/room', 'INVALID_VALUE', ...faultWords('unknown_room'))],
    });
  }
  // A group of the room has no member that is elsewhere.
  const fitting = devices().filter(
    (device) => device.roomId === room.id && !isGroup(device) && canFulfil(device, request),
  );
  if (fitting.length === 0) {
    throw validationFailed([fieldError('/targets/room', 'INVALID_VALUE', ...faultWords('no_device_can'))]);
  }
  const allowed = fitting.filter(mayCommand);
  return allowed.length === 0 ? fitting : allowed;
}

type WishBody = {
  readonly device: string;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly do?: string | undefined;
  readonly transition_ms?: number | undefined;
};
type WishesBody = {
  readonly wishes?: readonly WishBody[] | undefined;
  readonly targets?: unknown;
  readonly set?: unknown;
  readonly do?: unknown;
};

/** The devices of a request that wants something else of each. Throws HubError VALIDATION_FAILED with every fault. */
export function readWishes(findDevice: Deps['findDevice'], body: WishesBody): ReadonlyMap<Device, CommandRequest> {
  const errors = (['targets', 'set', 'do'] as const).flatMap((name) =>
    body[name] === undefined
      ? []
      : [fieldError(`/${name}`, 'INVALID_VALUE', ...faultWords('not_beside', { other: 'wishes' }))],
  );
  const requests = new Map<Device, CommandRequest>();
  for (const [index, wish] of (body.wishes ?? []).entries()) {
    const pointer = `/wishes/${index}`;
    const device = findDevice(wish.device);
    if (device === undefined) {
      errors.push(fieldError(`${pointer}/device`, 'INVALID_VALUE', ...faultWords('unknown_device')));
    } else if (requests.has(device)) {
      errors.push(fieldError(`${pointer}/device`, 'INVALID_VALUE', ...faultWords('named_twice')));
    } else {
      // The body was parsed as JSON, so each value is JSON.
      const set = wish.set as JsonObject | undefined;
      requests.set(device, { set, do: wish.do, transitionMs: wish.transition_ms, pointer });
    }
  }
  if (errors.length > 0) throw validationFailed(errors);
  return requests;
}
