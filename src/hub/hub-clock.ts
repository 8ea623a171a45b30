import { type HubClockDeps, type OpenHubClock, openHubClock } from '#base/time/hub-clock.ts';
import type { Random } from '#base/random.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Storage } from '#storage/storage.ts';

export type StateClockDeps = Pick<HubClockDeps, 'machine' | 'startTimer' | 'log'> & { readonly random: Random };

/** The hub clock on the state that is open. It is stopped last: whatever else ends may still ask for the time. */
export async function openStateClock(deps: StateClockDeps, storage: Storage, stops: StopList): Promise<OpenHubClock> {
  const { machine, startTimer, random, log } = deps;
  const newId = (): string => random(4).toString('hex');
  const hubClock = await openHubClock({ machine, store: storage.meta, startTimer, newId, log: log.part('clock') });
  stops.add('the hub clock', hubClock.stop);
  return hubClock;
}
