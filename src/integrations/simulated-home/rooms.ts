import type { Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { INVENTORY } from './inventory.ts';
import { SIMULATED_HOME } from './simulated-home.ts';

/** The parts of the hub's registries that are needed to put devices into rooms. */
export type RoomsDeps = {
  readonly onChange: (listener: (kind: string, device: Device) => void) => () => void;
  readonly updateDevice: (id: DeviceId, change: { roomId: RoomId }, given: { ifRevision: number }) => Promise<unknown>;
  readonly rooms: () => readonly Room[];
  readonly addRoom: (name: string) => Promise<Room>;
  readonly log: Log;
};

/**
 * Puts each simulated device into its room when it comes for the first time; what people change afterwards stays.
 * To be called before the integration starts; the result ends it.
 */
export function furnishRooms({ onChange, updateDevice, rooms, addRoom, log }: RoomsDeps): () => void {
  // One after the other: two devices of a new room must not both add it.
  const turn = createTurnQueue();
  const moveIn = async ({ id, name, revision }: Device, roomName: string): Promise<void> => {
    try {
      const room = rooms().find((candidate) => candidate.name === roomName) ?? (await addRoom(roomName));
      await updateDevice(id, { roomId: room.id }, { ifRevision: revision });
    } catch (cause) {
      log.warn('a simulated device has no room', { device: name, cause });
    }
  };
  return onChange((kind, device) => {
    const isNew = kind === 'added' && device.integration === SIMULATED_HOME && device.revision === 1;
    if (!isNew) return;
    const room = INVENTORY.find(({ description }) => description.externalId === device.externalId)?.room;
    // What is handed out changes under the reader: the first revision is the one to build on.
    if (room !== undefined) void turn(() => moveIn({ ...device }, room));
  });
}
