import * as z from 'zod/mini';
import type { Room } from '#core/room/room.ts';
import { iconSchema, nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

export const roomCreateSchema = named('RoomCreate', z.strictObject({ name: nameSchema }));
export const roomUpdateSchema = named(
  'RoomUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    icon: described('A word for the pictures of your client, such as `sofa`; `null`: none.', z.optional(iconSchema)),
  }),
);
export const roomSchema = named(
  'Room',
  z.object({
    id: z.uuid(),
    selector: described('Stable, readable and unique. Every call takes it in place of the id.', z.string()),
    name: z.string(),
    icon: described(
      'A word for the pictures of clients, such as `sofa`; `null`: none. A new room has the one that its name says.',
      z.nullable(z.string()),
    ),
    revision: z.int(),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

/** A room in the form of the API. */
export function roomJson(room: Room): z.infer<typeof roomSchema> {
  return {
    id: room.id,
    selector: room.selector,
    name: room.name,
    icon: room.icon ?? null,
    revision: room.revision,
    created_at: timeJson(room.createdAtMs),
    updated_at: timeJson(room.updatedAtMs),
  };
}

const event = {
  shape: { room: roomSchema },
  json: ({ room }: { readonly room: Room }) => ({ room: roomJson(room) }),
};
declareEvents(20, null, { 'room.added': event, 'room.changed': event, 'room.removed': event });
