import { repeat } from '#base/time/repeat.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { Energy } from '#core/energy/energy.ts';
import type { HubNotifications } from '#hub/notification/hub-notifications.ts';
import type { HubContext } from './hub-context.ts';
import type { People } from './hub-people.ts';

const UPKEEP_MS = 3_600_000;

type UpkeepDeps = Pick<HubContext, 'storage' | 'hubClock' | 'startTimer' | 'log' | 'stops'> & {
  readonly people: Pick<People, 'sessions' | 'apiTokens'>;
  readonly notification: Pick<HubNotifications, 'notifications'>;
  readonly automations: Pick<AutomationRegistry, 'upkeep' | 'review'>;
  readonly energy: Pick<Energy, 'settle'>;
};

/** Tidies up now and every hour. */
export function startUpkeep(deps: UpkeepDeps): void {
  const { storage, hubClock, people, automations, energy, log } = deps;
  const attempt = (what: string, work: Promise<unknown>): void => {
    work.catch((cause: unknown) => log.error(`${what} failed`, { cause }));
  };
  const upkeep = (): void => {
    attempt('writing down sessions', people.sessions.upkeep());
    attempt('writing down uses of API tokens', people.apiTokens.upkeep());
    attempt('removing old notifications', deps.notification.notifications.upkeep());
    attempt('removing automations from the trash', automations.upkeep());
    // People may end without an event.
    automations.review();
    // The watch for whole hours says nothing while only a person has set the clock.
    attempt('settling the hours of energy', energy.settle());
    if (hubClock.isSynced()) attempt('removing records that were set aside', storage.aside.forget(hubClock.nowMs()));
    attempt('the daily backup', storage.backups.makeDailyIfDue(hubClock.nowMs()));
  };
  upkeep();
  deps.stops.add('the hourly upkeep', repeat(deps.startTimer, UPKEEP_MS, upkeep));
}
