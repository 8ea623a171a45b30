import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceRecord } from '#core/device/device.ts';
import type { DeviceStore } from '#core/device/device-store.ts';
import type { RoomStore } from '#core/room/room-registry.ts';
import type { Page } from '#storage/tables/devices/device-table.ts';
import type { PortOf } from '#storage/tables/operation.ts';
import type { TableOperations } from '#storage/tables/table-list.ts';

/** Devices and features in one message: cloning a device of ten features for another thread takes 0.1 ms. */
const PART_WEIGHT = 500;

/**
 * The stores of devices and rooms over their tables. Long lists of devices are sent in parts and saved as one. Changes of
 * devices and rooms take turns, so that they keep their order while parts are sent.
 */
export function createDeviceStores(
  devices: PortOf<TableOperations['devices']>,
  rooms: PortOf<TableOperations['rooms']>,
): { readonly devices: DeviceStore; readonly rooms: RoomStore<DeviceRecord> } {
  const inTurn = createTurnQueue();
  let lastBatch = 0;
  const saveDevices = async (list: readonly DeviceRecord[]): Promise<void> => {
    const parts = partsOf(list);
    const [first = []] = parts;
    if (parts.length <= 1) return devices.saveDevices(first);
    lastBatch += 1;
    const batch = lastBatch;
    for (const part of parts) await devices.stageDevices(batch, part);
    return devices.saveStagedDevices(batch);
  };
  return {
    devices: {
      limitDevices: devices.limitDevices,
      forgetDevices: (keep) => inTurn(() => devices.forgetDevices(keep)),
      forgetDevicesOf: (integration) => inTurn(() => devices.forgetDevicesOf(integration)),
      loadDevices: () => loadPages(devices.loadDevicePage),
      saveDevices: (list) => inTurn(() => saveDevices(list)),
      loadValues: () => loadPages(devices.loadValuePage),
      saveValue: devices.saveValue,
    },
    rooms: {
      loadRooms: rooms.loadRooms,
      saveRoom: (room) => inTurn(() => rooms.saveRoom(room)),
      deleteRoom: (id, placed) => inTurn(() => rooms.deleteRoom(id, placed)),
    },
  };
}

function partsOf(devices: readonly DeviceRecord[]): readonly (readonly DeviceRecord[])[] {
  const parts: DeviceRecord[][] = [];
  let weight = PART_WEIGHT;
  for (const device of devices) {
    if (weight >= PART_WEIGHT) {
      parts.push([]);
      weight = 0;
    }
    parts.at(-1)?.push(device);
    weight += device.features.reduce((sum, { options }) => sum + 1 + (options?.length ?? 0) / 4, 1);
  }
  return parts;
}

async function loadPages<Item>(loadPage: (after: number) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Page<Item> = await loadPage(after);
    for (const item of page.items) items.push(item);
    after = page.next;
  }
  return items;
}
