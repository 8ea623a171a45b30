import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Scene } from '#core/scene/scene.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeScene } from '#test/storage/storage-makers.ts';

const SCENE = makeScene(1);
const [TARGET] = SCENE.targets;

describe('scenes', () => {
  test('S6: are after a restart as they were last saved', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.scenes.saveScene(SCENE);
    await before.scenes.saveScene({ ...SCENE, name: 'New', revision: 2 });
    await before.scenes.saveScene(makeScene(2));
    await before.scenes.deleteScene(makeScene(2).id);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.scenes.loadScenes()).toEqual([{ ...SCENE, name: 'New', revision: 2 }]);
  });

  test.each([
    ['a record as the hub writes it', SCENE, true],
    ['one whose name is a number', { ...SCENE, name: 1 }, false],
    ['one without targets', { ...SCENE, targets: null }, false],
    ['one with a device that is no id', { ...SCENE, targets: [{ ...TARGET, deviceId: 'x' }] }, false],
    ['one that nothing known has made', { ...SCENE, createdBy: {} }, false],
    ['one with values that are no object', { ...SCENE, targets: [{ ...TARGET, set: [] }] }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, record, isGood) => {
    const bench = createBench();
    const storage = storageInProcess(await bench.openOwned());
    await storage.scenes.saveScene(record as Scene);
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
