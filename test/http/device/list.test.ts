import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Device, DeviceDescription } from '#core/device/device.ts';
import { deviceJson } from '#http/device/json.ts';
import { createDeviceList } from '#http/device/list.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import type { TestHome } from '#test/support/hub/http-home.ts';
import { lightOf, openTestHome } from '#test/support/hub/http-home.ts';

/** The same list made without any cache. */
const plain = ({ registry, rooms }: TestHome): unknown =>
  JSON.parse(JSON.stringify(registry.devices().map((device) => deviceJson(device, rooms.findRoom))));
const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));
const named = (home: TestHome, name: string): Device => {
  const device = home.registry.devices().find((one) => (one.ownName ?? one.name) === name);
  if (device === undefined) throw new Error(`no device ${name}`);
  return device;
};

test('an empty home is an empty array', async () => {
  expect((await openTestHome([])).list.allBytes().toString()).toBe('[]');
});

test('the bytes are the devices in the form of the API, sorted by name', async () => {
  const home = await openTestHome(['Lamp b', 'Lamp a', 'Küche 💡']);
  expect(parsed(home.list.allBytes())).toEqual(plain(home));
  expect(parsed(home.list.allBytes())).toMatchObject([{ name: 'Küche 💡' }, { name: 'Lamp a' }, { name: 'Lamp b' }]);
  expect(parsed(home.list.deviceBytes(named(home, 'Lamp a')))).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    selector: 'lamp-a',
    type: 'color_temperature_light',
    room: null,
    integration: 'zigbee2mqtt',
    external_id: '0x1',
    manufacturer: 'IKEA',
    firmware: null,
    availability: {
      state: 'online',
      since: '2026-01-01T00:00:00.000Z',
      last_seen_at: '2026-01-01T00:00:00.000Z',
      reason: null,
    },
    revision: 1,
    created_at: '2026-01-01T00:00:00.000Z',
  });
});

test('the next answer has every kind of change, and another version', async () => {
  const home = await openTestHome(['Lamp a', 'Lamp b', 'Lamp c']);
  const reports = home.registry.reportsOf('zigbee2mqtt');
  const room = await home.rooms.addRoom('Kitchen');
  const lamp = named(home, 'Lamp b');
  const changes: Record<string, () => void | Promise<unknown>> = {
    'a value': () => reports.reportValues('0x1', new Map([['brightness', 51]])),
    availability: () => reports.reportAvailability('0x1', 'offline', 'no_report'),
    'a name, and with it the order': () => home.registry.updateDevice(lamp.id, { ownName: 'Zebra' }),
    'a room': () => home.registry.updateDevice(lamp.id, { roomId: room.id }),
    'the name of its room': () => home.rooms.updateRoom(room.id, { name: 'Pantry' }),
    'a new device': () => reports.describeDevice(lightOf('0x9', 'Another')),
    'a new description': () => reports.describeDevice({ ...lightOf('0x9', 'Another'), firmware: '2.0' }),
    'a removed device': () => reports.removeDevice('0x0'),
    'the end of its room': () => home.rooms.removeRoom(room.id),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = { version: home.list.version(), bytes: home.list.allBytes() };
    await change();
    expect([what, home.list.version()]).not.toEqual([what, before.version]);
    expect([what, home.list.allBytes().equals(before.bytes)]).toEqual([what, false]);
    expect([what, parsed(home.list.allBytes())]).toEqual([what, plain(home)]);
  }
});

test('without a change the list is the very same bytes', async () => {
  const { list } = await openTestHome(['Lamp a']);
  expect(list.allBytes()).toBe(list.allBytes());
});

test('a report that repeats the value changes no version, and the list has its time within 60 s', async () => {
  const home = await openTestHome(['Lamp a', 'Lamp b']);
  const version = home.list.version();
  const repeat = (): void => home.registry.reportsOf('zigbee2mqtt').reportValues('0x0', new Map([['on', true]]));
  const seenAt = (): unknown =>
    (parsed(home.list.allBytes()) as { availability: { last_seen_at: string } }[])[0]?.availability.last_seen_at;
  const deviceVersion = home.list.deviceVersion(named(home, 'Lamp a'));
  expect(seenAt()).toBe('2026-01-01T00:00:00.000Z');
  home.time.passedMs = 1_000;
  repeat();
  const bytes = home.list.allBytes();
  home.time.passedMs = 60_999;
  repeat();
  expect(home.list.allBytes()).toBe(bytes);
  home.time.passedMs = 61_000;
  expect(seenAt()).toBe('2026-01-01T00:01:00.999Z');
  expect(parsed(home.list.deviceBytes(named(home, 'Lamp a')))).toMatchObject({
    features: [{ key: 'on', observed_at: '2026-01-01T00:01:00.999Z' }, {}, {}, {}, {}, {}, {}, {}],
  });
  expect(home.list.version()).toBe(version);
  expect(home.list.deviceVersion(named(home, 'Lamp a'))).toBe(deviceVersion);
});

test('the version of a device changes with that device only', async () => {
  const home = await openTestHome(['Lamp a', 'Lamp b']);
  const versionOf = (name: string): string => home.list.deviceVersion(named(home, name));
  const before = [versionOf('Lamp a'), versionOf('Lamp b')];
  home.registry.reportsOf('zigbee2mqtt').reportValues('0x0', new Map([['on', false]]));
  expect([versionOf('Lamp a') === before[0], versionOf('Lamp b') === before[1]]).toEqual([false, true]);
});

test('a nonsensical time of one device breaks nothing', async () => {
  const home = await openTestHome(['Lamp a']);
  home.registry.reportsOf('zigbee2mqtt').reportSeen('0x0', 1e300);
  home.registry.reportsOf('zigbee2mqtt').reportValues('0x0', new Map([['on', false]]));
  home.registry.reportsOf('zigbee2mqtt').reportSeen('0x0', Number.NaN);
  home.time.passedMs = 120_000;
  expect(home.list.allBytes().toString()).toContain('"last_seen_at":"1970-01-01T00:00:00.000Z"');
});

/** Calls of a device's fields by serialisation, counted by a value that counts being read. */
test('one change costs one device, however many there are', async () => {
  const home = await openTestHome([]);
  let serialised = 0;
  // A value that counts how often it is written.
  const counting = Object.create({ toJSON: () => ((serialised += 1), 'x') }) as JsonObject;
  const reports = home.registry.reportsOf('zigbee2mqtt');
  const withComposite = (light: DeviceDescription): DeviceDescription => ({
    ...light,
    features: [...light.features, createFeature('x.odd', { valueType: 'object' })],
  });
  await reports.syncDevices(
    Array.from({ length: 300 }, (_, index) => withComposite(lightOf(`0x${index}`, `Lamp ${index}`))),
  );
  for (let index = 0; index < 300; index += 1) reports.reportValues(`0x${index}`, new Map([['x.odd', counting]]));
  // The event of each was written as well.
  serialised = 0;
  home.list.allBytes();
  expect(serialised).toBe(300);
  reports.reportValues('0x7', new Map([['brightness', 1]]));
  reports.reportValues('0x7', new Map([['brightness', 2]]));
  home.list.allBytes();
  expect(serialised).toBe(301);
});

test('I1: a list of thousands is made in slices, and changes in the meantime do not spoil its bytes', async () => {
  const home = await openTestHome(Array.from({ length: 300 }, (_, index) => `Lamp ${index}`));
  const reports = home.registry.reportsOf('zigbee2mqtt');
  let nowMs = 0;
  const { registry, rooms } = home;
  // Each look at the clock takes a millisecond.
  const list = createDeviceList({ registry, findRoom: rooms.findRoom, monotonicMs: () => (nowMs += 1), epoch: 'run' });
  const preparing = list.prepare();
  expect(preparing).toBeDefined();
  expect(list.prepare(), 'two readers share the work').toBe(preparing);
  await reports.removeDevice('0x7');
  reports.reportValues('0x8', new Map([['brightness', 51]]));
  await preparing;
  expect(list.prepare(), 'few are left').toBeUndefined();
  expect(parsed(list.allBytes())).toEqual(plain(home));
  for (let index = 20; index < 250; index += 1) reports.reportSeen(`0x${index}`, 1);
  expect(list.prepare(), 'what only was heard waits').toBeUndefined();
  nowMs += 60_000;
  await list.prepare();
  expect(list.prepare()).toBeUndefined();
  expect(parsed(list.allBytes())).toEqual(plain(home));
  const names = await list.fieldBytes(home.registry.devices(), ['id', 'name']);
  expect(parsed(names)).toEqual((plain(home) as Record<string, unknown>[]).map(({ id, name }) => ({ id, name })));
});

test('a field that is asked for many times is made once', async () => {
  const home = await openTestHome(['Lamp a']);
  let made = 0;
  const lamp: Device = Object.defineProperty({ ...named(home, 'Lamp a') }, 'model', {
    get: () => {
      made += 1;
      return 'L1';
    },
  });
  const bytes = await home.list.fieldBytes([lamp], ['model', 'name', 'model', 'model']);
  expect([parsed(bytes), made]).toEqual([[{ model: 'L1', name: 'Lamp a' }], 1]);
});
