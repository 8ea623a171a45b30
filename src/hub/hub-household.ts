import type { Accounts } from '#auth/account/accounts.ts';
import type { StopList } from '#base/stop-list.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { type ModeRegistry, openModeRegistry } from '#core/mode/mode-registry.ts';
import { openPresenceRegistry, type PresenceRegistry } from '#core/presence/presence-registry.ts';
import { openVariableRegistry, type VariableRegistry } from '#core/variable/variable-registry.ts';
import type { Log } from '#base/log.ts';
import type { HubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Storage } from '#storage/storage.ts';

/** What the people of a home set and are: modes, variables, who is at home. */
export type Household = {
  readonly modes: ModeRegistry;
  readonly variables: VariableRegistry;
  readonly presence: PresenceRegistry;
};

type HouseholdDeps = {
  readonly storage: Pick<Storage, 'modes' | 'variables' | 'presences'>;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
  readonly accounts: Pick<Accounts, 'findUser'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly events: Pick<EventLog, 'append' | 'subscribe'>;
};

/** Reads them from the storage, and adds the undo of each started part to the stop list. */
export async function openHousehold(deps: HouseholdDeps, stops: StopList): Promise<Household> {
  const { storage, hubClock, log, events } = deps;
  const shared = { hubClock, startTimer: deps.startTimer, emit: events.append };
  const [modes, variables, presence] = await Promise.all([
    openModeRegistry({ ...shared, turn: createTurnQueue(), store: storage.modes, log: log.part('modes') }),
    openVariableRegistry({ ...shared, turn: createTurnQueue(), store: storage.variables, nowMs: hubClock.nowMs }),
    openPresenceRegistry({
      ...shared,
      turn: createTurnQueue(),
      store: storage.presences,
      findUser: deps.accounts.findUser,
      findDevice: deps.devices.findDevice,
      log: log.part('presence'),
    }),
  ]);
  stops.add('modes', modes.stop);
  stops.add('presence', presence.stop);
  stops.add('the look at who is at home', events.subscribe(presence.notice));
  return { modes, variables, presence };
}
