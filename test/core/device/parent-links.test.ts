import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { DeviceDescription } from '#core/device/device.ts';
import { createDeviceDisk, lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const child = (externalId: string, parentExternalId: string | null): DeviceDescription =>
  lamp(externalId, { parentExternalId });

test('S6: a device shows its parent once that is there, also after a restart', async () => {
  const disk = createDeviceDisk();
  const home = await openDeviceHome(disk);
  await home.reports.describeDevice(child('lamp', 'bridge'));
  expect(home.device('lamp').parentId ?? null).toBeNull();
  await home.reports.describeDevice(lamp('bridge'));
  expect(home.device('lamp').parentId).toBe(home.device('bridge').id);
  const again = await openDeviceHome(disk);
  expect(again.device('lamp').parentId).toBe(again.device('bridge').id);
});

test('a parent that is removed shows as none, and again once it is back', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('bridge'), child('lamp', 'bridge'), child('plug', 'bridge')]);
  const { id } = home.device('bridge');
  const changed: string[] = [];
  home.registry.onChange((kind, device) => {
    if (kind === 'changed') changed.push(device.externalId);
  });
  await home.reports.removeDevice('bridge');
  expect([home.device('lamp').parentId, home.device('plug').parentId]).toEqual([null, null]);
  expect(changed).toEqual(['lamp', 'plug']);
  await home.reports.describeDevice(lamp('bridge'));
  expect([home.device('lamp').parentId, home.device('plug').parentId]).toEqual([id, id]);
});

test('a device is no child of a device of another integration', async () => {
  const home = await openDeviceHome();
  await home.registry.reportsOf('other').syncDevices([lamp('bridge')]);
  await home.reports.describeDevice(child('lamp', 'bridge'));
  expect(home.device('lamp').parentId ?? null).toBeNull();
});

test('devices that are their own ancestors show no parent, and those below them neither', async () => {
  const home = await openDeviceHome();
  await home.reports.syncDevices([child('self', 'self'), child('a', 'b'), child('b', 'a'), child('c', 'a')]);
  const parents = (): unknown[] => ['self', 'a', 'b', 'c'].map((name) => home.device(name).parentId ?? null);
  expect(parents()).toEqual([null, null, null, null]);
  await home.reports.describeDevice(child('a', null));
  const a = home.device('a').id;
  expect(parents()).toEqual([null, null, a, a]);
});

test('after any history of lists and removals the parents are those that a restart would show, without circles', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const name = fc.constantFrom(...names);
  const described = fc.tuple(name, fc.option(name));
  const step = fc.oneof(
    described.map(([id, parent]) => ({ type: 'describe' as const, id, parent })),
    name.map((id) => ({ type: 'remove' as const, id })),
    fc.array(described, { maxLength: 5 }).map((list) => ({ type: 'sync' as const, list })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const disk = createDeviceDisk();
      const home = await openDeviceHome(disk);
      for (const one of steps) {
        if (one.type === 'describe') await home.reports.describeDevice(child(one.id, one.parent));
        else if (one.type === 'remove') await home.reports.removeDevice(one.id);
        else await home.reports.syncDevices(one.list.map(([id, parent]) => child(id, parent)));
      }
      const shown = (of: typeof home) =>
        Object.fromEntries(of.registry.devices().map(({ id, parentId = null }) => [id, parentId]));
      const again = await openDeviceHome(disk);
      expect(shown(again)).toEqual(shown(home));
      for (const device of home.registry.devices()) {
        let depth = 0;
        let up: string | null | undefined = device.parentId;
        for (; up !== null && up !== undefined && depth < 99; depth += 1) up = home.registry.findDevice(up)?.parentId;
        expect(depth).toBeLessThan(names.length);
      }
    }),
    searchOf(1_000),
  );
});
