import { type Device, deviceName } from './device.ts';

/** The devices by name, then id, both by code unit: the order of every list. */
export type DeviceOrder = {
  readonly devices: () => readonly Device[];
  readonly addAll: (devices: readonly Device[]) => void;
  readonly remove: (device: Device) => void;
  /** To call after a device's name changed. */
  readonly place: () => void;
};

/** Below 0 where the device stands before the place of that name and id, above 0 where it stands behind it. */
export function compareWithPlace(device: Device, name: string, id: string): number {
  const ownName = deviceName(device);
  if (ownName !== name) return ownName < name ? -1 : 1;
  return device.id < id ? -1 : Number(device.id > id);
}

function compareDevices(left: Device, right: Device): number {
  return compareWithPlace(left, deviceName(right), right.id);
}

export function createDeviceOrder(): DeviceOrder {
  const members = new Set<Device>();
  // Sorted when it is asked for: an inventory changes thousands of devices between two readers. Replaced, never changed
  // in place: a reader may hold the array across its own awaits.
  let order: readonly Device[] | undefined;
  // What was in order already costs the sort one comparison each, so that a few new devices cost little.
  let before: readonly Device[] = [];
  const added = new Set<Device>();
  const sorted = (): readonly Device[] => {
    const kept = before.filter((device) => members.has(device) && !added.has(device));
    before = [...kept, ...[...added].filter((device) => members.has(device))].sort(compareDevices);
    added.clear();
    return before;
  };
  const renew = (): void => {
    order = undefined;
  };
  return {
    devices: () => (order ??= sorted()),
    addAll: (devices) => {
      for (const device of devices) {
        members.add(device);
        added.add(device);
      }
      renew();
    },
    remove: (device) => {
      members.delete(device);
      renew();
    },
    place: renew,
  };
}
