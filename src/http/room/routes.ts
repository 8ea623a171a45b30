import { findRoomIn, visibilityFor } from '#auth/visibility.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { RoomChange, RoomRegistry } from '#core/room/room-registry.ts';
import { cursorOf, revisionTag } from '#http/answer/resource.ts';
import { callerOf } from '#http/rights/access.ts';
import { recordRoutes } from '#http/routing/record-routes.ts';
import { jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
import { roomCreateSchema, roomJson, roomSchema, roomUpdateSchema } from './json.ts';
import * as notes from './notes.ts';

type RoomRoutesDeps = {
  readonly rooms: Pick<RoomRegistry, 'rooms' | 'findRoom'> & {
    readonly addRoom: (name: string, terms: AuthorizedTerms) => Promise<Room>;
    readonly updateRoom: (id: RoomId, change: RoomChange, terms: AuthorizedTerms) => Promise<Room>;
    readonly removeRoom: (id: RoomId, terms: AuthorizedTerms) => Promise<void>;
  };
  readonly eventCursor: () => string;
};

/** The rooms of the home: list, show, add, rename, remove. */
export function roomRoutes(deps: RoomRoutesDeps): readonly Route[] {
  const { rooms, eventCursor } = deps;
  const room = recordRoutes<Room, 'device:read' | 'room:manage'>({
    noun: 'room',
    tag: { name: 'Room', description: 'The rooms of the home.', after: 'Notification' },
    path: '/api/v1/room/:selector',
    schema: roomSchema,
    audit: { unaudited: 'everybody at home can see the rooms and their names' },
    find: (name, request, right) => findRoomIn(visibilityFor(callerOf(request), right), rooms.findRoom)(name),
    resource: (one) => ({ etag: revisionTag(one), headers: cursorOf(deps), content: () => ({ json: roomJson(one) }) }),
    eventCursor,
  });
  return [
    room.list(
      { id: 'listRooms', summary: 'List the rooms by name', note: notes.listRooms, access: 'device:read' },
      (request) => {
        const { seesRoom } = visibilityFor(callerOf(request), 'device:read');
        return rooms
          .rooms()
          .filter(({ id }) => seesRoom(id))
          .map(roomJson);
      },
    ),
    room.show({ id: 'getRoom', summary: 'Show one room', note: notes.getRoom, access: 'device:read' }),
    room.create(
      {
        id: 'createRoom',
        summary: 'Add a room',
        note: notes.createRoom,
        access: 'room:manage',
        body: jsonBody(roomCreateSchema),
      },
      async ({ body, authorize }) => {
        const added = await rooms.addRoom(body.name, { authorize });
        return [added, added.selector];
      },
    ),
    room.change(
      {
        id: 'updateRoom',
        method: 'PATCH',
        summary: 'Rename a room, or give it an icon',
        note: notes.updateRoom,
        access: 'room:manage',
        body: mergePatchBody(roomUpdateSchema),
      },
      ({ id }, { body: { name, icon } }, terms) => {
        const change = { ...(name === undefined ? {} : { name }), ...(icon === undefined ? {} : { icon }) };
        return rooms.updateRoom(id, change, terms);
      },
    ),
    room.remove(
      { id: 'removeRoom', summary: 'Remove a room; its devices stay', note: notes.removeRoom, access: 'room:manage' },
      ({ id }, _, terms) => rooms.removeRoom(id, terms),
    ),
  ];
}
