import { faultOfCron } from '#automations/cron.ts';
import type { StopList } from '#base/stop-list.ts';
import { type AutomationRegistry, openAutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationHome } from '#core/automation/registry/references.ts';
import type { UserId } from '#core/person/user.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { HubClock } from '#base/time/hub-clock.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { RecordingSettings } from '#core/past/history/recording-settings.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { Household } from '#hub/hub-household.ts';
import type { Storage } from '#storage/storage.ts';

type Home = Pick<Household, 'modes' | 'variables' | 'place'> & {
  readonly accounts: Pick<Accounts, 'findUser'>;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly rooms: Pick<RoomRegistry, 'findRoom'>;
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly instances: { readonly find: AutomationHome['findIntegration'] };
  readonly recording: Pick<RecordingSettings, 'isRecordedIfUsed'>;
  readonly events: Pick<EventLog, 'append' | 'subscribe'>;
};
type Deps = {
  readonly storage: Pick<Storage, 'automations'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly hubClock: Pick<HubClock, 'nowMs'>;
  readonly log: Log;
  readonly newId: () => string;
};

/** Reads the automations. Everything that they can name must be there before. */
export async function openAutomations(
  { storage, clock, hubClock, log, newId }: Deps,
  home: Home,
  stops: StopList,
): Promise<AutomationRegistry> {
  const registry = await openAutomationRegistry({
    store: storage.automations,
    home: automationHome(home),
    subscribe: home.events.subscribe,
    emit: home.events.append,
    newId,
    clock,
    nowMs: hubClock.nowMs,
    log: log.part('automations'),
  });
  stops.add('the watch over what automations name', registry.stop);
  stops.add('the watch over the place', home.place.subscribe(registry.review));
  return registry;
}

function automationHome({
  accounts,
  devices,
  rooms,
  scenes,
  modes,
  variables,
  place,
  instances,
  recording,
}: Home): AutomationHome {
  return {
    devices: devices.devices,
    findDevice: devices.findDevice,
    findRoom: rooms.findRoom,
    findScene: scenes.findScene,
    findMode: modes.findMode,
    findVariable: variables.findVariable,
    findPerson: (id) => accounts.findUser(id as UserId),
    isOwner: (id) => accounts.findUser(id)?.role === 'owner',
    findIntegration: instances.find,
    hasLocation: () => place.location() !== undefined,
    isRecorded: (device, key) => {
      const feature = device.features.find((one) => one.key === key);
      return feature !== undefined && recording.isRecordedIfUsed(device, feature);
    },
    faultOfCron,
  };
}
