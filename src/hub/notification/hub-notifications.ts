import type { SessionCaller } from '#auth/caller.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Log } from '#base/log.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { type BuiltIns, startBuiltIns } from '#core/notification/built-ins.ts';
import type { Channels } from '#core/notification/channel.ts';
import { isAddressedTo, type Notification, type NotificationSource } from '#core/notification/notification.ts';
import { type Notifications, openNotifications, type Standing } from '#core/notification/notifications.ts';
import { openQuietHours, type QuietHoursBook, quietUntilMs } from '#core/notification/quiet-hours.ts';
import { maySeeNotification } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { notificationJson } from '#http/notification/json.ts';
import { type ChannelsDeps, openChannels, type OpenChannels } from '#notify/channels.ts';
import { createPost } from '#webhooks/post.ts';
import { signDelivery } from '#webhooks/webhook-runner.ts';
import type { HubContext } from '#hub/hub-context.ts';
import { createReceiverHttp } from '#hub/hub-webhooks.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';
import type { People } from '#hub/hub-people.ts';

/** The hub notices things that people should know, and leaves people alone when they want that. */
export type HubNotifications = {
  readonly channels: Channels;
  readonly notifications: Notifications;
  readonly builtIns: BuiltIns;
  readonly quietHours: QuietHoursBook;
};

type HubNotificationsDeps = HubContext & {
  readonly people: Pick<People, 'accounts' | 'apiTokens'>;
  readonly devices: DeviceRegistry;
  readonly rooms: Pick<RoomRegistry, 'findRoom'>;
  readonly integrations: Pick<Integrations, 'instances' | 'supervisor' | 'links'>;
};

const DAY_MS = 86_400_000;

/** Opens the notifications of the hub and begins to watch. */
export async function openHubNotifications(deps: HubNotificationsDeps): Promise<HubNotifications> {
  const { storage, hubClock, stops, events, devices } = deps;
  const { instances, supervisor } = deps.integrations;
  const quietHours = await openQuietHours(storage.notifications);
  const channels = await openHubChannels(deps, quietHours);
  stops.add('channels of notifications', channels.stop);
  const notifications = await openNotifications({
    ...deps,
    store: storage.notifications,
    emit: events.append,
    nowMs: hubClock.nowMs,
    planDeliveries: channels.plan,
    standingOf: (id) => standingOf(devices.findDevice(id), hubClock.nowMs()),
    nameOf: (source) => nameOf(source, deps.people),
    log: deps.log.part('notifications'),
  });
  stops.add('notifications', notifications.stop);
  channels.start(notifications);
  const builtIns = await startBuiltIns({
    store: storage.meta,
    events,
    startTimer: deps.startTimer,
    wallMs: deps.clock.wallMs,
    notifications,
    devices: devices.devices,
    findDevice: devices.findDevice,
    findRoom: deps.rooms.findRoom,
    integrations: supervisor.reports,
    // An instance that nobody has set up waits for a person; that it finds nothing is no trouble.
    findIntegration: (id) => {
      const instance = instances.find(id);
      return instance?.isChosen === true ? instance : undefined;
    },
    isToldElsewhere: (id) => {
      const own = devices.devicesOf(id);
      // Somebody may have switched off a strip of lights at the wall: a notification about the device says so after a day.
      const areAway = own.length > 0 && own.every(({ availability }) => availability.state === 'offline');
      return areAway || instances.linksOf(id).some((link) => supervisor.statusOf(link).state !== 'connected');
    },
  });
  stops.add('the watch for troubles', builtIns.stop);
  return { notifications, builtIns, quietHours, channels };
}

function openHubChannels(deps: HubNotificationsDeps, quietHours: QuietHoursBook): Promise<OpenChannels> {
  const { storage, clock, devices, identity } = deps;
  const { accounts } = deps.people;
  return openChannels({
    ...deps,
    store: storage.notifications,
    post: createPost({ httpFor: createReceiverHttp(deps) }),
    sign: signDelivery,
    jsonOf: notificationJson,
    wallMs: clock.wallMs,
    nowMs: deps.hubClock.nowMs,
    isFor: (userId, one) => {
      const user = accounts.findUser(userId as UserId);
      return (
        user !== undefined &&
        !accounts.isOver(user) &&
        isAddressedTo(one.to, user) &&
        maySee(user, one, devices.findDevice)
      );
    },
    quietUntilMs: (userId) => {
      const hours = quietHours.of(userId);
      return hours === null ? null : quietUntilMs(hours, clock.wallMs(), identity.timeZone());
    },
    language: identity.language,
    openBroker: createBrokerOpener(deps.integrations.links, deps.log),
    log: deps.log.part('notifications'),
  });
}

/** Whether the person would see it after logging in. */
function maySee(user: User, one: Notification, findDevice: DeviceRegistry['findDevice']): boolean {
  const caller: SessionCaller = { kind: 'session', sessionId: '' as SessionId, user, current: () => caller };
  return maySeeNotification(caller, one, findDevice);
}

function createBrokerOpener(links: Integrations['links'], log: Log): ChannelsDeps['openBroker'] {
  return (instance, onUp, signal) => {
    const link = links.link(instance);
    const nothing = (): void => undefined;
    link.run({ onUp, onDown: nothing, onMessage: nothing }, signal).catch((cause: unknown) => {
      log.error('the way to a broker ended', { instance, cause });
    });
    return async (topic, payload, retain) => {
      try {
        await link.publish(topic, payload, { retain });
        return { status: null, error: null };
      } catch (cause) {
        if (!(cause instanceof HubError)) throw cause;
        return { status: null, error: { code: 'connection_failed', message: cause.message } };
      }
    };
  };
}

function standingOf(device: Device | undefined, nowMs: number): Standing | undefined {
  if (device === undefined) return undefined;
  const { integration, ownName, roomId, createdAtMs } = device;
  const source = { name: deviceName(device), integration };
  if (ownName !== null) return { ...source, rank: 'named' };
  if (roomId !== null) return { ...source, rank: 'placed' };
  return { ...source, rank: nowMs - createdAtMs >= DAY_MS ? 'known' : 'new' };
}

function nameOf({ kind, id }: NotificationSource, { accounts, apiTokens }: Pick<People, 'accounts' | 'apiTokens'>) {
  if (kind === 'user') return accounts.users().find((user) => user.id === id)?.name ?? 'a person';
  if (kind === 'api_token') return apiTokens.tokens().find((token) => token.id === id)?.name ?? 'a script';
  return kind === 'automation' ? 'an automation' : 'the hub';
}
