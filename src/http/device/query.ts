import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { parseJson } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import { AVAILABILITY_STATES, DEVICE_TYPES, deviceName } from '#core/device/device.ts';
import { compareWithPlace } from '#core/device/device-order.ts';
import { described, limited, wordOf } from '#http/note/described.ts';
import { DEVICE_FIELDS } from './json.ts';
import { faultWords } from '#words/faults.ts';

const deviceFieldSchema = limited(
  { 'x-enum-varnames': DEVICE_FIELDS.map((field) => field.toUpperCase()) },
  wordOf('DeviceField', DEVICE_FIELDS),
);
/** The longest cursor that the hub makes: a name of 200 UTF-16 units, each escaped as `\uXXXX`, in base64. */
const deviceCursorSchema = limited({ pattern: '^[A-Za-z0-9_-]+$' }, z.string().check(z.maxLength(2000)));

export const viewSchema = described(
  '`values`: each device in short, with its values alone (`DeviceValues`). Not with `fields`.',
  z.optional(z.enum(['values'])),
);

export const deviceQuerySchema = z.strictObject({
  room: described('Id or selector of a room.', z.optional(z.string())),
  type: described('Kind of device.', z.optional(wordOf('DeviceType', DEVICE_TYPES))),
  integration: described('Id of an integration.', z.optional(z.string())),
  availability: described('State of availability.', z.optional(wordOf('AvailabilityState', AVAILABILITY_STATES))),
  search: described('Part of the name; case does not matter.', z.optional(z.string().check(z.maxLength(200)))),
  fields: described(
    'Only these fields of each device. The answer then lacks the others, even required ones.',
    z.optional(z.array(deviceFieldSchema)),
  ),
  view: viewSchema,
  limit: described(
    'The most devices on a page; the header `Link` leads to the next page.',
    z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  ),
  cursor: described('Where the page begins: from the `Link` of the previous page.', z.optional(deviceCursorSchema)),
});
export type DeviceQuery = z.infer<typeof deviceQuerySchema>;

export type DevicePage = {
  readonly devices: readonly Device[];
  /** How many match on all pages. */
  readonly total: number;
  /** Where the next page starts; absent on the last one. */
  readonly nextCursor?: string;
};

/** The devices that match, in order, after the cursor and up to the limit. */
export function selectDevices(
  all: readonly Device[],
  query: DeviceQuery,
  findRoom: (idOrSelector: string) => Room | undefined,
): DevicePage {
  const matching = hasFilter(query) ? all.filter(filterOf(query, findRoom)) : all;
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const start = after === undefined ? 0 : placeBehind(matching, after);
  const { limit } = query;
  const devices = matching.slice(start, limit === undefined ? undefined : start + limit);
  const last = devices.at(-1);
  if (last === undefined || start + devices.length === matching.length) return { devices, total: matching.length };
  return { devices, total: matching.length, nextCursor: encodeCursor(last) };
}

/** True where the query asks for the whole list as it is. */
export function isWholeList(query: DeviceQuery): boolean {
  const { fields, view, limit, cursor } = query;
  return !hasFilter(query) && [fields, view, limit, cursor].every((one) => one === undefined);
}

function hasFilter({ room, type, integration, availability, search }: DeviceQuery): boolean {
  return [room, type, integration, availability, search].some((wanted) => wanted !== undefined);
}

function filterOf(
  query: DeviceQuery,
  findRoom: (idOrSelector: string) => Room | undefined,
): (device: Device) => boolean {
  const { type, integration, availability } = query;
  const search = query.search?.normalize('NFC').toLowerCase();
  // An unknown room has no devices; `null` would match devices without a room.
  const roomId = query.room === undefined ? undefined : (findRoom(query.room)?.id ?? 'none');
  return (device) =>
    (roomId === undefined || device.roomId === roomId) &&
    (type === undefined || device.type === type) &&
    (integration === undefined || device.integration === integration) &&
    (availability === undefined || device.availability.state === availability) &&
    (search === undefined || deviceName(device).normalize('NFC').toLowerCase().includes(search));
}

/** A cursor names the last device of a page, so that devices that come and go do not shift the pages. */
type Position = readonly [name: string, id: string];
const positionSchema = z.tuple([z.string(), z.uuid()]);

function encodeCursor(device: Device): string {
  return Buffer.from(JSON.stringify([deviceName(device), device.id] satisfies Position)).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  const position = z.safeParse(positionSchema, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!position.success) {
    throw new HubError('INVALID_QUERY', 'This hub did not make the cursor.', {
      errors: [fieldError('?cursor', 'INVALID_VALUE', ...faultWords('unknown_cursor'))],
      cause: position.error,
    });
  }
  return position.data;
}

/** Index of the first device after a position, whether or not the device of the position still exists. */
function placeBehind(devices: readonly Device[], [name, id]: Position): number {
  let low = 0;
  let high = devices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const device = devices[middle];
    if (device === undefined) break;
    if (compareWithPlace(device, name, id) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
