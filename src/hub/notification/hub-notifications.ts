import type { Log } from '#base/log.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { type BuiltIns, startBuiltIns } from '#core/notification/built-ins.ts';
import type { NotificationSource } from '#core/notification/notification.ts';
import { type Notifications, openNotifications } from '#core/notification/notifications.ts';
import { openQuietHours, type QuietHoursBook } from '#core/notification/quiet-hours.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';
import type { People } from '#hub/hub-people.ts';
import type { Storage } from '#storage/storage.ts';

/** What people should know, what the hub notices by itself, and when people want to be left alone. */
export type HubNotifications = {
  readonly notifications: Notifications;
  readonly builtIns: BuiltIns;
  readonly quietHours: QuietHoursBook;
};

export type HubNotificationsDeps = Pick<People, 'accounts' | 'apiTokens'> &
  Pick<Integrations, 'instances' | 'supervisor'> & {
    readonly storage: Pick<Storage, 'notifications' | 'meta'>;
    readonly devices: DeviceRegistry;
    readonly clock: Clock;
    readonly hubClock: Pick<OpenHubClock, 'nowMs'>;
    readonly startTimer: StartTimer;
    readonly log: Log;
    readonly events: EventLog;
    readonly newId: () => string;
  };

/** Opens the notifications of the hub and begins to watch. */
export async function openHubNotifications(deps: HubNotificationsDeps, stops: StopList): Promise<HubNotifications> {
  const { storage, hubClock, events, devices, instances, supervisor } = deps;
  const notifications = await openNotifications({
    ...deps,
    store: storage.notifications,
    emit: events.append,
    nowMs: hubClock.nowMs,
    planDeliveries: () => [],
    nameOf: (source) => nameOf(source, deps),
    log: deps.log.part('notifications'),
  });
  stops.add('notifications', notifications.stop);
  const builtIns = await startBuiltIns({
    ...deps,
    ...deps.clock,
    store: storage.meta,
    notifications,
    devices: devices.devices,
    findDevice: devices.findDevice,
    integrations: supervisor.reports,
    // An instance that nobody has set up waits for a person; that it finds nothing is no trouble.
    nameOfIntegration: (id) => {
      const instance = instances.find(id);
      return instance?.isChosen === true ? instance.name : undefined;
    },
    isToldElsewhere: (id) => {
      const own = devices.devicesOf(id);
      // Such as a strip of lights that somebody switched off at the wall: a notification about the device says so after a day.
      const areAway = own.length > 0 && own.every(({ availability }) => availability.state === 'offline');
      return areAway || instances.linksOf(id).some((link) => supervisor.statusOf(link).state !== 'connected');
    },
  });
  stops.add('the watch for troubles', builtIns.stop);
  return { notifications, builtIns, quietHours: await openQuietHours(storage.notifications) };
}

/** For people: who sends so much. */
function nameOf({ kind, id }: NotificationSource, { accounts, apiTokens }: Pick<People, 'accounts' | 'apiTokens'>) {
  if (kind === 'user') return accounts.users().find((user) => user.id === id)?.name ?? 'a person';
  if (kind === 'api_token') return apiTokens.tokens().find((token) => token.id === id)?.name ?? 'a script';
  return kind === 'automation' ? 'an automation' : 'the hub';
}
