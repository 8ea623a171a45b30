import { z } from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { Channel, ChannelAttempt, ChannelId, Channels, KnownChannel } from '#core/notification/channel.ts';
import type { AuthorizedChange } from '#core/records/authorized-change.ts';
import type { User, UserId } from '#core/person/user.ts';
import { hostOfUrl } from '#core/webhook/webhook.ts';
import { callerOf, insufficientScope, ownsHub } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
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

type Given = AuthorizedChange;
type AskedChannels = Pick<Channels, 'channels' | 'find'> & {
  readonly add: (settings: Parameters<Channels['add']>[0], given: Given) => Promise<KnownChannel>;
  readonly update: (id: ChannelId, change: Parameters<Channels['update']>[1], given: Given) => Promise<KnownChannel>;
  readonly remove: (id: ChannelId, given: Given) => Promise<void>;
  readonly test: (id: ChannelId, given: Given) => Promise<ChannelAttempt>;
};

type ChannelRoutesDeps = Pick<ChannelReadDeps, 'isLanAddress' | 'isOwnAddress' | 'isBroker'> & {
  readonly channels: AskedChannels;
  readonly accounts: { readonly findUser: (id: UserId) => User | undefined };
};

const PATH = '/api/v1/notification_channel';
const ONE = `${PATH}/:id`;

/** The ways by which notifications leave the hub. */
export function notificationChannelRoutes(deps: ChannelRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps), testRoute(deps)];
}

function readingRoutes({ channels }: ChannelRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listNotificationChannels',
      method: 'GET',
      path: PATH,
      summary: 'List the channels of notifications',
      tag: 'Notification',
      note: notes.listNotificationChannels,
      access: 'notification:manage',
      answers: { 200: z.array(channelSchema) },
      handle: (request) => {
        const caller = callerOf(request);
        return { status: 200, json: [PAGE_CHANNEL, ...channels.channels().map((one) => channelJson(one, caller))] };
      },
    }),
    defineRoute({
      id: 'getNotificationChannel',
      method: 'GET',
      path: ONE,
      summary: 'Show one channel',
      tag: 'Notification',
      note: notes.getNotificationChannel,
      access: 'notification:manage',
      answers: { 200: channelSchema },
      handle: (request) => {
        if (request.params['id'] === PAGE_CHANNEL.id) return { status: 200, json: PAGE_CHANNEL };
        return { status: 200, json: channelJson(channelOf(channels, request.params), callerOf(request)) };
      },
    }),
  ];
}

function changingRoutes(deps: ChannelRoutesDeps): readonly Route[] {
  const { channels, accounts } = deps;
  const readFor = (caller: Caller, body: ChannelChange, old: Parameters<Channels['add']>[0]) =>
    readChannelChange(body, old, { ...deps, findUser: (id) => accounts.findUser(id as UserId), caller });
  return [
    defineRoute({
      id: 'createNotificationChannel',
      method: 'POST',
      path: PATH,
      summary: 'Add a channel',
      tag: 'Notification',
      note: notes.createNotificationChannel,
      access: 'notification:manage',
      sessionOnly: true,
      body: jsonBody(channelCreateSchema),
      answers: { 201: createdChannelSchema },
      audit: 'notification_channel.added',
      handle: async (request) => {
        const { type, ...body } = request.body;
        const caller = callerOf(request);
        const settings = readFor(caller, body, emptyChannel(type));
        const authorize = (): void => {
          if (settings.mayReachHub && !ownsHub(request.authorize())) throw insufficientScope('system:manage');
          request.authorize();
        };
        const added = await channels.add(settings, { authorize });
        const { id, secret } = added.channel;
        return {
          status: 201,
          json: { ...channelJson(added, caller), secret: type === 'webhook' ? secret : null },
          headers: { Location: `${PATH}/${id}` },
          auditDetail: placeOf(added.channel),
        };
      },
    }),
    defineRoute({
      id: 'updateNotificationChannel',
      method: 'PATCH',
      path: ONE,
      summary: 'Change a channel',
      tag: 'Notification',
      note: notes.updateNotificationChannel,
      access: 'notification:manage',
      sessionOnly: true,
      body: mergePatchBody(channelUpdateSchema),
      answers: { 200: channelSchema },
      audit: 'notification_channel.changed',
      handle: async (request) => {
        const { params, body, authorize } = request;
        const { channel } = channelOf(channels, params);
        const change = (old: Channel) => readFor(authorize(), body, old);
        const changed = await channels.update(channel.id, change, { authorize });
        const json = channelJson(changed, callerOf(request));
        return { status: 200, json, auditDetail: placeOf(changed.channel) };
      },
    }),
    defineRoute({
      id: 'removeNotificationChannel',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a channel',
      tag: 'Notification',
      note: notes.removeNotificationChannel,
      access: 'notification:manage',
      sessionOnly: true,
      answers: { 204: null },
      audit: 'notification_channel.removed',
      handle: async ({ params, authorize }) => {
        const { channel } = channelOf(channels, params);
        await channels.remove(channel.id, { authorize });
        return { status: 204, auditDetail: placeOf(channel) };
      },
    }),
  ];
}

function testRoute({ channels }: ChannelRoutesDeps): Route {
  return defineRoute({
    id: 'testNotificationChannel',
    method: 'POST',
    path: `${ONE}/test`,
    summary: 'Send a test by a channel now and show the outcome',
    tag: 'Notification',
    note: notes.testNotificationChannel,
    access: 'notification:manage',
    sessionOnly: true,
    answers: { 200: channelAttemptSchema },
    audit: { unaudited: 'it sends a test to a receiver whose address is in the log since it was set' },
    handle: async (request) => {
      const { authorize } = request;
      const { channel } = channelOf(channels, request.params);
      return { status: 200, json: attemptJson(await channels.test(channel.id, { authorize }), callerOf(request)) };
    },
  });
}

/** For the audit log: the host, because the rest of a URL can be a secret. */
function placeOf({ type, url, broker }: Channel): string {
  return `${type} ${url === null ? (broker ?? '') : hostOfUrl(url)}`;
}

function channelOf(channels: Pick<AskedChannels, 'find'>, params: Readonly<Record<string, string>>): KnownChannel {
  if (params['id'] === PAGE_CHANNEL.id) {
    throw new HubError('NOT_SUPPORTED', 'The page is always a channel: it has nothing to set.');
  }
  const found = channels.find(params['id'] ?? '');
  if (found === undefined) throw new HubError('NOT_FOUND', 'There is no such channel.');
  return found;
}
