import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { NotificationSource } from '#core/notification/notification.ts';
import { type Notifications, openNotifications } from '#core/notification/notifications.ts';
import type { Storage } from '#storage/storage.ts';
import type { People } from '#hub/hub-people.ts';

export type HubNotificationsDeps = Pick<People, 'accounts' | 'apiTokens'> & {
  readonly storage: Pick<Storage, 'notifications'>;
  readonly clock: Clock;
  readonly hubClock: Pick<OpenHubClock, 'nowMs'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
  readonly events: Pick<EventLog, 'append'>;
  readonly newId: () => string;
};

/** Opens the notifications of the hub. */
export function openHubNotifications(deps: HubNotificationsDeps): Promise<Notifications> {
  const { storage, hubClock, events } = deps;
  return openNotifications({
    ...deps,
    store: storage.notifications,
    emit: events.append,
    nowMs: hubClock.nowMs,
    planDeliveries: () => [],
    nameOf: (source) => nameOf(source, deps),
    log: deps.log.part('notifications'),
  });
}

/** For people: who sends so much. */
function nameOf({ kind, id }: NotificationSource, { accounts, apiTokens }: Pick<People, 'accounts' | 'apiTokens'>) {
  if (kind === 'user') return accounts.users().find((user) => user.id === id)?.name ?? 'a person';
  if (kind === 'api_token') return apiTokens.tokens().find((token) => token.id === id)?.name ?? 'a script';
  return kind === 'automation' ? 'an automation' : 'the hub';
}
