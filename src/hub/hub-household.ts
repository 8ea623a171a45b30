import { createTurnQueue } from '#base/turn-queue.ts';
import { openTemplateRegistry, type TemplateRegistry } from '#core/automation-template/template-registry.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { House } from '#core/past/history/house-series.ts';
import { type ModeRegistry, openModeRegistry } from '#core/mode/mode-registry.ts';
import type { Presence } from '#core/presence/presence.ts';
import { openPresenceRegistry, type PresenceRegistry } from '#core/presence/presence-registry.ts';
import { openVariableRegistry, type VariableRegistry } from '#core/variable/variable-registry.ts';
import { templateMessagesIn } from '#notify/channel-message.ts';
import type { HubContext } from './hub-context.ts';
import type { People } from './hub-people.ts';
import { openPlace, type Placed } from './hub-place.ts';

/** The people of a home set modes and variables, and are at home or not; the home has a place. */
export type Household = Placed & {
  readonly modes: ModeRegistry;
  readonly variables: VariableRegistry;
  readonly presence: PresenceRegistry;
  readonly templates: TemplateRegistry;
  /** What is recorded of modes, variables and presence. */
  readonly house: House;
};

type HouseholdDeps = Pick<
  HubContext,
  'storage' | 'hubClock' | 'startTimer' | 'log' | 'stops' | 'identity' | 'events'
> & {
  readonly people: Pick<People, 'accounts'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
};

/** Reads all of it from the storage. */
export async function openHousehold(deps: HouseholdDeps): Promise<Household> {
  const { storage, hubClock, log, stops, events, identity } = deps;
  const { accounts } = deps.people;
  const shared = { hubClock, startTimer: deps.startTimer, emit: events.append };
  const [modes, variables, presence, templates, placed] = await Promise.all([
    openModeRegistry({ ...shared, turn: createTurnQueue(), store: storage.modes, log: log.part('modes') }),
    openVariableRegistry({ ...shared, turn: createTurnQueue(), store: storage.variables, nowMs: hubClock.nowMs }),
    openPresenceRegistry({
      ...shared,
      turn: createTurnQueue(),
      store: storage.presences,
      findUser: accounts.findUser,
      findDevice: deps.devices.findDevice,
      log: log.part('presence'),
    }),
    openTemplateRegistry({
      store: storage.templates,
      turn: createTurnQueue(),
      nowMs: hubClock.nowMs,
      messages: () => templateMessagesIn(identity.language()),
    }),
    openPlace(deps),
  ]);
  stops.add('modes', modes.stop);
  stops.add('presence', presence.stop);
  stops.add('the look at who is at home', events.subscribe(presence.notice));
  const presences = (): Presence[] => accounts.users().map(({ id }) => presence.presenceOf(id));
  const house = { modes: modes.modes, variables: variables.variables, presences };
  return { modes, variables, presence, templates, ...placed, house };
}
