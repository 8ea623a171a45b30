import type { Device, DeviceId } from '#core/device/device.ts';
import { isSensitive } from '#core/device/sensitive.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Places } from '#core/integration/settings-shape.ts';
import type { HomePort } from '#integrations/ports.ts';

/**
 * Whether the owner chose to offer a device: by its room, or by itself. What opens the home, floods it or silences an
 * alarm only by itself.
 */
export function createChoice({ rooms, devices }: Places): (device: Device) => boolean {
  const [chosenRooms, named] = [new Set(rooms), new Set(devices)];
  return (device) => {
    if (named.has(device.id)) return true;
    return device.roomId !== null && chosenRooms.has(device.roomId) && !isSensitive(device);
  };
}

export function isEmptyChoice({ rooms, devices }: Places): boolean {
  return rooms.length + devices.length === 0;
}

/** The devices whose values, reachability or room name may be others after the event. */
export function touchedBy(event: HomeEvent, { devices }: Pick<HomePort, 'devices'>): readonly DeviceId[] {
  if (event.type === 'feature.changed' || event.type === 'availability.changed') return [event.device.id];
  if (event.type !== 'room.changed') return [];
  return devices().flatMap(({ id, roomId }) => (roomId === event.room.id ? [id] : []));
}
