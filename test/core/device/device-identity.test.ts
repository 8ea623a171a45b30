import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { Device, DeviceDescription } from '#core/device/device.ts';
import { deviceName } from '#core/device/device.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { type DeviceEntry, recordFromEntry } from '#core/device/device-table.ts';
import { createDeviceDisk, lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const FULL = new HubError('STORAGE_FULL', 'The disk is full: nothing was saved.');

/** The part of a device that must never change. */
const identityOf = ({ id, selector, ownName, roomId, createdAtMs }: Device) => ({
  id,
  selector,
  ownName,
  roomId,
  createdAtMs,
});

test('S6: a device keeps its id, selector, own name and room after removal, restart and return', async () => {
  const disk = createDeviceDisk();
  const first = await openDeviceHome(disk);
  await first.reports.syncDevices([lamp('a'), lamp('b')]);
  const kitchen = await first.rooms.addRoom('Kitchen');
  await first.registry.updateDevice(first.device('a').id, { ownName: 'Ceiling', roomId: kitchen.id });
  const before = identityOf(first.device('a'));
  await first.registry.removeDevice(before.id);
  expect(first.find('a')).toBeUndefined();
  expect(first.registry.findDevice(before.selector)).toBeUndefined();

  const second = await openDeviceHome(disk);
  expect(second.registry.devices().map(({ externalId }) => externalId)).toEqual(['b']);
  await second.reports.describeDevice(lamp('c', { name: 'A' }));
  expect(second.device('c').selector, 'the selector of a hidden device is not given away').toBe('a-2');
  await second.reports.describeDevice(lamp('a', { name: 'Renamed upstream' }));
  expect(identityOf(second.device('a'))).toEqual(before);
  expect(deviceName(second.device('a'))).toBe('Ceiling');
});

test('the devices of a removed integration are hidden until it returns, or forgotten, and no others', async () => {
  const disk = createDeviceDisk();
  const home = await openDeviceHome(disk);
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  await home.registry.reportsOf('hue').syncDevices([lamp('c')]);
  await home.registry.updateDevice(home.device('a').id, { ownName: 'Ceiling' });
  const before = identityOf(home.device('a'));
  await home.registry.removeDevicesOf(home.device('a').integration, { forget: false });
  expect(home.registry.devices().map(({ externalId }) => externalId)).toEqual(['c']);
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  expect(identityOf(home.device('a'))).toEqual(before);
  await home.registry.removeDevicesOf(home.device('a').integration, { forget: true });
  const again = await openDeviceHome(disk);
  expect(again.registry.devices().map(({ externalId }) => externalId)).toEqual(['c']);
  await home.reports.syncDevices([lamp('a')]);
  const fresh = identityOf(home.device('a'));
  expect(fresh).toMatchObject({ selector: before.selector, ownName: null });
  expect(fresh.id).not.toBe(before.id);
});

test('a device whose room was removed while it was hidden returns without a room', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a')]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  await home.registry.updateDevice(home.device('a').id, { roomId: kitchen.id });
  await home.reports.removeDevice('a');
  await home.rooms.removeRoom(kitchen.id);
  await home.reports.describeDevice(lamp('a'));
  expect(home.device('a').roomId).toBeNull();
  const again = await openDeviceHome(home.disk);
  expect(again.device('a').roomId).toBeNull();
});

test('S6: nothing is visible, in events or counted before it is on disk', async () => {
  const home = await openDeviceHome();
  const syncing = home.reports.syncDevices([lamp('a')]);
  expect(home.registry.devices()).toEqual([]);
  await syncing;
  home.changes.length = 0;
  home.takeEvents();
  const version = home.registry.version();
  const id = home.device('a').id;
  const renaming = home.registry.updateDevice(id, { ownName: 'Ceiling' });
  expect(home.device('a').ownName).toBeNull();
  expect(home.registry.version()).toBe(version);
  expect([home.changes, home.events]).toEqual([[], []]);
  await renaming;
  const removing = home.registry.removeDevice(id);
  expect(home.find('a')).toBeDefined();
  await removing;
  expect(home.changes).toEqual(['moved a', 'removed a']);
  expect(home.takeEvents()).toEqual(['device.changed', 'device.removed']);
});

test('S6: a write that the disk refuses changes nothing, and succeeds when the disk has space again', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a', { name: 'Lamp' }), lamp('b')]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  await home.registry.updateDevice(home.device('a').id, { roomId: kitchen.id });
  const before = structuredClone([...home.registry.devices()]);
  const version = home.registry.version();
  home.takeEvents();
  home.disk.failWith = FULL;
  const inventory = [lamp('a', { name: 'Other' }), lamp('c', { name: 'Lamp' }), lamp('d', { name: 'Lamp' })];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(home.reports.syncDevices(inventory)).rejects.toBe(FULL);
    await expect(home.rooms.addRoom('Hall')).rejects.toBe(FULL);
  }
  await expect(home.registry.updateDevice(home.device('a').id, { ownName: 'X' })).rejects.toBe(FULL);
  await expect(home.registry.removeDevice(home.device('a').id)).rejects.toBe(FULL);
  await expect(home.rooms.removeRoom(kitchen.id)).rejects.toBe(FULL);
  await expect(home.rooms.updateRoom(kitchen.id, { name: 'Y' })).rejects.toBe(FULL);
  expect(home.registry.devices()).toEqual(before);
  expect(home.registry.version()).toBe(version);
  expect(home.takeEvents()).toEqual([]);

  home.disk.failWith = undefined;
  await home.reports.syncDevices(inventory);
  expect(home.registry.devices().map(({ externalId, selector }) => `${externalId} ${selector}`)).toEqual([
    'c lamp-2',
    'd lamp-3',
    'a lamp',
  ]);
  expect((await home.rooms.addRoom('Hall')).selector).toBe('hall');
});

test('an inventory without changes makes no write and no event', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  const { commits } = home.disk.counts;
  const version = home.registry.version();
  home.changes.length = 0;
  // Key order and identity of the objects do not matter.
  const again = [lamp('b'), lamp('a')].map(
    (device) => Object.fromEntries(Object.entries(structuredClone(device)).toReversed()) as DeviceDescription,
  );
  await home.reports.syncDevices(again);
  expect(home.disk.counts.commits).toBe(commits);
  expect(home.registry.version()).toBe(version);
  expect(home.changes).toEqual([]);
});

test('if an inventory names a device twice, the last description wins', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a', { name: 'First' }), lamp('a', { name: 'Last' })]);
  expect(home.registry.devices().map(({ name }) => name)).toEqual(['Last']);
});

test('ten thousand devices of one name get different short selectors, in few transactions', async () => {
  const home = await openDeviceHome(undefined, undefined, { ...DEVICE_LIMITS, shownOfIntegration: 10_000 });
  await home.reports.syncDevices(Array.from({ length: 10_000 }, (_, index) => lamp(`0x${index}`, { name: 'Lamp' })));
  const selectors = new Set(home.registry.devices().map(({ selector }) => selector));
  expect(selectors.size).toBe(10_000);
  expect(selectors).toContain('lamp');
  expect(selectors).toContain('lamp-10000');
  expect(home.disk.counts.commits).toBeLessThanOrEqual(50);
  await home.reports.syncDevices([]);
  expect(home.registry.devices()).toEqual([]);
  expect(home.disk.counts.commits).toBeLessThanOrEqual(100);
});

test('simultaneous changes of one device all take effect, one after the other', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a')]);
  const { id } = home.device('a');
  const kitchen = await home.rooms.addRoom('Kitchen');
  await Promise.all([
    home.registry.updateDevice(id, { ownName: 'Ceiling' }),
    home.reports.describeDevice(lamp('a', { model: 'New' })),
    home.registry.updateDevice(id, { roomId: kitchen.id }),
  ]);
  const { ownName, model, roomId, revision } = home.device('a');
  expect({ ownName, model, roomId, revision }).toEqual({
    ownName: 'Ceiling',
    model: 'New',
    roomId: kitchen.id,
    revision: 4,
  });
  const late = home.registry.updateDevice(id, { ownName: 'Late' }, { ifRevision: 4 });
  const tooLate = home.registry.updateDevice(id, { ownName: 'Too late' }, { ifRevision: 4 });
  await late;
  await expect(tooLate).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  const [moved, removed, afterwards] = await Promise.allSettled([
    home.rooms.removeRoom(kitchen.id),
    home.registry.removeDevice(id),
    home.registry.updateDevice(id, { roomId: kitchen.id }),
  ]);
  expect([moved.status, removed.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(afterwards).toMatchObject({ reason: { code: 'NOT_FOUND' } });
});

type Step =
  | { do: 'sync'; devices: readonly [number, string][] }
  | { do: 'describe'; device: number; name: string }
  | { do: 'remove' | 'hide' | 'name' | 'enter' | 'leave'; device: number; name: string }
  | { do: 'room' | 'unroom'; name: string }
  | { do: 'restart' | 'full' | 'free' };

const device = fc.nat(4);
const name = fc.constantFrom('Lamp', 'lamp', 'Küche', '灯', '');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('sync' as const), devices: fc.array(fc.tuple(device, name), { maxLength: 6 }) }),
  fc.record({ do: fc.constant('describe' as const), device, name }),
  fc.record({ do: fc.constantFrom('remove', 'hide', 'name', 'enter', 'leave'), device, name }),
  fc.record({ do: fc.constantFrom('room', 'unroom'), name: fc.constantFrom('Hall', 'Küche') }),
  fc.record({ do: fc.constantFrom('restart', 'full', 'free') }),
);

test('S6: after any history, memory equals the disk and no device has changed its identity', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (rounds) => {
      const disk = createDeviceDisk();
      let home = await openDeviceHome(disk);
      const known = new Map<string, { id: string; selector: string }>();
      const run = async (one: Step): Promise<unknown> => {
        const id = 'device' in one ? home.find(`0x${one.device}`)?.id : undefined;
        switch (one.do) {
          case 'sync':
            return home.reports.syncDevices(one.devices.map(([number, text]) => lamp(`0x${number}`, { name: text })));
          case 'describe':
            return home.reports.describeDevice(lamp(`0x${one.device}`, { name: one.name }));
          case 'remove':
            return home.reports.removeDevice(`0x${one.device}`);
          case 'hide':
            return id === undefined ? undefined : home.registry.removeDevice(id);
          case 'name':
            return id === undefined ? undefined : home.registry.updateDevice(id, { ownName: one.name || null });
          case 'enter':
          case 'leave': {
            const room = one.do === 'enter' ? home.rooms.rooms()[0] : undefined;
            return id === undefined ? undefined : home.registry.updateDevice(id, { roomId: room?.id ?? null });
          }
          case 'room':
            return home.rooms.addRoom(one.name);
          case 'unroom': {
            const room = home.rooms.rooms().find((other) => other.name === one.name);
            return room === undefined ? undefined : home.rooms.removeRoom(room.id);
          }
          case 'full':
          case 'free':
            disk.failWith = one.do === 'full' ? FULL : undefined;
            return undefined;
          default:
            return undefined;
        }
      };
      for (const round of rounds) {
        // All changes of a round are requested before the first one ends.
        const outcomes = await Promise.allSettled(round.map(run));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected' && !(outcome.reason instanceof HubError)) throw outcome.reason;
        }
        if (round.some((one) => one.do === 'restart')) home = await openDeviceHome(disk);
        const visible = [...disk.devices.values()].filter(({ removedAtMs }) => removedAtMs === null);
        const shown = home.registry.devices();
        const byId = (left: { id: string }, right: { id: string }): number => (left.id < right.id ? -1 : 1);
        expect(shown.map((one) => recordFromEntry(one as DeviceEntry)).sort(byId)).toEqual(visible.sort(byId));
        expect(
          home.rooms
            .rooms()
            .map(({ id }) => id)
            .sort(),
        ).toEqual([...disk.rooms.keys()].sort());
        const names = shown.map((one) => `${deviceName(one)}\n${one.id}`);
        expect(names).toEqual(names.toSorted((left, right) => (left < right ? -1 : 1)));
        for (const record of disk.devices.values()) {
          const { externalId, id, selector } = record;
          expect(known.get(externalId) ?? { id, selector }).toEqual({ id, selector });
          known.set(externalId, { id, selector });
        }
      }
    }),
    searchOf(200),
  );
});
