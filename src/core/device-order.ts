import { type Device, deviceName } from './device.ts';

/** The devices by name, then id, both by code unit: the order of every list. */
export type DeviceOrder = {
  readonly devices: () => readonly Device[];
  readonly addAll: (devices: readonly Device[]) => void;
  readonly remove: (device: Device) => void;
  /** To call after a device's name changed; `false` where its place stayed the same. */
  readonly place: (device: Device) => boolean;
};

function compareDevices(left: Device, right: Device): number {
  const leftName = deviceName(left);
  const rightName = deviceName(right);
  if (leftName !== rightName) return leftName < rightName ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

export function createDeviceOrder(): DeviceOrder {
  // Replaced, never changed in place: a reader may hold the array across its own awaits.
  let order: readonly Device[] = [];
  return {
    devices: () => order,
    addAll: (devices) => {
      order = [...order, ...devices].sort(compareDevices);
    },
    remove: (device) => {
      order = order.filter((other) => other !== device);
    },
    place: (device) => {
      const before = order.indexOf(device);
      order = order.toSorted(compareDevices);
      return order[before] !== device;
    },
  };
}
