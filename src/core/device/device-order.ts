import { type Device, deviceName } from './device.ts';

/** The devices by name, then id, both by code unit: the order of every list. */
export type DeviceOrder = {
  readonly devices: () => readonly Device[];
  readonly addAll: (devices: readonly Device[]) => void;
  readonly remove: (device: Device) => void;
  /** To call after a device's name changed. */
  readonly place: () => void;
};

/** Compares a device with a name and an id: below 0 if the device sorts before them, above 0 if it sorts after them. */
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
  // Sorted on the next read, because an inventory changes thousands of devices between two reads. Each sort makes a new
  // array, because a reader may hold the old one across its awaits.
  let order: readonly Device[] | undefined;
  // The sort needs one comparison for each device that is in order already, so a few new devices cost little.
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
