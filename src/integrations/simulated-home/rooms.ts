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
 * Puts each simulated device into its room when it first appears. Later changes by people stay. To be called before the
 * integration starts. The result ends it.
 */
export function furnishRooms({ onChange, updateDevice, rooms, addRoom, log }: RoomsDeps): () => void {
  // One at a time, so that two devices of a new room do not both add it.
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
    // A copy, because the registry changes the object in place and the update must be based on the first revision.
    if (room !== undefined) void turn(() => moveIn({ ...device }, room));
  });
}
