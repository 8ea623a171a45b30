import type { Caller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { Channel, Channels, KnownChannel } from '#core/notification/channel.ts';
import type { User, UserId } from '#core/person/user.ts';
import { hostOfUrl } from '#core/webhook/webhook.ts';
import { revisedResource, showIfChanged } from '#http/answer/resource.ts';
import { callerOf } from '#http/rights/access.ts';
import { receiverRoutes } from '#http/routing/receiver-routes.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  attemptJson,
  channelAttemptSchema,
  type ChannelChange,
  channelCreateSchema,
  channelJson,
  type ChannelReadDeps,
  channelSchema,
  channelUpdateSchema,
  createdChannelSchema,
  emptyChannel,
  PAGE_CHANNEL,
  readChannelChange,
} from './json.ts';
import * as notes from './notes.ts';

type ChannelRoutesDeps = Pick<ChannelReadDeps, 'isLanAddress' | 'isOwnAddress' | 'isBroker'> & {
  readonly channels: Channels;
  readonly accounts: { readonly findUser: (id: UserId) => User | undefined };
};

const PATH = '/api/v1/notification_channel';

/** The ways by which notifications leave the hub. */
export function notificationChannelRoutes(deps: ChannelRoutesDeps): readonly Route[] {
  const { channels, accounts } = deps;
  const readFor = (caller: Caller, body: ChannelChange, old: Parameters<Channels['add']>[0]) =>
    readChannelChange(body, old, { ...deps, findUser: (id) => accounts.findUser(id as UserId), caller });
  const channel = receiverRoutes<KnownChannel>({
    noun: 'channel',
    audit: 'notification_channel',
    tag: 'Notification',
    access: 'notification:manage',
    changes: { sessionOnly: true },
    path: PATH,
    schema: channelSchema,
    find: (id) => {
      if (id !== PAGE_CHANNEL.id) return channels.find(id);
      throw new HubError('NOT_SUPPORTED', 'The page is always a channel: it has nothing to set.');
    },
    idOf: (known) => known.channel.id,
    json: channelJson,
    placeOf: (known) => placeOf(known.channel),
  });
  return [
    channel.list(
      {
        id: 'listNotificationChannels',
        summary: 'List the channels of notifications',
        note: notes.listNotificationChannels,
      },
      (caller) => [PAGE_CHANNEL, ...channels.channels().map((one) => channelJson(one, caller))],
    ),
    showRoute(channel.itemOf),
    channel.create(
      {
        id: 'createNotificationChannel',
        summary: 'Add a channel',
        note: notes.createNotificationChannel,
        body: jsonBody(channelCreateSchema),
        schema: createdChannelSchema,
      },
      ({ type, ...body }, caller) => {
        const settings = readFor(caller, body, emptyChannel(type));
        return { ...settings, add: (given) => channels.add(settings, given) };
      },
      ({ channel: { type, secret } }) => ({ secret: type === 'webhook' ? secret : null }),
    ),
    channel.update(
      {
        id: 'updateNotificationChannel',
        summary: 'Change a channel',
        note: notes.updateNotificationChannel,
        body: mergePatchBody(channelUpdateSchema),
      },
      ({ channel: { id } }, body, authorize) =>
        channels.update(id, (old) => readFor(authorize(), body, old), { authorize }),
    ),
    channel.remove(
      { id: 'removeNotificationChannel', summary: 'Remove a channel', note: notes.removeNotificationChannel },
      ({ channel: { id } }, given) => channels.remove(id, given),
    ),
    channel.test(
      {
        id: 'testNotificationChannel',
        summary: 'Send a test by a channel now and show the outcome',
        note: notes.testNotificationChannel,
        schema: channelAttemptSchema,
      },
      async ({ channel: { id } }, request) =>
        attemptJson(await channels.test(id, { authorize: request.authorize }), callerOf(request)),
    ),
  ];
}

/** The page has nothing to set, but is shown as a channel. */
function showRoute(
  channelOf: (request: Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>) => KnownChannel,
): Route {
  return defineRoute({
    id: 'getNotificationChannel',
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Show one channel',
    tag: 'Notification',
    note: notes.getNotificationChannel,
    access: 'notification:manage',
    answers: { 200: channelSchema, 304: null },
    handle: (request) => {
      const isPage = request.params['id'] === PAGE_CHANNEL.id;
      const json = isPage ? PAGE_CHANNEL : channelJson(channelOf(request), callerOf(request));
      return showIfChanged(revisedResource(json), request.header);
    },
  });
}

/** For the audit log: the host, because the rest of a URL can be a secret. */
function placeOf({ type, url, broker }: Channel): string {
  return `${type} ${url === null ? (broker ?? '') : hostOfUrl(url)}`;
}
