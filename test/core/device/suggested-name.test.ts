import { expect, test } from 'vitest';
import type { DeviceDescription } from '#core/device/device.ts';
import { deviceName } from '#core/device/device.ts';
import { createNameSource, isSuggestedName } from '#core/device/suggested-name.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';

/** A device without a name, as an integration describes it: its name is its address. */
const nameless = (address: string, what: Partial<DeviceDescription> = {}): DeviceDescription =>
  lamp(address, { name: address, type: 'dimmable_light', ...what });

const namesOf = (home: Awaited<ReturnType<typeof openDeviceHome>>, addresses: readonly string[]): readonly string[] =>
  addresses.map((address) => deviceName(home.device(address)));

test('a device with only an address is named after its type, and no two have the same name', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([
    lamp('0xaa', { name: 'Lamp 2', type: 'dimmable_light' }),
    nameless('0x01'),
    nameless('0x02'),
    nameless('0x03', { type: 'on_off_plug_in_unit' }),
  ]);
  await home.reports.describeDevice(nameless('0x04'));
  await home.reports.describeDevice(nameless('0x05', { type: 'other', manufacturer: 'Acme', model: 'T-1' }));
  await home.reports.describeDevice(nameless('0x06', { type: 'other', manufacturer: null, model: null }));
  expect(namesOf(home, ['0xaa', '0x01', '0x02', '0x03', '0x04', '0x05', '0x06'])).toEqual([
    'Lamp 2',
    'Lamp',
    'Lamp 3',
    'Plug',
    'Lamp 4',
    'Acme T-1',
    'Device',
  ]);
  // A selector never changes, so it is made of the address and not of the suggested name.
  expect(home.device('0x01').selector).toBe('dimmable-light-0x01');
});

test('S6: a suggested name stays after every report, a restart and a return', async () => {
  const home = await openDeviceHome();
  const inventory = [nameless('0x01'), nameless('0x02')];
  await home.reports.syncDevices(inventory);
  const { revision } = home.device('0x02');
  await home.reports.syncDevices(inventory);
  expect([deviceName(home.device('0x02')), home.device('0x02').revision]).toEqual(['Lamp 2', revision]);
  const again = await openDeviceHome(home.disk);
  await again.reports.syncDevices([nameless('0x02')]);
  await again.reports.syncDevices(inventory);
  expect(namesOf(again, ['0x01', '0x02'])).toEqual(['Lamp', 'Lamp 2']);
});

test('a name from a person wins, at the hub or upstream; without one, the device has the suggested name again', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([nameless('0x01')]);
  const { id } = home.device('0x01');
  await home.registry.updateDevice(id, { ownName: 'Reading lamp' });
  await home.reports.describeDevice(nameless('0x01', { firmware: '2' }));
  expect(deviceName(home.device('0x01'))).toBe('Reading lamp');
  await home.registry.updateDevice(id, { ownName: null });
  expect(deviceName(home.device('0x01'))).toBe('Lamp');
  await home.reports.describeDevice(nameless('0x01', { name: 'Desk' }));
  expect(deviceName(home.device('0x01'))).toBe('Desk');
  // Upstream has lost the name: the last one from a person is better than a suggested one.
  await home.reports.describeDevice(nameless('0x01'));
  expect(deviceName(home.device('0x01'))).toBe('Desk');
});

test('a device that turns out to be of another type is named after that type', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([nameless('0x01', { type: 'other', manufacturer: 'Acme', model: 'T-1' })]);
  await home.reports.describeDevice(nameless('0x01', { type: 'thermostat', manufacturer: 'Acme', model: 'T-1' }));
  expect(deviceName(home.device('0x01'))).toBe('Thermostat');
});

test('devices that an earlier version named by their address get a suggested name with the next description', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([nameless('0x01')]);
  for (const [id, record] of home.disk.devices) home.disk.devices.set(id, { ...record, name: '0x01' });
  const again = await openDeviceHome(home.disk);
  expect(deviceName(again.device('0x01'))).toBe('0x01');
  await again.reports.describeDevice(nameless('0x01'));
  expect(deviceName(again.device('0x01'))).toBe('Lamp');
});

test('ten thousand lamps without a name get ten thousand names', () => {
  const suggest = createNameSource([]);
  const subject = { type: 'dimmable_light', manufacturer: null, model: null } as const;
  const names = Array.from({ length: 10_000 }, () => suggest(subject));
  expect(new Set(names).size).toBe(10_000);
  expect(names.at(-1)).toBe('Lamp 10000');
  expect(names.every((name) => isSuggestedName(name, subject))).toBe(true);
  expect(['Lamp x', 'Lamp 02', 'Lampe', 'Lamp 2 ', 'Lamp  2'].filter((name) => isSuggestedName(name, subject))).toEqual(
    [],
  );
});
