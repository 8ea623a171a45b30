import { expect, test } from 'vitest';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';
import { furnishRooms } from '#integrations/simulated-home/rooms.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

function createHarness() {
  const rooms: Room[] = [];
  const moved = new Map<string, string>();
  const { log, lines } = createRecordingLog();
  let tell: (kind: string, device: Device) => void = () => undefined;
  const addRoom = async (name: string): Promise<Room> => {
    await Promise.resolve();
    const room = { id: name as RoomId, selector: name, name, revision: 1, createdAtMs: 0, updatedAtMs: 0 };
    rooms.push(room);
    return room;
  };
  const stop = furnishRooms({
    onChange: (listener) => {
      tell = listener;
      return () => {
        tell = () => undefined;
      };
    },
    updateDevice: async (id, { roomId }, { ifRevision }) => {
      if (ifRevision !== 1 || id === 'bedroom-window') throw new Error('changed meanwhile');
      moved.set(id, roomId);
    },
    rooms: () => rooms,
    addRoom,
    log,
  });
  const add = (externalId: string, details: Partial<Device> = {}): void => {
    const description = INVENTORY.find((one) => one.description.externalId === externalId)?.description;
    const device = {
      ...description,
      id: externalId as DeviceId,
      integration: 'simulated-home',
      revision: 1,
      ...details,
    };
    tell('added', device as Device);
  };
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { rooms, moved, lines, addRoom, add, stop, settle };
}

test('new devices move into their rooms, and each room is made once', async () => {
  const { rooms, moved, add, addRoom, settle } = createHarness();
  await addRoom('Bedroom');
  for (const { description } of INVENTORY) add(description.externalId);
  await settle();
  expect(rooms.map(({ name }) => name).toSorted()).toEqual(['Bedroom', 'Hallway', 'Kitchen', 'Living room']);
  expect(moved.get('kitchen-ceiling')).toBe('Kitchen');
  expect(moved.size).toBe(INVENTORY.length - 1);
});

test('a device that cannot be moved is logged, and the others still move', async () => {
  const { moved, lines, add, settle } = createHarness();
  add('bedroom-window');
  add('bedroom-climate');
  await settle();
  expect(lines.map((line) => line.split(' (')[0])).toEqual([
    '<4>a simulated device has no room device="Bedroom window"',
  ]);
  expect([...moved.keys()]).toEqual(['bedroom-climate']);
});

test('devices that come back, are of other integrations, or come after the end stay where they are', async () => {
  const { moved, add, stop, settle } = createHarness();
  add('kitchen-ceiling', { revision: 3 });
  add('kitchen-ceiling', { integration: 'zigbee2mqtt' });
  stop();
  add('kitchen-ceiling');
  await settle();
  expect(moved.size).toBe(0);
});
