import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#storage/engine/database.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { createBench, makeFolder, sqlite, type Bench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeFeature, makeUser, makeValue } from '#test/storage/storage-makers.ts';

const BACKUP = '20261121T040622Z-manual';

/** A hub with a backup of user 1, and user 2 added since. `unclean`: as a power cut leaves it, with a log. */
function createUsedHub(end: 'clean' | 'unclean' = 'clean'): Bench {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.users.insertUser(makeUser(1));
  engine.operations.devices.saveDevices(Array.from({ length: 60 }, (_, number) => makeDevice(number)));
  engine.operations.backups.make();
  if (end === 'clean') engine.operations.users.insertUser(makeUser(2));
  engine.close();
  if (end === 'clean') return bench;
  bench.open().operations.users.insertUser(makeUser(2));
  const root = makeFolder();
  cpSync(bench.folders.state, join(root, 'state'), { recursive: true });
  return createBench(root);
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, offset);
  writeFileSync(file, content);
}

/** All but the first page: the log mends the few that were changed last. */
function spoil(file: string): void {
  const content = readFileSync(file);
  for (let offset = 4096; offset < content.length; offset += 4096) GARBAGE.copy(content, offset);
  writeFileSync(file, content);
}

const GARBAGE = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + 13) & 0xff));

const DAMAGES: readonly [string, (file: string) => void][] = [
  ['empty', (file) => truncateSync(file, 0)],
  ['a single byte', (file) => truncateSync(file, 1)],
  ['not a database', (file) => writeFileSync(file, 'hello '.repeat(2000))],
  ['all zeros', (file) => writeFileSync(file, Buffer.alloc(65_536))],
  ['a folder', (file) => (rmSync(file), mkdirSync(file), writeFileSync(join(file, 'x'), 'x'))],
  ['a link to nothing', (file) => (rmSync(file), symlinkSync('/nowhere/at/all', file))],
  ['a random first page', (file) => overwrite(file, 0, GARBAGE)],
  ['a random header', (file) => overwrite(file, 0, GARBAGE.subarray(0, 100))],
];

describe('S8: a damaged database', () => {
  test.each(DAMAGES)('%s: is replaced by the newest good backup, and kept', (_name, damage) => {
    const bench = createUsedHub();
    damage(bench.database);
    const original = existsSync(bench.database) && !isFolder(bench.database) ? readFileSync(bench.database) : undefined;
    const engine = bench.open();
    expect(engine.operations.users.loadUsers()).toEqual([makeUser(1)]);
    const { recovered, database } = engine.operations.health.readHealth();
    expect(recovered).toMatchObject({ from: BACKUP, folder: join(bench.folders.state, 'corrupt/20261121T040622Z') });
    expect(database).toBe('ok');
    expect(bench.lines.filter((line) => line.includes('the database was replaced'))).toHaveLength(1);
    const kept = join(bench.folders.state, 'corrupt/20261121T040622Z/hearthd.db');
    expect(original === undefined || readFileSync(kept).equals(original)).toBe(true);
    engine.operations.users.insertUser(makeUser(3));
    engine.close();
    const again = bench.open();
    expect(again.operations.users.loadUsers()).toEqual([makeUser(1), makeUser(3)]);
    expect(again.operations.health.readHealth().recovered).toBeNull();
  });

  test('cut at every 4 KiB: is replaced by the newest good backup, and kept byte for byte', () => {
    const model = createUsedHub();
    const { length } = readFileSync(model.database);
    expect(length).toBeGreaterThan(8 * 4096);
    for (let size = 4096; size < length; size += 4096) {
      const root = makeFolder();
      cpSync(model.folders.state, join(root, 'state'), { recursive: true });
      const bench = createBench(root);
      truncateSync(bench.database, size);
      const engine = bench.open();
      expect([
        size,
        engine.operations.users.loadUsers(),
        engine.operations.health.readHealth().recovered?.from,
      ]).toEqual([size, [makeUser(1)], BACKUP]);
      expect(readFileSync(join(bench.folders.state, 'corrupt/20261121T040622Z/hearthd.db'))).toHaveLength(size);
      engine.close();
    }
  });

  test('with any one page overwritten: opens complete, or is replaced by the backup', () => {
    const model = createUsedHub();
    const pages = readFileSync(model.database).length / 4096;
    const recovered = Array.from({ length: pages }, (_, page) => {
      const root = makeFolder();
      cpSync(model.folders.state, join(root, 'state'), { recursive: true });
      const bench = createBench(root);
      overwrite(bench.database, page * 4096, GARBAGE);
      const engine = bench.open();
      const users = engine.operations.users.loadUsers().length;
      const from = engine.operations.health.readHealth().recovered?.from;
      engine.close();
      return { page, users, from };
    });
    const whole = recovered.filter(({ users, from }) => users === 2 && from === undefined);
    const restored = recovered.filter(({ users, from }) => users === 1 && from === BACKUP);
    expect(whole.length + restored.length).toBe(pages);
    expect(restored.length).toBeGreaterThan(pages / 2);
  });

  test('with a log beside it after a power cut: both are kept byte for byte', () => {
    const bench = createUsedHub('unclean');
    const wal = readFileSync(`${bench.database}-wal`);
    expect(wal.length).toBeGreaterThan(4096);
    spoil(bench.database);
    const original = readFileSync(bench.database);
    const engine = bench.open();
    expect(engine.operations.users.loadUsers()).toEqual([makeUser(1)]);
    const kept = join(bench.folders.state, 'corrupt/20261121T040622Z');
    expect(readFileSync(join(kept, 'hearthd.db')).equals(original)).toBe(true);
    expect(readFileSync(join(kept, 'hearthd.db-wal')).equals(wal)).toBe(true);
  });

  test('with a log of garbage: the log is kept and reported, and the database itself is used', () => {
    const bench = createUsedHub();
    writeFileSync(`${bench.database}-wal`, GARBAGE);
    const engine = bench.open();
    expect(engine.operations.users.loadUsers()).toEqual([makeUser(1), makeUser(2)]);
    expect(engine.operations.health.readHealth().recovered).toMatchObject({
      from: null,
      reason: expect.stringContaining('log'),
    });
    expect(readFileSync(join(bench.folders.state, 'corrupt/20261121T040622Z/hearthd.db-wal')).equals(GARBAGE)).toBe(
      true,
    );
  });

  test.each([
    ['deleted', (file: string) => rmSync(file)],
    ['deleted with a log left behind', (file: string) => (rmSync(file), writeFileSync(`${file}-wal`, GARBAGE))],
  ])('%s: is never replaced by an empty one if there is a backup', (_name, damage) => {
    const bench = createUsedHub();
    damage(bench.database);
    const engine = bench.open();
    expect(engine.operations.users.loadUsers()).toEqual([makeUser(1)]);
    expect(engine.operations.health.readHealth().recovered?.from).toBe(BACKUP);
  });

  test('is not replaced by a backup that is damaged too', () => {
    const bench = createUsedHub();
    const backups = join(bench.folders.state, 'backups');
    cpSync(join(backups, `${BACKUP}.db`), join(backups, '20261122T000000Z-daily.db'));
    overwrite(join(backups, '20261122T000000Z-daily.db'), 4096, GARBAGE);
    writeFileSync(join(backups, '20261123T000000Z-daily.db'), '');
    writeFileSync(join(backups, '20261124T000000Z-daily.db.tmp'), 'unfinished');
    truncateSync(bench.database, 5000);
    expect(bench.open().operations.health.readHealth().recovered?.from).toBe(BACKUP);
    expect(bench.lines.filter((line) => line.includes('a backup cannot be used'))).toHaveLength(2);
  });

  test('is not replaced by an empty one if all backups come from a newer version', () => {
    const bench = createUsedHub();
    const backup = openDatabase(sqlite, join(bench.folders.state, 'backups', `${BACKUP}.db`));
    backup.exec('PRAGMA user_version=99');
    backup.close();
    truncateSync(bench.database, 5000);
    for (const _again of [1, 2]) expect(() => bench.open()).toThrow(expect.objectContaining({ reason: 'too_new' }));
    expect(existsSync(bench.database)).toBe(false);
  });

  test('is kept, and replaced by an empty one if there is no backup', () => {
    const bench = createBench();
    mkdirSync(bench.folders.state, { recursive: true });
    writeFileSync(bench.database, GARBAGE);
    const engine = bench.open();
    expect(engine.operations.users.loadUsers()).toEqual([]);
    expect(engine.operations.health.readHealth().recovered).toMatchObject({ from: null });
    expect(readFileSync(join(bench.folders.state, 'corrupt/20261121T040622Z/hearthd.db')).equals(GARBAGE)).toBe(true);
  });

  test('is recovered although a kill cut off an earlier recovery at any file operation', () => {
    const model = createUsedHub('unclean');
    spoil(model.database);
    const recover = (at: number) => {
      const root = makeFolder();
      cpSync(model.folders.state, join(root, 'state'), { recursive: true });
      const bench = createBench(root);
      const { operations } = withFault({ kind: 'kill', at }, () => bench.open());
      const engine = bench.open();
      const users = engine.operations.users.loadUsers();
      engine.operations.users.insertUser(makeUser(3));
      engine.close();
      const kept = readdirSync(join(bench.folders.state, 'corrupt'), { recursive: true, encoding: 'utf8' });
      const isKept = ['hearthd.db', 'hearthd.db-wal'].every((name) => kept.some((path) => path.endsWith(`/${name}`)));
      return { at, operations, isKept, isWhole: isDeepStrictEqual(users, [makeUser(1)]) };
    };
    const { operations } = recover(Infinity);
    const outcomes = Array.from({ length: operations }, (_, index) => recover(index + 1));
    expect(outcomes.filter(({ isKept, isWhole }) => !isKept || !isWhole)).toEqual([]);
  });

  test('is kept with the four before it, and older ones are deleted', () => {
    const bench = createUsedHub();
    for (let round = 0; round < 7; round += 1) {
      truncateSync(bench.database, 5000);
      bench.open().close();
    }
    expect(readdirSync(join(bench.folders.state, 'corrupt'))).toHaveLength(5);
  });

  test('is kept beside folders of other origin, which stay', () => {
    const bench = createUsedHub();
    const corrupt = join(bench.folders.state, 'corrupt');
    const notes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => join(corrupt, name, 'note'));
    for (const note of notes) mkdirSync(note, { recursive: true });
    truncateSync(bench.database, 5000);
    bench.open().close();
    expect(notes.filter((note) => !existsSync(note))).toEqual([]);
  });

  test('is not moved through a link, which is named', () => {
    const bench = createUsedHub();
    const other = makeFolder();
    const names = Array.from({ length: 7 }, (_, day) => `2026010${day}T000000Z`);
    for (const name of names) mkdirSync(join(other, name));
    symlinkSync(other, join(bench.folders.state, 'corrupt'));
    truncateSync(bench.database, 5000);
    expect(() => bench.open()).toThrow(
      expect.objectContaining({
        code: 'STORAGE_UNAVAILABLE',
        options: expect.objectContaining({
          cause: new Error(
            `${join(bench.folders.state, 'corrupt')} is a link: put a folder in its place, or mount another disk there`,
          ),
        }),
      }),
    );
    expect(readdirSync(other)).toEqual(names);
  });

  test('found while running: is reported once, answered as unavailable, and repaired by opening again', () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.users.insertUser(makeUser(1));
    // More than SQLite keeps in memory.
    const features = Array.from({ length: 400 }, (_, number) => makeFeature(`feature_${number}`));
    engine.operations.devices.saveDevices(Array.from({ length: 60 }, (_, number) => makeDevice(number, { features })));
    engine.operations.backups.make();
    engine.close();
    const running = bench.open();
    spoil(bench.database);
    const touchAll = (): unknown => [
      running.operations.devices.loadDevicePage(0),
      running.operations.devices.saveDevices([makeDevice(1)]),
    ];
    expect(touchAll).toThrow(expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }));
    expect(touchAll).toThrow(expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }));
    expect(bench.failures).toHaveLength(1);
    expect(running.operations.health.readHealth().database).toBe('damaged');
    running.operations.devices.saveValue(makeValue(1, 'x', 1));
    running.close();
    expect(bench.open().operations.users.loadUsers()).toEqual([makeUser(1)]);
  });
});

function isFolder(path: string): boolean {
  try {
    return readdirSync(path).length >= 0;
  } catch {
    return false;
  }
}
