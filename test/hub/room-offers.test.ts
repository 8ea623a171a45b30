import { expect, test } from 'vitest';
import { createRoomOffers } from '#hub/integration/room-offers.ts';
import { createDeviceDisk, lamp, openDeviceHome } from '#test/support/hub/device-home.ts';

async function openOffers(disk = createDeviceDisk()) {
  const home = await openDeviceHome(disk);
  const { registry, rooms, reports, log } = home;
  const offerRoom = createRoomOffers({ devices: registry, rooms, log });
  const offer = async (...suggestions: readonly (readonly [externalId: string, room: string])[]): Promise<void> => {
    for (const [externalId, room] of suggestions) offerRoom('radio', externalId, room);
    await home.time.advance(0);
  };
  const roomOf = (externalId: string): string | undefined => rooms.findRoom(home.device(externalId).roomId ?? '')?.name;
  return { home, registry, rooms, reports, offer, roomOf };
}

test('new devices go to the room of the suggested name, which is added once and found in any spelling', async () => {
  const { rooms, reports, offer, roomOf } = await openOffers();
  await rooms.addRoom('Kitchen');
  await reports.syncDevices([lamp('a'), lamp('b'), lamp('c')]);
  await offer(['a', ' kitchen'], ['b', 'Hall'], ['c', 'hall'], ['c', 'Hall'], ['unknown', 'Attic']);
  expect(['a', 'b', 'c'].map(roomOf)).toEqual(['Kitchen', 'Hall', 'Hall']);
  expect(rooms.rooms().map(({ name }) => name)).toEqual(['Hall', 'Kitchen']);
});

test('a device that a person has changed stays where it is', async () => {
  const { home, registry, rooms, reports, offer, roomOf } = await openOffers();
  const attic = await rooms.addRoom('Attic');
  await reports.syncDevices([lamp('moved'), lamp('named'), lamp('taken out')]);
  await registry.updateDevice(home.device('moved').id, { roomId: attic.id });
  await registry.updateDevice(home.device('named').id, { ownName: 'My lamp' });
  await offer(['taken out', 'Hall']);
  await registry.updateDevice(home.device('taken out').id, { roomId: null });
  await offer(['moved', 'Hall'], ['named', 'Hall'], ['taken out', 'Hall']);
  expect(['moved', 'named', 'taken out'].map(roomOf)).toEqual(['Attic', undefined, undefined]);
});

test('a device that returns keeps its place', async () => {
  const { reports, offer, roomOf } = await openOffers();
  await reports.syncDevices([lamp('a')]);
  await reports.syncDevices([]);
  await reports.syncDevices([lamp('a')]);
  await offer(['a', 'Hall']);
  expect(roomOf('a')).toBeUndefined();
});

test('X: a power cut before the move loses nothing: the next suggestion moves the device', async () => {
  const disk = createDeviceDisk();
  const { reports, offer, home } = await openOffers(disk);
  await reports.syncDevices([lamp('a')]);
  disk.failWith = new Error('no power');
  await offer(['a', 'Hall']);
  expect(home.lines.filter((line) => line.includes('did not get the room'))).toHaveLength(1);
  disk.failWith = undefined;
  const after = await openOffers(disk);
  await after.offer(['a', 'Hall']);
  expect(after.roomOf('a')).toBe('Hall');
});
