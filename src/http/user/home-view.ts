import * as z from 'zod/mini';
import { findDeviceIn, findRoomIn, type Visibility, visibilityFor } from '#auth/visibility.ts';
import { type FieldError, validationFailed } from '#base/hub-error.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeView, HomeViews } from '#core/home-view/home-view.ts';
import type { RoomId } from '#core/room/room.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { callerOf } from '#http/rights/access.ts';
import { described, named } from '#http/note/described.ts';
import { readIds, unknownIn } from '#http/routing/named-ids.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import * as notes from './notes.ts';

const MOST = 400;
/** `readIds` checks the items: zod would take too long for a list of many wrong ones. */
const namesSchema = z.array(z.unknown()).check(z.maxLength(MOST));
const idsSchema = z.array(z.uuid());
const homeViewSchema = named(
  'HomeView',
  z.object({
    favorites: described('Devices, in the order of the person.', idsSchema),
    room_order: described('Rooms that come first, in this order; the others follow by name.', idsSchema),
    device_order: described('The same for the devices of each room.', idsSchema),
    hidden: described('Rooms and devices that the person does not want to see at first.', idsSchema),
  }),
);
const homeViewBodySchema = named(
  'HomeViewSet',
  z.strictObject({
    favorites: described('Ids or selectors.', z.optional(namesSchema)),
    room_order: described(
      'Ids or selectors of the rooms that come first, in this order; the others follow by name.',
      z.optional(namesSchema),
    ),
    device_order: described('Ids or selectors: the same for the devices of each room.', z.optional(namesSchema)),
    hidden: described(
      'Ids or selectors of rooms and devices that you do not want to see at first.',
      z.optional(namesSchema),
    ),
  }),
);

type HomeViewRoutesDeps = {
  readonly homeViews: HomeViews;
  readonly registry: Pick<DeviceRegistry, 'findDevice'>;
  readonly findRoom: RoomRegistry['findRoom'];
};

/** How the caller wants to see the home. It follows the person to each client. */
export function homeViewRoutes(deps: HomeViewRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getHomeView',
      method: 'GET',
      path: '/api/v1/me/home',
      summary: 'Show your favorites, your order of rooms and devices, and what you hide',
      tag: 'Account',
      note: notes.getHomeView,
      access: 'device:read',
      answers: { 200: homeViewSchema },
      handle: (request) => {
        const caller = callerOf(request);
        const seen = seenBy(deps, visibilityFor(caller, 'device:read'));
        return { status: 200, json: homeViewJson(deps.homeViews.of(caller.user.id), seen) };
      },
    }),
    defineRoute({
      id: 'setHomeView',
      method: 'PUT',
      path: '/api/v1/me/home',
      summary: 'Set your favorites, your order of rooms and devices, and what you hide',
      tag: 'Account',
      note: notes.setHomeView,
      access: 'session',
      body: jsonBody(homeViewBodySchema),
      answers: { 200: homeViewSchema },
      audit: { unaudited: 'it changes only what the person sees first, and no right' },
      handle: async (request) => {
        const { user } = callerOf(request);
        const seen = seenBy(deps, visibilityFor(callerOf(request), 'device:read'));
        const view = viewFrom(request.body, seen);
        request.authorize();
        await deps.homeViews.change(user.id, view);
        return { status: 200, json: homeViewJson(view, seen) };
      },
    }),
  ];
}

type Order = Omit<HomeView, 'language'>;

type Seen = {
  readonly findDevice: ReturnType<typeof findDeviceIn>;
  readonly findRoom: ReturnType<typeof findRoomIn>;
};

function seenBy({ registry, findRoom }: HomeViewRoutesDeps, visibility: Visibility): Seen {
  return {
    findDevice: findDeviceIn(visibility, registry.findDevice),
    findRoom: findRoomIn(visibility, findRoom),
  };
}

/** Reads the whole view: a part that is left out counts as never set, because the person sends all of it. */
function viewFrom(body: z.infer<typeof homeViewBodySchema>, { findDevice, findRoom }: Seen): Order {
  const errors: FieldError[] = [];
  // What is no text is the name of nothing.
  const named = (names: readonly unknown[] = []): readonly string[] => {
    return names.map((name) => (typeof name === 'string' ? name : ''));
  };
  const view: Order = {
    favorites: readIds(named(body.favorites), findDevice, unknownIn('/favorites', 'device', errors)),
    roomOrder: readIds(named(body.room_order), findRoom, unknownIn('/room_order', 'room', errors)),
    deviceOrder: readIds(named(body.device_order), findDevice, unknownIn('/device_order', 'device', errors)),
    hidden: readIds<DeviceId | RoomId>(
      named(body.hidden),
      (name) => findDevice(name) ?? findRoom(name),
      unknownIn('/hidden', 'device', errors),
    ),
  };
  if (errors.length > 0) throw validationFailed(errors);
  // An id and a selector may name the same.
  return {
    favorites: [...new Set(view.favorites)],
    roomOrder: [...new Set(view.roomOrder)],
    deviceOrder: [...new Set(view.deviceOrder)],
    hidden: [...new Set(view.hidden)],
  };
}

function homeViewJson(view: Order, { findDevice, findRoom }: Seen): z.infer<typeof homeViewSchema> {
  return {
    favorites: view.favorites.filter((id) => findDevice(id) !== undefined),
    room_order: view.roomOrder.filter((id) => findRoom(id) !== undefined),
    device_order: view.deviceOrder.filter((id) => findDevice(id) !== undefined),
    hidden: view.hidden.filter((id) => findDevice(id) !== undefined || findRoom(id) !== undefined),
  };
}
