import type { JsonValue } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Device, DeviceDescription } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type Groups, openGroups } from '#core/group/groups.ts';
import { createDeviceDisk, type DeviceDisk, openDeviceHome } from '#test/support/hub/device-home.ts';

/** The registries with groups over a disk, on which a second home finds what the first one left. */
export async function openGroupHome(
  descriptions: readonly DeviceDescription[],
  disk: DeviceDisk = createDeviceDisk(),
  time?: { readonly clock: { readonly monotonicMs: () => number }; readonly startTimer: StartTimer },
) {
  const home = await openDeviceHome(disk);
  const listeners = new Set<(event: HomeEvent) => void>();
  const push = home.events.push.bind(home.events);
  home.events.push = (...events) => {
    const length = push(...events);
    for (const event of events) for (const listener of listeners) listener(event);
    return length;
  };
  let ids = 0;
  const groups: Groups = openGroups({
    devices: home.registry,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    newId: () => `group-${disk.devices.size}-${(ids += 1)}`,
    ...home.time,
    ...time,
    log: home.log,
  });
  await home.reports.syncDevices(descriptions);
  for (const { externalId } of descriptions) home.reports.reportAvailability(externalId, 'online', null);
  const memberOf = (externalId: string) => {
    const { id, selector } = home.device(externalId);
    return { id, selector };
  };
  const settle = (): Promise<void> => home.time.advance(200);
  return {
    ...home,
    groups,
    memberOf,
    /** Until the values of groups are up to date. */
    settle,
    add: async (name: string, members: readonly string[], room: Device['roomId'] = null): Promise<Device> => {
      const group = await groups.addGroup({ name, roomId: room, members: members.map(memberOf) });
      await settle();
      return group;
    },
    report: async (externalId: string, values: Record<string, JsonValue>): Promise<void> => {
      home.reports.reportValues(externalId, new Map(Object.entries(values)));
      await settle();
    },
    /** Value and quality of a group, as `true confirmed`. */
    valueOf: ({ states }: Device, key: string): string => {
      const { value = null, quality = 'none' } = states.get(key) ?? {};
      return `${JSON.stringify(value)} ${quality}`;
    },
  };
}
