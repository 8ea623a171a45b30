import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { type NotificationSight, sightOfNotification } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import { isOpen, type Notification } from '#core/notification/notification.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import type { Scene } from '#core/scene/scene.ts';
import type { User, UserId } from '#core/person/user.ts';
import { described } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  inShort,
  type NotificationJson,
  notificationCreateSchema,
  notificationJson,
  notificationSchema,
  notificationsSchema,
  readNotification,
} from './json.ts';
import * as notes from './notes.ts';

type NotificationRoutesDeps = {
  readonly notifications: Pick<Notifications, 'all' | 'find' | 'post' | 'resolve' | 'acknowledge'>;
  readonly registry: {
    readonly findDevice: (idOrSelector: string) => Device | undefined;
    readonly devices: () => readonly Device[];
  };
  readonly accounts: { readonly findUser: (id: UserId) => User | undefined };
  readonly channels: { readonly find: (id: string) => unknown };
  readonly scenes: { readonly findScene: (idOrSelector: string) => Scene | undefined };
  readonly findRoom: (idOrSelector: string) => { readonly id: string } | undefined;
};

const PATH = '/api/v1/notification';

const querySchema = z.strictObject({
  open: described('Only those that need attention.', z.optional(z.boolean())),
  limit: described(
    'How many notifications are on a page; by default all are on one.',
    z.optional(z.int().check(z.minimum(1), z.maximum(500))),
  ),
  cursor: described('`next` of the answer before.', z.optional(z.uuid())),
});

/** Makes the calls about what people should know: list, show, send, acknowledge. */
export function notificationRoutes(deps: NotificationRoutesDeps): readonly Route[] {
  return [listRoute(deps), showRoute(deps), sendRoute(deps), acknowledgeRoute(deps)];
}

function listRoute({ notifications, registry }: NotificationRoutesDeps): Route {
  return defineRoute({
    id: 'listNotifications',
    method: 'GET',
    path: PATH,
    summary: 'List the notifications, those shown last first',
    tag: 'Notification',
    note: notes.listNotifications,
    access: 'notification:read',
    query: querySchema,
    answers: { 200: notificationsSchema },
    handle: (request) => {
      const { open, limit = Number.POSITIVE_INFINITY, cursor } = request.query;
      const caller = callerOf(request);
      const sights = new Map<Notification, NotificationSight>(
        notifications.all().map((one) => [one, sightNow(caller, one, registry.findDevice)]),
      );
      const visible = [...sights.keys()].filter((one) => sights.get(one) !== 'hidden');
      const isOpenTo = (one: Notification): boolean => sights.get(one) === 'short' || isOpen(one);
      const seen = visible.filter((one) => open === undefined || isOpenTo(one) === open);
      // One that the caller may not see is like one that does not exist.
      const start =
        cursor === undefined
          ? 0
          : startAfter(
              visible.find(({ id }) => id === cursor),
              seen,
            );
      const page = seen.slice(start, start + limit);
      const last = page.at(-1);
      const next = last !== undefined && start + page.length < seen.length ? last.id : null;
      const headers = { 'X-Total-Count': String(seen.length) };
      const json = { notifications: page.map((one) => shownJson(one, sights.get(one))), next };
      return { status: 200, json, headers };
    },
  });
}

/** A danger in short ends with its cause. */
function sightNow(
  caller: Caller,
  one: Notification,
  findDevice: NotificationRoutesDeps['registry']['findDevice'],
): NotificationSight {
  const sight = sightOfNotification(caller, one, findDevice);
  return sight === 'short' && one.resolvedAtMs !== null ? 'hidden' : sight;
}

function shownJson(one: Notification, sight: NotificationSight | undefined): NotificationJson {
  return sight === 'short' ? inShort(notificationJson(one)) : notificationJson(one);
}

/** Also where the last one of a page was acknowledged meanwhile, or is kept no more: then the list begins anew. */
function startAfter(last: Notification | undefined, seen: readonly Notification[]): number {
  if (last === undefined) return 0;
  const own = seen.findIndex(({ id }) => id === last.id);
  if (own !== -1) return own + 1;
  const older = seen.findIndex(({ updatedAtMs }) => updatedAtMs < last.updatedAtMs);
  return older === -1 ? seen.length : older;
}

function showRoute({ notifications, registry }: NotificationRoutesDeps): Route {
  return defineRoute({
    id: 'getNotification',
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Show a notification',
    tag: 'Notification',
    note: notes.getNotification,
    access: 'notification:read',
    answers: { 200: notificationSchema },
    handle: (request) => {
      const { one, sight } = requireNotification(request, callerOf(request), { notifications, registry });
      return { status: 200, json: shownJson(one, sight) };
    },
  });
}

/** Throws HubError NOT_FOUND too for one that the caller may not see. */
function requireNotification(
  { params }: Pick<RouteRequest<unknown, unknown>, 'params'>,
  caller: Caller,
  { notifications, registry }: Pick<NotificationRoutesDeps, 'notifications' | 'registry'>,
): { readonly one: Notification; readonly sight: NotificationSight } {
  const one = notifications.find(params['id'] ?? '');
  const sight = one === undefined ? 'hidden' : sightNow(caller, one, registry.findDevice);
  if (one === undefined || sight === 'hidden') throw new HubError('NOT_FOUND', 'There is no such notification.');
  return { one, sight };
}

function sendRoute({ notifications, registry, accounts, channels, scenes, findRoom }: NotificationRoutesDeps): Route {
  return defineRoute({
    id: 'createNotification',
    method: 'POST',
    path: PATH,
    summary: 'Send a notification, or say that one is over',
    tag: 'Notification',
    note: notes.createNotification,
    access: 'notification:manage',
    body: jsonBody(notificationCreateSchema),
    answers: { 200: notificationSchema, 201: notificationSchema, 202: null, 204: null },
    audit: { unaudited: 'the notification itself is kept, with who sent it' },
    handle: async ({ body, authorize }) => {
      const content = readNotification(body, authorize(), {
        findUser: (id) => accounts.findUser(id as UserId),
        findChannel: channels.find,
        registry,
        findScene: scenes.findScene,
        findRoom,
      });
      const given = { authorize: (): void => void authorize() };
      const over = body.resolve_key === undefined ? undefined : await notifications.resolve(body.resolve_key, given);
      if (content === undefined) {
        return over === undefined ? { status: 204 } : { status: 200, json: notificationJson(over) };
      }
      const posted = await notifications.post(content, given);
      if (posted.outcome === 'later') return { status: 202 };
      const json = notificationJson(posted.notification);
      if (posted.outcome !== 'added') return { status: 200, json };
      return { status: 201, json, headers: { Location: `${PATH}/${json.id}` } };
    },
  });
}

function acknowledgeRoute({ notifications, registry }: NotificationRoutesDeps): Route {
  return defineRoute({
    id: 'acknowledgeNotification',
    method: 'POST',
    path: `${PATH}/:id/acknowledge`,
    summary: 'Acknowledge a notification, so that it needs no attention and does not come again',
    tag: 'Notification',
    note: notes.acknowledgeNotification,
    access: 'notification:read',
    answers: { 200: notificationSchema },
    audit: { unaudited: 'the notification itself keeps who acknowledged it' },
    handle: async ({ params, authorize }) => {
      const require = (caller: Caller): Notification => {
        const { one, sight } = requireNotification({ params }, caller, { notifications, registry });
        if (sight === 'whole') return one;
        throw new HubError('FORBIDDEN', 'You see this danger in short: the people that it names see to it.');
      };
      const caller = authorize();
      const { id } = require(caller);
      const acknowledged = await notifications.acknowledge(id, caller.user.id, {
        authorize: () => void require(authorize()),
      });
      return { status: 200, json: notificationJson(acknowledged) };
    },
  });
}
