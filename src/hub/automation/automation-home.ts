import { faultOfCron } from '#automations/cron.ts';
import { type AutomationRegistry, openAutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationHome } from '#core/automation/registry/references.ts';
import type { UserId } from '#core/person/user.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { Past } from '#hub/history/hub-history.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Household } from '#hub/hub-household.ts';
import type { People } from '#hub/hub-people.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';

type AutomationsDeps = Pick<HubContext, 'storage' | 'clock' | 'hubClock' | 'log' | 'stops' | 'events' | 'newId'> & {
  readonly people: Pick<People, 'accounts'>;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly rooms: Pick<RoomRegistry, 'findRoom'>;
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly household: Pick<Household, 'modes' | 'variables' | 'place'>;
  readonly integrations: Pick<Integrations, 'instances'>;
  readonly past: Pick<Past, 'recording'>;
};

/** Reads the automations. Everything that they can name must be there before. */
export async function openAutomations(deps: AutomationsDeps): Promise<AutomationRegistry> {
  const { stops, events } = deps;
  const registry = await openAutomationRegistry({
    store: deps.storage.automations,
    home: automationHome(deps),
    subscribe: events.subscribe,
    emit: events.append,
    newId: deps.newId,
    clock: deps.clock,
    nowMs: deps.hubClock.nowMs,
    log: deps.log.part('automations'),
  });
  stops.add('the watch over what automations name', registry.stop);
  stops.add('the watch over the place', deps.household.place.subscribe(registry.review));
  return registry;
}

function automationHome({ devices, rooms, scenes, household, ...deps }: AutomationsDeps): AutomationHome {
  const { findUser } = deps.people.accounts;
  const { recording } = deps.past;
  return {
    devices: devices.devices,
    findDevice: devices.findDevice,
    findRoom: rooms.findRoom,
    findScene: scenes.findScene,
    findMode: household.modes.findMode,
    findVariable: household.variables.findVariable,
    findPerson: (id) => findUser(id as UserId),
    isOwner: (id) => findUser(id)?.role === 'owner',
    findIntegration: deps.integrations.instances.find,
    hasLocation: () => household.place.location() !== undefined,
    isRecorded: (device, key) => {
      const feature = device.features.find((one) => one.key === key);
      return feature !== undefined && recording.isRecordedIfUsed(device, feature);
    },
    faultOfCron,
  };
}
