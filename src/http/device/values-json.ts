import * as z from 'zod/mini';
import { AVAILABILITY_STATES, type Device, DEVICE_TYPES, deviceName } from '#core/device/device.ts';
import { isSensitive } from '#core/device/sensitive.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { FindRoom } from './json.ts';

/** A device in short, for dashboards and assistants. */
export const deviceValuesSchema = named(
  'DeviceValues',
  described(
    'A device in short: what it is, and its values.',
    z.object({
      selector: described('As in `Device`.', z.string()),
      name: described('As people call it.', z.string()),
      room: described('Selector of its room; `null` without one.', z.nullable(z.string())),
      type: described('As in `Device`.', wordOf('DeviceType', DEVICE_TYPES)),
      availability: described('State of availability.', wordOf('AvailabilityState', AVAILABILITY_STATES)),
      sensitive: described('Whether commands need `device:control_sensitive`.', z.boolean()),
      values: described('By feature key: the values of its states that are known.', z.record(z.string(), z.unknown())),
    }),
  ),
);

export function deviceValuesJson(device: Device, findRoom: FindRoom): z.infer<typeof deviceValuesSchema> {
  const { selector, roomId, type, availability, features, states } = device;
  const known = features.flatMap(({ key, kind, readable }) => {
    const value = kind === 'state' && readable ? states.get(key)?.value : null;
    return value === null || value === undefined ? [] : [[key, value] as const];
  });
  return {
    selector,
    name: deviceName(device),
    room: roomId === null ? null : (findRoom(roomId)?.selector ?? null),
    type,
    availability: availability.state,
    sensitive: isSensitive(device),
    values: Object.fromEntries(known),
  };
}
