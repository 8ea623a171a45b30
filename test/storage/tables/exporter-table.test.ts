import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asideKey, type Exporter, markKey } from '#core/exporter/exporter.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeExporter } from '#test/storage/storage-makers.ts';

const EXPORTER = makeExporter(1);

test('S6: exporters are after a restart as they were last saved, with how far they came', async () => {
  const bench = createBench();
  const before = storageInProcess(await bench.openOwned());
  await before.exporters.saveExporter(EXPORTER, 'first');
  before.meta.addMeta(new Map([[markKey(EXPORTER.id), 'second']]));
  await before.exporters.saveExporter({ ...EXPORTER, enabled: false }, null);
  expect((await before.meta.loadMeta()).get(markKey(EXPORTER.id))).toBe('second');
  await before.close();
  const after = storageInProcess(await bench.openOwned());
  expect(await after.exporters.loadExporters()).toEqual([{ ...EXPORTER, enabled: false }]);
  expect((await after.meta.loadMeta()).get(markKey(EXPORTER.id))).toBe('second');
  // A new mark is newer than what waits.
  after.meta.addMeta(new Map([[markKey(EXPORTER.id), 'third']]));
  await after.exporters.saveExporter(EXPORTER, 'again');
  expect((await after.meta.loadMeta()).get(markKey(EXPORTER.id))).toBe('again');
});

test('S6: a removed exporter leaves nothing, also of what waits for the disk', async () => {
  const bench = createBench();
  const before = storageInProcess(await bench.openOwned());
  await before.exporters.saveExporter(EXPORTER, 'first');
  before.meta.addMeta(new Map([[asideKey(EXPORTER.id), '[]']]));
  before.meta.addMeta(new Map([[markKey(EXPORTER.id), 'second']]));
  await before.exporters.deleteExporter(EXPORTER.id);
  const keysOf = (meta: ReadonlyMap<string, string>): string[] =>
    [...meta.keys()].filter((key) => key.startsWith('exp'));
  expect(keysOf(await before.meta.loadMeta())).toEqual([]);
  await before.close();
  const after = storageInProcess(await bench.openOwned());
  expect(await after.exporters.loadExporters()).toEqual([]);
  expect(keysOf(await after.meta.loadMeta())).toEqual([]);
});

test.each([
  ['a record as the hub writes it', EXPORTER, true],
  ['one that began at the beginning', { ...EXPORTER, start: null }, true],
  ['one of an unknown type', { ...EXPORTER, type: 'ftp' }, false],
  ['one without a filter', { ...EXPORTER, filter: null }, false],
  ['one whose URL is a number', { ...EXPORTER, url: 1 }, false],
  ['one that may reach the hub perhaps', { ...EXPORTER, mayReachHub: 'yes' }, false],
  ['one with a device that is no id', { ...EXPORTER, filter: { ...EXPORTER.filter, deviceIds: ['x'] } }, false],
])('S8: a backup with %s is checked before it is restored', async (_what, record, isGood) => {
  const bench = createBench();
  const storage = storageInProcess(await bench.openOwned());
  await storage.exporters.saveExporter(record as Exporter, null);
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
