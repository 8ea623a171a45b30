import { expect, test } from 'vitest';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';

test('if two requests for rooms of the same name come at once, one room is created', async () => {
  const home = await openDeviceHome();
  const [first, second] = await Promise.allSettled([home.rooms.addRoom('Küche'), home.rooms.addRoom(' KU\u0308CHE ')]);
  expect([first.status, second]).toMatchObject(['fulfilled', { reason: { code: 'NAME_TAKEN' } }]);
  const hall = await home.rooms.addRoom('Hall');
  await expect(home.rooms.updateRoom(hall.id, { name: 'küche' })).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect((await home.rooms.updateRoom(hall.id, { name: 'HALL' })).name).toBe('HALL');
  expect(home.rooms.rooms().map(({ name }) => name)).toEqual(['HALL', 'Küche']);
});

test('if a room is removed while a device moves in, the device is in no room', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  home.takeEvents();
  const [first, , second] = await Promise.allSettled([
    home.registry.updateDevice(home.device('a').id, { roomId: kitchen.id }),
    home.rooms.removeRoom(kitchen.id),
    home.registry.updateDevice(home.device('b').id, { roomId: kitchen.id }),
  ]);
  expect([first.status, second]).toMatchObject(['fulfilled', { reason: { code: 'ROOM_NOT_FOUND' } }]);
  expect([home.device('a').roomId, home.device('b').roomId]).toEqual([null, null]);
  expect(home.takeEvents()).toEqual(['device.changed', 'device.changed', 'room.removed']);
  await expect(home.rooms.removeRoom(kitchen.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a change of a room changes its revision and what its devices show, and nothing else', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  await home.registry.updateDevice(home.device('a').id, { roomId: kitchen.id });
  home.changes.length = 0;
  home.takeEvents();
  const { revision } = home.device('a');
  expect(await home.rooms.updateRoom(kitchen.id, { name: 'Kitchen' }, { ifRevision: 1 })).toEqual(kitchen);
  expect(home.changes).toEqual([]);
  const changed = await home.rooms.updateRoom(kitchen.id, { name: 'Cuisine' }, { ifRevision: 1 });
  expect(changed).toEqual({ ...kitchen, name: 'Cuisine', revision: 2 });
  expect([home.changes, home.takeEvents(), home.device('a').revision]).toEqual([
    ['changed a'],
    ['room.changed'],
    revision,
  ]);
  await expect(home.rooms.updateRoom(kitchen.id, { name: 'Late' }, { ifRevision: 1 })).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect((await openDeviceHome(home.disk)).rooms.rooms()).toEqual([changed]);
});

test('a new room gets the selector of a removed room of the same name, before and after a restart', async () => {
  const home = await openDeviceHome();
  const { id } = await home.rooms.addRoom('Kitchen');
  await home.rooms.removeRoom(id);
  expect((await home.rooms.addRoom('Kitchen')).selector).toBe('kitchen');
  expect(home.rooms.findRoom('kitchen')?.id).not.toBe(id);
  expect(home.rooms.findRoom('nowhere')).toBeUndefined();
});
