import type { Accounts } from '#auth/account/accounts.ts';
import type { StopList } from '#base/stop-list.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { openTemplateRegistry, type TemplateRegistry } from '#core/automation-template/template-registry.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { House } from '#core/past/history/house-series.ts';
import { type ModeRegistry, openModeRegistry } from '#core/mode/mode-registry.ts';
import type { Presence } from '#core/presence/presence.ts';
import { openPresenceRegistry, type PresenceRegistry } from '#core/presence/presence-registry.ts';
import { openVariableRegistry, type VariableRegistry } from '#core/variable/variable-registry.ts';
import type { Log } from '#base/log.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { openPlace, type Placed } from './hub-place.ts';
import type { Storage } from '#storage/storage.ts';

/** What the people of a home set and are: modes, variables, who is at home, and where that is. */
export type Household = Placed & {
  readonly modes: ModeRegistry;
  readonly variables: VariableRegistry;
  readonly presence: PresenceRegistry;
  readonly templates: TemplateRegistry;
  /** What is recorded of them. */
  readonly house: House;
};

type HouseholdDeps = {
  readonly storage: Pick<Storage, 'modes' | 'variables' | 'presences' | 'meta' | 'calendars' | 'templates'>;
  readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'epoch' | 'nowInEpochMs' | 'subscribe'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
  readonly identity: Pick<HubIdentity, 'subscribe'>;
  readonly accounts: Pick<Accounts, 'findUser' | 'users'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly events: Pick<EventLog, 'append' | 'subscribe'>;
};

/** Reads them from the storage, and adds the undo of each started part to the stop list. */
export async function openHousehold(deps: HouseholdDeps, stops: StopList): Promise<Household> {
  const { storage, hubClock, log, events } = deps;
  const shared = { hubClock, startTimer: deps.startTimer, emit: events.append };
  const [modes, variables, presence, templates, placed] = await Promise.all([
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
    openTemplateRegistry({ store: storage.templates, turn: createTurnQueue(), nowMs: hubClock.nowMs }),
    openPlace(deps, stops),
  ]);
  stops.add('modes', modes.stop);
  stops.add('presence', presence.stop);
  stops.add('the look at who is at home', events.subscribe(presence.notice));
  const presences = (): Presence[] => deps.accounts.users().map(({ id }) => presence.presenceOf(id));
  const house = { modes: modes.modes, variables: variables.variables, presences };
  return { modes, variables, presence, templates, ...placed, house };
}
