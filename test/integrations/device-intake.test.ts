import { expect, test } from 'vitest';
import type { DeviceDescription } from '#core/device/device.ts';
import { DEVICE_LIMITS, type IntakeFault } from '#core/device/device-limits.ts';
import { createDeviceIntake } from '#integrations/device-intake.ts';
import { createDeviceDisk, lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const LIMITS = { ...DEVICE_LIMITS, shownOfIntegration: 3, features: 3 };
const lamps = (count: number): DeviceDescription[] => Array.from({ length: count }, (_, index) => lamp(`l${index}`));
const big = (externalId: string): DeviceDescription =>
  lamp(externalId, { features: Array.from({ length: 4 }, (_, index) => createFeature(`x${index}`)) });

async function openIntake() {
  const home = await openDeviceHome(createDeviceDisk(), undefined, LIMITS);
  const { log, lines } = createRecordingLog();
  const faults: (IntakeFault | null)[] = [];
  const taken: number[] = [];
  const offers: string[] = [];
  const intake = createDeviceIntake({
    name: 'Radio',
    reports: home.reports,
    offerRoom: (externalId, roomName) => void offers.push(`${externalId} ${roomName}`),
    noteServed: () => void taken.push(home.registry.devices().length),
    setFault: (fault) => void faults.push(fault),
    log,
  });
  return {
    home,
    intake,
    lines,
    taken,
    offers,
    code: () => faults.at(-1)?.code ?? null,
    words: () => faults.at(-1)?.message,
  };
}

test('a list that is too large shows as a fault until one is taken whole, and is logged once', async () => {
  const { home, intake, lines, code, words } = await openIntake();
  expect(await intake.syncDevices(lamps(2))).toBe(true);
  expect(code()).toBeNull();
  for (let time = 0; time < 3; time += 1) expect(await intake.syncDevices(lamps(4))).toBe(false);
  expect([code(), home.registry.devices().length]).toEqual(['TOO_MANY_DEVICES', 2]);
  expect(words()).toMatch(/More than 3 devices.* keeps the devices .* remove/i);
  expect(lines).toHaveLength(1);
  expect(await intake.describeDevice(lamp('l1', { name: 'Another' }))).toBe(true);
  expect(code(), 'says nothing of the list').toBe('TOO_MANY_DEVICES');
  expect(await intake.syncDevices(lamps(3))).toBe(true);
  expect(code()).toBeNull();
});

test('a list is refused as too large while it is read', async () => {
  const { intake, code } = await openIntake();
  const fits = await intake.openList();
  expect(lamps(3).every(fits)).toBe(true);
  expect(code()).toBeNull();
  expect(fits(lamp('more'))).toBe(false);
  expect(code()).toBe('TOO_MANY_DEVICES');
});

test('one device too many shows as a fault until one is taken', async () => {
  const { intake, home, code } = await openIntake();
  await intake.syncDevices(lamps(3));
  expect(await intake.describeDevice(lamp('more'))).toBe(false);
  expect(code()).toBe('TOO_MANY_DEVICES');
  await home.reports.removeDevice('l0');
  expect(await intake.describeDevice(lamp('more'))).toBe(true);
  expect(code()).toBeNull();
});

test('too large devices show as a fault until there are none, each logged once', async () => {
  const { intake, lines, code, words } = await openIntake();
  await intake.syncDevices([lamp('a'), big('b')]);
  expect([code(), words()]).toEqual(['DEVICE_TOO_LARGE', expect.stringMatching(/^A device describes/)]);
  await intake.syncDevices([lamp('a'), big('b')]);
  await intake.describeDevice(big('c'));
  expect(words()).toMatch(/^2 devices describe/);
  expect(lines).toHaveLength(2);
  await intake.describeDevice(lamp('b'));
  await intake.describeDevice(lamp('c'));
  expect(code()).toBeNull();
});

test('safe mode notes it before anything is taken', async () => {
  const { intake, taken } = await openIntake();
  await intake.openList();
  await intake.syncDevices(lamps(1));
  await intake.describeDevice(lamp('b'));
  // Once more after each wait for the storage, in which another instance may have been noted.
  expect(taken).toEqual([0, 0, 1, 1, 2]);
});

test('a suggested room is offered once the device is visible, and is not kept with it', async () => {
  const { home, intake, offers } = await openIntake();
  await intake.syncDevices([{ ...lamp('l1'), suggestedRoom: 'Kitchen' }, lamp('l2')]);
  await intake.describeDevice({ ...lamp('l3'), suggestedRoom: 'Hall' });
  expect(offers).toEqual(['l1 Kitchen', 'l3 Hall']);
  expect(home.disk.devices.size).toBe(3);
  expect(JSON.stringify([...home.disk.devices.values()])).not.toMatch(/Kitchen|Hall/);
});

test('a list that is refused offers no room', async () => {
  const { intake, offers } = await openIntake();
  await intake.syncDevices(lamps(4).map((device) => ({ ...device, suggestedRoom: 'Kitchen' })));
  expect(offers).toEqual([]);
});
