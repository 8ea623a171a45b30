import { z } from 'zod/mini';
import type { Scope } from '#auth/scope.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/records/authorized-change.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { RoomChange, RoomRegistry } from '#core/room/room-registry.ts';
import { callerOf } from '#http/rights/access.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  revisionTag,
  showCreated,
  showResource,
  showUnlessKnown,
} from '#http/answer/resource.ts';
import type { Route, RouteRequest } from '#http/routing/route.ts';
import { defineRoute, jsonBody, mergePatchBody } from '#http/routing/route.ts';
import { findRoomIn, visibilityFor } from '#auth/visibility.ts';
import { roomCreateSchema, roomJson, roomSchema, roomUpdateSchema } from './json.ts';
import * as notes from './notes.ts';

type RoomRoutesDeps = {
  readonly rooms: Pick<RoomRegistry, 'rooms' | 'findRoom'> & {
    readonly addRoom: (name: string, given: AuthorizedChange) => Promise<Room>;
    readonly updateRoom: (id: RoomId, change: RoomChange, given: AuthorizedChange) => Promise<Room>;
    readonly removeRoom: (id: RoomId, given: AuthorizedChange) => Promise<void>;
  };
  readonly eventCursor: () => string;
};

const PATH = '/api/v1/room';
const ONE = '/api/v1/room/:selector';

/** The rooms of the home: list, show, add, rename, remove. */
export function roomRoutes(deps: RoomRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps)];
}

function readingRoutes(deps: RoomRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listRooms',
      method: 'GET',
      path: PATH,
      summary: 'List the rooms by name',
      tag: 'Room',
      note: notes.listRooms,
      access: 'device:read',
      answers: { 200: z.array(roomSchema), 304: null },
      handle: (request) => {
        const { seesRoom } = visibilityFor(callerOf(request), 'device:read');
        const json = deps.rooms
          .rooms()
          .filter(({ id }) => seesRoom(id))
          .map(roomJson);
        return showUnlessKnown(listResource(json, cursorOf(deps)), request.header);
      },
    }),
    defineRoute({
      id: 'getRoom',
      method: 'GET',
      path: ONE,
      summary: 'Show one room',
      tag: 'Room',
      note: notes.getRoom,
      access: 'device:read',
      answers: { 200: roomSchema, 304: null },
      handle: (request) => {
        const room = roomOf(deps, request, 'device:read');
        return showUnlessKnown(roomResource(deps, room), request.header);
      },
    }),
  ];
}

function changingRoutes(deps: RoomRoutesDeps): readonly Route[] {
  const { rooms } = deps;
  return [
    defineRoute({
      id: 'createRoom',
      method: 'POST',
      path: PATH,
      summary: 'Add a room',
      tag: 'Room',
      note: notes.createRoom,
      access: 'room:manage',
      body: jsonBody(roomCreateSchema),
      answers: { 201: roomSchema },
      audit: { unaudited: 'everybody at home can see the rooms and their names' },
      handle: async ({ body, authorize }) => {
        const room = await rooms.addRoom(body.name, { authorize });
        return showCreated(roomResource(deps, room), `${PATH}/${room.selector}`);
      },
    }),
    defineRoute({
      id: 'updateRoom',
      method: 'PATCH',
      path: ONE,
      summary: 'Rename a room, or give it an icon',
      tag: 'Room',
      note: notes.updateRoom,
      access: 'room:manage',
      body: mergePatchBody(roomUpdateSchema),
      answers: { 200: roomSchema },
      audit: { unaudited: 'everybody at home can see the rooms and their names' },
      handle: async (request) => {
        const room = roomOf(deps, request, 'room:manage');
        const { body, authorize } = request;
        const ifRevision = requiredRevision(request.header('if-match'), room.revision);
        const { name, icon } = body;
        const change = { ...(name === undefined ? {} : { name }), ...(icon === undefined ? {} : { icon }) };
        const changed = await rooms.updateRoom(room.id, change, { ifRevision, authorize });
        return showResource(roomResource(deps, changed));
      },
    }),
    defineRoute({
      id: 'removeRoom',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a room; its devices stay',
      tag: 'Room',
      note: notes.removeRoom,
      access: 'room:manage',
      answers: { 204: null },
      audit: { unaudited: 'everybody at home can see the rooms and their names' },
      handle: async (request) => {
        const room = roomOf(deps, request, 'room:manage');
        const ifRevision = requiredRevision(request.header('if-match'), room.revision);
        await rooms.removeRoom(room.id, { ifRevision, authorize: request.authorize });
        return { status: 204 };
      },
    }),
  ];
}

type AskedRoom = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

function roomOf({ rooms }: RoomRoutesDeps, request: AskedRoom, right: Scope): Room {
  const findRoom = findRoomIn(visibilityFor(callerOf(request), right), rooms.findRoom);
  const room = findRoom(request.params['selector'] ?? '');
  if (room === undefined) throw new HubError('NOT_FOUND', 'There is no such room.');
  return room;
}

function roomResource(deps: RoomRoutesDeps, room: Room): Resource {
  return { etag: revisionTag(room), headers: cursorOf(deps), content: () => ({ json: roomJson(room) }) };
}
