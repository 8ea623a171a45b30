import * as z from 'zod/mini';
import { type Device, deviceName } from '#core/device/device.ts';
import { MAX_MEMBERS } from '#core/device/group.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { roomReferenceSchema } from '#http/answer/reference.ts';
import { described, named } from '#http/note/described.ts';

const selectorSchema = z.string().check(z.minLength(1), z.maxLength(200));
const membersSchema = described(
  'Ids or selectors of devices; none of them a group.',
  z.array(selectorSchema).check(z.minLength(1), z.maxLength(MAX_MEMBERS)),
);
const roomNameSchema = described(
  'Id or selector of the room of every member: a group with members elsewhere is in no room.',
  z.optional(z.nullable(selectorSchema)),
);

export const groupCreateSchema = named(
  'GroupCreate',
  z.strictObject({ name: nameSchema, members: membersSchema, room: roomNameSchema }),
);
export const groupUpdateSchema = named(
  'GroupUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    members: z.optional(membersSchema),
    room: roomNameSchema,
  }),
);

const memberSchema = named(
  'GroupMember',
  z.object({
    id: z.uuid(),
    selector: z.string(),
    name: z.string(),
    state: described(
      '`missing`: the device was removed; it is a member again when it returns.',
      z.enum(['ok', 'missing']),
    ),
  }),
);
export const groupSchema = named(
  'Group',
  described(
    'Several devices as one. Its values are in the device of the same id.',
    z.object({
      id: z.uuid(),
      selector: described('Stable, readable and unique, also as that of the device.', z.string()),
      name: z.string(),
      room: z.nullable(roomReferenceSchema),
      members: described('The devices in it that the caller sees.', z.array(memberSchema)),
      revision: z.int(),
      created_at: timeSchema,
      updated_at: timeSchema,
    }),
  ),
);

type GroupView = {
  readonly findRoom: (id: RoomId) => Room | undefined;
  readonly findDevice: (id: string) => Device | undefined;
  /** Whether the caller sees this member; `undefined` for one that was removed. */
  readonly seesMember: (member: Device | undefined) => boolean;
};

/** A group as the API shows it. */
export function groupJson(group: Device, { findRoom, findDevice, seesMember }: GroupView): z.infer<typeof groupSchema> {
  const room = group.roomId === null ? undefined : findRoom(group.roomId);
  return {
    id: group.id,
    selector: group.selector,
    name: deviceName(group),
    room: room === undefined ? null : { id: room.id, selector: room.selector, name: room.name },
    members: (group.members ?? []).flatMap(({ id, selector }) => {
      const device = findDevice(id);
      if (!seesMember(device)) return [];
      const name = device === undefined ? selector : deviceName(device);
      return { id, selector, name, state: device === undefined ? ('missing' as const) : ('ok' as const) };
    }),
    revision: group.revision,
    created_at: timeJson(group.createdAtMs),
    updated_at: timeJson(group.updatedAtMs),
  };
}
