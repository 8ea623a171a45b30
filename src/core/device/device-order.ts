import { type Device, deviceName } from './device.ts';

/** Compares a device with a name and an id: below 0 if the device sorts before them, above 0 if it sorts after them. */
export function compareWithPlace(device: Device, name: string, id: string): number {
  const ownName = deviceName(device);
  if (ownName !== name) return ownName < name ? -1 : 1;
  return device.id < id ? -1 : Number(device.id > id);
}

function compareDevices(left: Device, right: Device): number {
  return compareWithPlace(left, deviceName(right), right.id);
}

/** The devices by name, then id, both by code unit: the order of every list. */
export function createDeviceOrder() {
  const members = new Set<Device>();
  // Sorted on the next read, because an inventory changes thousands of devices between two reads. Each sort makes a new
  // array, because a reader may hold the old one across its awaits.
  let order: readonly Device[] | undefined;
  let before: readonly Device[] = [];
  // New, or with another name. Only these are compared: an inventory in slices is read between each two of them.
  const moved = new Set<Device>();
  const sorted = (): readonly Device[] => {
    const kept = before.filter((device) => members.has(device) && !moved.has(device));
    const fresh = [...moved].filter((device) => members.has(device)).sort(compareDevices);
    moved.clear();
    before = merge(kept, fresh);
    return before;
  };
  const renew = (): void => {
    order = undefined;
  };
  return {
    devices: (): readonly Device[] => (order ??= sorted()),
    addAll: (devices: readonly Device[]): void => {
      for (const device of devices) {
        members.add(device);
        moved.add(device);
      }
      renew();
    },
    remove: (device: Device): void => {
      members.delete(device);
      renew();
    },
    /** To call after the device's name changed. */
    place: (device: Device): void => {
      moved.add(device);
      renew();
    },
  };
}

/** Both in order. Compares each of the fresh ones with a few of the kept, not the kept with each other. */
function merge(kept: readonly Device[], fresh: readonly Device[]): readonly Device[] {
  const merged: Device[] = [];
  let done = 0;
  for (const device of fresh) {
    const end = placeIn(kept, device, done);
    for (; done < end; done += 1) merged.push(kept[done] as Device);
    merged.push(device);
  }
  return merged.concat(kept.slice(done));
}

/** Where the device belongs, searched from `start` in growing steps, because the next one mostly belongs close by. */
function placeIn(order: readonly Device[], device: Device, start: number): number {
  const isBefore = (index: number): boolean => compareDevices(order[index] as Device, device) < 0;
  let low = start;
  let step = 1;
  while (low + step <= order.length && isBefore(low + step - 1)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, order.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
