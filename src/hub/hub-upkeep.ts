import type { Log } from '#base/log.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { Energy } from '#core/energy/energy.ts';
import type { Storage } from '#storage/storage.ts';
import type { HubNotifications } from '#hub/notification/hub-notifications.ts';
import type { People } from './hub-people.ts';

const UPKEEP_MS = 3_600_000;

type UpkeepDeps = Pick<People, 'sessions' | 'apiTokens'> &
  Pick<HubNotifications, 'notifications'> & {
    readonly storage: Pick<Storage, 'backups' | 'aside'>;
    readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'isSynced'>;
    readonly startTimer: StartTimer;
    readonly automations: Pick<AutomationRegistry, 'upkeep' | 'review'>;
    readonly energy: Pick<Energy, 'settle'>;
    readonly log: Log;
  };

/** Now and every hour. */
export function startUpkeep(deps: UpkeepDeps): () => void {
  const { storage, hubClock, startTimer, sessions, apiTokens, notifications, automations, energy, log } = deps;
  const attempt = (what: string, work: Promise<unknown>): void => {
    work.catch((cause: unknown) => log.error(`${what} failed`, { cause }));
  };
  const upkeep = (): void => {
    attempt('writing down sessions', sessions.upkeep());
    attempt('writing down uses of API tokens', apiTokens.upkeep());
    attempt('removing old notifications', notifications.upkeep());
    attempt('removing automations from the trash', automations.upkeep());
    // People may end without an event.
    automations.review();
    // The watch for whole hours says nothing while only a person has set the clock.
    attempt('settling the hours of energy', energy.settle());
    if (hubClock.isSynced()) attempt('removing records that were set aside', storage.aside.forget(hubClock.nowMs()));
    attempt('the daily backup', storage.backups.makeDailyIfDue(hubClock.nowMs()));
  };
  upkeep();
  return repeat(startTimer, UPKEEP_MS, upkeep);
}
