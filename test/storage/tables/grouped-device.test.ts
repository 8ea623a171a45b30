import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeviceRecord } from '#core/device/device.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeDevice, makeFeature } from '#test/storage/storage-makers.ts';

const MEMBER = { id: makeDevice(1).id, selector: makeDevice(1).selector };
const GROUP = makeDevice(2, { integration: 'group', roomId: null, members: [MEMBER], holdsSensitive: false });
const WITHOUT_RIGHT = { ...makeFeature('on'), writable: undefined };

describe('groups', () => {
  test('S6: are after a restart with their members', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.devices.saveDevices([{ ...GROUP, members: [] }]);
    await before.devices.saveDevices([GROUP]);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.devices.loadDevices()).toEqual([{ ...GROUP, parentExternalId: null }]);
  });

  test.each([
    ['a group as the hub writes it', GROUP, true],
    ['a group whose members are no list', { ...GROUP, members: {} }, false],
    ['a feature that does not say whether it can be written', { ...GROUP, features: [WITHOUT_RIGHT] }, false],
    ['a group with a member without an id', { ...GROUP, members: [{ selector: 'lamp' }] }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, record, isGood) => {
    const bench = createBench();
    const storage = storageInProcess(await bench.openOwned());
    await storage.devices.saveDevices([record as DeviceRecord]);
    const { id } = await storage.backups.make();
    const path = join(makeFolder(), 'copy.db');
    copyFileSync((await storage.backups.findPath(id)) ?? '', path);
    openDatabase(sqlite, path).close();
    const isTaken = storage.backups.check(path).then(
      () => true,
      () => false,
    );
    expect(await isTaken).toBe(isGood);
  });
});
