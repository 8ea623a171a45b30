import type { Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';

type RoomOffersDeps = {
  readonly devices: Pick<DeviceRegistry, 'findByExternalId' | 'updateDevice'>;
  readonly rooms: Pick<RoomRegistry, 'findRoomNamed' | 'addRoom'>;
  readonly log: Log;
};

/**
 * Puts a device into the room that its integration suggests, and adds the room if the hub has none of that name. Only a
 * device of the first revision moves: whatever a person has changed since, its place is a person's choice. A power cut
 * before the move loses nothing, because the integration suggests the room again.
 */
export function createRoomOffers({ devices, rooms, log }: RoomOffersDeps) {
  // They move one at a time, so that two devices of a new room do not both add it.
  const turn = createTurnQueue();
  const waiting = new Set<string>();

  const findNew = (integration: string, externalId: string): Device | undefined => {
    const device = devices.findByExternalId(integration, externalId);
    return device?.revision === 1 && device.roomId === null ? device : undefined;
  };
  const moveIn = async (integration: string, externalId: string, roomName: string): Promise<void> => {
    const device = findNew(integration, externalId);
    if (device === undefined) return;
    try {
      const room = rooms.findRoomNamed(roomName) ?? (await rooms.addRoom(roomName));
      await devices.updateDevice(device.id, { roomId: room.id }, { ifRevision: 1 });
    } catch (cause) {
      log.warn('a new device did not get the room that its integration suggests', { device: device.selector, cause });
    }
  };

  return (integration: string, externalId: string, roomName: string): void => {
    const key = `${integration}\n${externalId}`;
    if (waiting.has(key) || findNew(integration, externalId) === undefined) return;
    waiting.add(key);
    void turn(() => moveIn(integration, externalId, roomName).finally(() => waiting.delete(key)));
  };
}
