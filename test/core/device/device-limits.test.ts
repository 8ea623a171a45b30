import { describe, expect, test } from 'vitest';
import type { DeviceDescription } from '#core/device/device.ts';
import { DEVICE_LIMITS, type DeviceLimits } from '#core/device/device-limits.ts';
import { createDeviceDisk, lamp, openDeviceHome, type DeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const SMALL: DeviceLimits = { ...DEVICE_LIMITS, shownOfIntegration: 5, shown: 8, remembered: 6, features: 4 };

const openSmallHome = (limits: Partial<DeviceLimits> = {}): Promise<DeviceHome> =>
  openDeviceHome(createDeviceDisk(), undefined, { ...SMALL, ...limits });
const lamps = (count: number, prefix = 'l'): DeviceDescription[] =>
  Array.from({ length: count }, (_, index) => lamp(`${prefix}${index}`));
const shown = (home: DeviceHome): string[] => home.registry.devices().map(({ externalId }) => externalId);
const featureKeys = (home: DeviceHome, externalId: string): string[] =>
  home.device(externalId).features.map(({ key }) => key);
const manyFeatures = (count: number) => Array.from({ length: count }, (_, index) => createFeature(`x${index}`));
const longOptions = (length: number) => [createFeature('mode', { options: ['o'.repeat(length)] })];

describe('I1: a list beyond the limits', () => {
  test('is refused as a whole: nothing is written, changed or in an event', async () => {
    const home = await openSmallHome();
    await home.reports.syncDevices(lamps(2));
    const { commits } = home.disk.counts;
    const version = home.registry.version();
    home.takeEvents();
    const { refusal } = await home.reports.syncDevices(lamps(6, 'other'));
    expect(refusal).toMatchObject({
      code: 'TOO_MANY_DEVICES',
      message: expect.stringContaining('more than 5 devices'),
    });
    expect(shown(home)).toEqual(['l0', 'l1']);
    expect([home.disk.counts.commits, home.registry.version(), home.takeEvents()]).toEqual([commits, version, []]);
    expect(await home.reports.syncDevices(lamps(5, 'other'))).toEqual({ refusal: null, tooLarge: [] });
    expect(shown(home)).toHaveLength(5);
  });

  test('of one integration leaves the place of other integrations free', async () => {
    const home = await openSmallHome();
    const others = home.registry.reportsOf('bridge');
    await home.reports.syncDevices(lamps(5));
    expect((await others.syncDevices(lamps(4, 'b'))).refusal).toMatchObject({ code: 'TOO_MANY_DEVICES' });
    expect((await others.syncDevices(lamps(3, 'b'))).refusal).toBeNull();
    expect((await home.reports.syncDevices(lamps(5, 'new'))).refusal).toBeNull();
    expect(shown(home)).toHaveLength(8);
  });

  test.each([
    ['of one integration', { sizeOfIntegration: 5_000 }, 'descriptions of its devices'],
    ['in the home', { sizeInAll: 5_000 }, 'descriptions of all devices'],
  ])('by the size of all descriptions %s is refused as well', async (_name, limits, words) => {
    const home = await openSmallHome(limits);
    await home.registry.reportsOf('bridge').describeDevice(lamp('b', { features: longOptions(1_000) }));
    const list = lamps(2).map((device) => ({ ...device, features: longOptions(2_500) }));
    expect((await home.reports.syncDevices(list)).refusal).toMatchObject({
      code: 'DEVICES_TOO_LARGE',
      message: expect.stringContaining(words),
    });
    expect(shown(home)).toEqual(['b']);
    expect((await home.reports.describeDevice(list[0] ?? lamp('x'))).refusal).toBeNull();
    expect((await home.reports.describeDevice(list[1] ?? lamp('x'))).refusal).toMatchObject({
      code: 'DEVICES_TOO_LARGE',
    });
  });

  test('is found while it is read, without the present devices of the integration', async () => {
    const home = await openSmallHome();
    await home.reports.syncDevices(lamps(5));
    const gauge = await home.reports.openGauge();
    expect(lamps(6, 'new').map((device) => gauge(device)?.code)).toEqual([
      ...Array.from({ length: 5 }),
      'TOO_MANY_DEVICES',
    ]);
  });
});

test('I1: one device too many is refused, but a change of a visible device is not', async () => {
  const home = await openSmallHome();
  await home.reports.syncDevices(lamps(5));
  expect((await home.reports.describeDevice(lamp('more'))).refusal).toMatchObject({ code: 'TOO_MANY_DEVICES' });
  expect(home.find('more')).toBeUndefined();
  expect((await home.reports.describeDevice(lamp('l3', { name: 'A longer name' }))).refusal).toBeNull();
  expect(home.device('l3').name).toBe('A longer name');
  await home.reports.removeDevice('l0');
  expect((await home.reports.describeDevice(lamp('more'))).refusal).toBeNull();
});

describe('I1: a device with too large a description', () => {
  test.each([
    ['by the number of features', manyFeatures(5)],
    ['by their size', longOptions(DEVICE_LIMITS.size)],
  ])('%s is shown without features, the other devices unchanged', async (_name, features) => {
    const home = await openSmallHome();
    const intake = await home.reports.syncDevices([lamp('a'), lamp('big', { features }), lamp('b')]);
    expect(intake).toEqual({ refusal: null, tooLarge: ['big'] });
    expect(shown(home)).toEqual(['a', 'b', 'big']);
    expect([featureKeys(home, 'big'), featureKeys(home, 'b').length]).toEqual([[], 3]);
    expect(await home.reports.describeDevice(lamp('big'))).toEqual({ refusal: null, tooLarge: [] });
    expect(featureKeys(home, 'big')).toHaveLength(3);
  });

  test('keeps its earlier features with their values', async () => {
    const home = await openSmallHome();
    await home.reports.syncDevices([lamp('a')]);
    home.report('a', { on: true });
    const intake = await home.reports.describeDevice(lamp('a', { name: 'Renamed', features: manyFeatures(5) }));
    expect(intake.tooLarge).toEqual(['a']);
    expect([home.device('a').name, featureKeys(home, 'a').length, home.shown('a', 'on')]).toEqual([
      'Renamed',
      3,
      'true confirmed',
    ]);
  });

  test('is ignored if its name is too long', async () => {
    const home = await openSmallHome();
    expect(await home.reports.syncDevices([lamp('a', { name: 'n'.repeat(5_000) }), lamp('b')])).toEqual({
      refusal: null,
      tooLarge: ['a'],
    });
    expect(shown(home)).toEqual(['b']);
  });
});

test('S6: hidden devices beyond the limit are forgotten with their selectors, the others return as they were', async () => {
  const home = await openSmallHome();
  await home.reports.syncDevices(lamps(5));
  const { id } = home.device('l4');
  await home.reports.syncDevices(lamps(5, 'm'));
  expect(home.disk.devices.size).toBe(10);
  await home.reports.syncDevices([lamp('n')]);
  expect(home.disk.devices.size).toBe(7);
  const again = await openDeviceHome(home.disk, undefined, SMALL);
  await home.reports.describeDevice(lamp('l4'));
  await again.reports.describeDevice(lamp('l4'));
  expect([home.device('l4').id, again.device('l4').id]).toEqual([id, id]);
  await home.reports.describeDevice(lamp('x', { name: 'L0' }));
  expect(home.device('x').selector, 'its device is forgotten').toBe('l0');
});

test('a hidden device keeps no features, in memory or on disk', async () => {
  const home = await openSmallHome();
  await home.reports.syncDevices([lamp('a')]);
  await home.reports.removeDevice('a');
  expect([...home.disk.devices.values()].map(({ features }) => features)).toEqual([[]]);
  await home.reports.describeDevice(lamp('a'));
  expect(featureKeys(home, 'a')).toHaveLength(3);
});

describe('I1: the last values of devices', () => {
  const texts = ['a', 'b'].map((key) => createFeature(key, { capability: 'x.text', valueType: 'string' }));
  const long = (length: number): string => 'v'.repeat(length);
  const lengths = (home: DeviceHome, externalId: string): (number | undefined)[] =>
    ['a', 'b'].map((key) => (home.device(externalId).states.get(key)?.value as string | undefined)?.length);

  test.each([
    ['of one device', { valuesOfDevice: 1_000 }],
    ['of all', { valuesInAll: 1_000 }],
  ])('%s are limited, also after a start; a smaller value may replace a larger one', async (_name, limits) => {
    const home = await openSmallHome(limits);
    await home.reports.syncDevices([lamp('l', { features: texts })]);
    home.report('l', { a: long(700), b: long(400) });
    expect(lengths(home, 'l')).toEqual([700, undefined]);
    expect(home.lines).toHaveLength(1);
    home.report('l', { a: long(100), b: long(400) });
    home.reports.reportKeptValues('l', new Map([['b', long(950)]]));
    expect(lengths(home, 'l')).toEqual([100, 400]);
    const again = await openDeviceHome(home.disk, undefined, { ...SMALL, ...limits, valuesOfDevice: 450 });
    expect(lengths(again, 'l')).toEqual([100, undefined]);
  });

  test('of a removed device or a lost feature no longer count', async () => {
    const home = await openSmallHome({ valuesInAll: 1_000 });
    await home.reports.syncDevices([lamp('l', { features: texts }), lamp('m', { features: texts })]);
    home.report('l', { a: long(900) });
    home.report('m', { a: long(500) });
    expect(lengths(home, 'm')).toEqual([undefined, undefined]);
    await home.reports.describeDevice(lamp('l', { features: [] }));
    home.report('m', { a: long(500) });
    expect(lengths(home, 'm')).toEqual([500, undefined]);
    await home.reports.removeDevice('m');
    await home.reports.describeDevice(lamp('l', { features: texts }));
    home.report('l', { a: long(900), b: 'a short word' });
    expect(lengths(home, 'l')).toEqual([900, 12]);
  });
});
