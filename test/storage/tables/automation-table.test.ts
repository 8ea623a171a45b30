import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { Scene } from '#core/scene/scene.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { automationSave, makeAutomation } from '#test/storage/storage-makers.ts';

const RECORD = makeAutomation(1);

async function isTaken(record: AutomationRecord, spoil: (path: string) => void = () => undefined): Promise<boolean> {
  const bench = createBench();
  const storage = storageInProcess(await bench.openOwned());
  await storage.automations.saveAutomations([{ ...automationSave(RECORD), record }]);
  const { id } = await storage.backups.make();
  const path = join(makeFolder(), 'copy.db');
  copyFileSync((await storage.backups.findPath(id)) ?? '', path);
  openDatabase(sqlite, path).close();
  spoil(path);
  return storage.backups.check(path).then(
    () => true,
    () => false,
  );
}

describe('automations', () => {
  test('S6: are after a restart as they were last saved', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    const changed = { ...RECORD, name: 'New', revision: 2, deletedAtMs: 7 };
    await before.automations.saveAutomations([automationSave(RECORD), automationSave(makeAutomation(2))]);
    await before.automations.saveAutomations([{ record: changed, version: null }]);
    await before.automations.deleteAutomations([makeAutomation(2).id]);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.automations.loadAutomations('')).toEqual([changed]);
    expect(await after.automations.loadVersion(RECORD.id, 1)).toMatchObject({ definition: RECORD.definition });
    expect(await after.automations.loadVersions(makeAutomation(2).id)).toEqual([]);
  });

  test('S7: are all written, or none', async () => {
    const storage = storageInProcess(await createBench().openOwned());
    const twin = { ...makeAutomation(2), selector: RECORD.selector };
    await expect(storage.automations.saveAutomations([automationSave(RECORD), automationSave(twin)])).rejects.toThrow(
      'UNIQUE',
    );
    expect(await storage.automations.loadAutomations('')).toEqual([]);
  });

  test('S7: are written with scenes and groups, or none of them is', async () => {
    const storage = storageInProcess(await createBench().openOwned());
    // JSON has no such number.
    const scene = { id: 'a scene', selector: 'evening', targets: [1n] } as unknown as Scene;
    const replaced = { automations: [automationSave(RECORD)], scenes: [scene], devices: [] };
    await expect(storage.automations.saveReplaced(replaced)).rejects.toThrow('BigInt');
    expect(await storage.automations.loadAutomations('')).toEqual([]);
    await storage.automations.saveReplaced({ ...replaced, scenes: [] });
    expect(await storage.automations.loadAutomations('')).toEqual([RECORD]);
  });

  test.each([
    ['a record as the hub writes it', RECORD, true],
    ['one whose name is a number', { ...RECORD, name: 1 }, false],
    ['one without a signer', { ...RECORD, signer: null }, false],
    ['one that does nothing that can be read', { ...RECORD, definition: { triggers: [] } }, false],
    ['one with a label that is a number', { ...RECORD, labels: [1] }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, record, isGood) => {
    expect(await isTaken(record as unknown as AutomationRecord)).toBe(isGood);
  });

  test('S8: a backup with a version that cannot be read is refused', async () => {
    const spoil = (path: string): void => {
      const database = openDatabase(sqlite, path);
      database.run('UPDATE automation_version SET definition = ?', [Buffer.from([9, 9, 9])]);
      database.close();
    };
    expect(await isTaken(RECORD, spoil)).toBe(false);
  });
});
