import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#storage/engine/database.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { storageInProcess } from '#storage/storage.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { MIGRATIONS, migrate } from '#storage/engine/schema.ts';
import { createBench, makeFolder, sqlite, type Bench } from '#test/storage/storage-harness.ts';
import {
  NOW_MS,
  makeApiToken,
  makeDevice,
  makeRoom,
  makeSession,
  makeUser,
  makeValue,
} from '#test/storage/storage-makers.ts';

const DAY_MS = 86_400_000;
const KEEP_NOTHING = { session: null, meta: [] };

function openUsed(bench: Bench): StorageEngine {
  const engine = bench.open();
  engine.operations.users.insertUser(makeUser(1));
  engine.operations.sessions.insertSession(makeSession(1));
  engine.operations.rooms.saveRoom(makeRoom(1));
  engine.operations.devices.saveDevices([makeDevice(1, { roomId: makeRoom(1).id })]);
  engine.operations.devices.saveValue(makeValue(1, 'temperature', 20));
  engine.operations.meta.putMeta(
    new Map([
      ['hub_name', 'Then'],
      ['hub_version', '0.1.0'],
      ['clock_mark', '5'],
    ]),
  );
  return engine;
}

describe('backups', () => {
  test('S8: contain everything, even last values that still waited, and only the owner may read them', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    const made = engine.operations.backups.make();
    expect(made).toEqual({
      id: '20261121T040622Z-manual',
      kind: 'manual',
      createdAtMs: NOW_MS,
      bytes: expect.any(Number),
    });
    const path = engine.operations.backups.findPath(made.id) ?? '';
    expect(statSync(path)).toMatchObject({ size: made.bytes });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(engine.operations.backups.check(path)).toEqual({
      schema: MIGRATIONS.length,
      users: 1,
      devices: 1,
      rooms: 1,
      hubVersion: '0.1.0',
    });
    expect(readdirSync(join(bench.folders.state, 'tmp'))).toEqual([]);
    expect(readdirSync(join(bench.folders.state, 'backups'))).toEqual([`${made.id}.db`]);
  });

  test('are not made in a folder that is a link', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    const other = makeFolder();
    rmSync(join(bench.folders.state, 'backups'), { recursive: true, force: true });
    symlinkSync(other, join(bench.folders.state, 'backups'));
    expect(() => engine.operations.backups.make()).toThrow('A folder of the hub is a link: nothing was saved.');
    expect(engine.operations.health.readHealth().backupFailure?.message).toContain('is a link');
    expect(readdirSync(other)).toEqual([]);
    engine.close();
  });

  test('S8: are made once a day, whichever way the clock jumps, and seven are kept', () => {
    const engine = openUsed(createBench());
    const { makeDailyIfDue: makeIfDue, list } = engine.operations.backups;
    expect(makeIfDue(NOW_MS)?.id).toBe('20261121T040622Z-daily');
    expect(makeIfDue(NOW_MS + DAY_MS - 1)).toBeUndefined();
    for (let day = 1; day <= 8; day += 1) expect(makeIfDue(NOW_MS + day * DAY_MS)).toBeDefined();
    expect(list().map(({ id }) => id.slice(0, 8))).toEqual([
      '20261129',
      '20261128',
      '20261127',
      '20261126',
      '20261125',
      '20261124',
      '20261123',
    ]);
    const past = makeIfDue(0);
    expect(past?.id).toBe('19700101T000000Z-daily');
    expect(list()).toHaveLength(7);
    expect(list().at(-1)).toEqual(past);
  });

  test('S8: of scripts push out no others: the last three of them are kept', () => {
    const { make, list } = openUsed(createBench()).operations.backups;
    const own = make().id;
    for (let night = 0; night < 12; night += 1) make('script');
    expect(list().map(({ id, kind }) => (kind === 'script' ? kind : id))).toEqual(
      expect.arrayContaining([own, 'script', 'script', 'script']),
    );
    expect(list()).toHaveLength(4);
  });

  test('made in the same second have different names', () => {
    const { make, list } = openUsed(createBench()).operations.backups;
    expect([make().id, make().id]).toEqual(['20261121T040622Z-manual', '20261121T040623Z-manual']);
    expect(list()).toHaveLength(2);
  });

  test.each([
    '../hearthd',
    '20261121T040622Z-manual/../../hearthd',
    '',
    '20261121T040622Z-other',
    '20261121T040622Z-manual',
  ])('have no path for the id %j, which is not an id', (id) => {
    expect(openUsed(createBench()).operations.backups.findPath(id)).toBeUndefined();
  });

  test('S8: a kill at each file operation leaves the database complete, and no incomplete backup', () => {
    const makeOne = (at: number) => {
      const bench = createBench();
      const engine = openUsed(bench);
      const { operations } = withFault({ kind: 'kill', at }, () => engine.operations.backups.make());
      const root = makeFolder();
      cpSync(bench.folders.state, join(root, 'state'), { recursive: true });
      const again = createBench(root).open();
      const contents = again.operations.backups
        .list()
        .map(({ id }) => again.operations.backups.check(again.operations.backups.findPath(id) ?? ''));
      const isGood = contents.every(({ users }) => users === 1) && again.operations.users.loadUsers().length === 1;
      return { at, operations, isGood };
    };
    const { operations } = makeOne(Infinity);
    const outcomes = Array.from({ length: operations }, (_, index) => makeOne(index + 1));
    expect(outcomes.filter(({ isGood }) => !isGood)).toEqual([]);
  });

  test('S9: health reports a failed backup until one succeeds', () => {
    const engine = openUsed(createBench());
    const { error } = withFault({ kind: 'fail', at: 30, code: 'EIO' }, () => engine.operations.backups.make());
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(engine.operations.health.readHealth()).toMatchObject({ lastBackup: null, backupFailure: { atMs: NOW_MS } });
    expect(engine.operations.backups.makeDailyIfDue(NOW_MS)).toBeDefined();
    const again = withFault({ kind: 'fail', at: 30, code: 'EIO' }, () => engine.operations.backups.make());
    expect(again.error).toBeDefined();
    expect(engine.operations.backups.makeDailyIfDue(NOW_MS)).toBeUndefined();
    expect(engine.operations.health.readHealth().backupFailure).not.toBeNull();
    const made = engine.operations.backups.make();
    expect(engine.operations.health.readHealth()).toMatchObject({ lastBackup: made, backupFailure: null });
  });
});

describe('a restore', () => {
  test('S8: brings back the old state, ends all logins but one, and keeps what it must not undo', async () => {
    const bench = createBench();
    const engine = openUsed(bench);
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    engine.operations.devices.saveDevices([makeDevice(2)]);
    engine.operations.meta.putMeta(
      new Map([
        ['hub_name', 'Now'],
        ['clock_mark', '9'],
      ]),
    );
    engine.operations.sessions.updateSession(makeSession(1, { generation: 8 }));
    engine.operations.sessions.insertSession(makeSession(2));
    const storage = storageInProcess({ ...engine, close: async () => engine.close() });
    await storage.backups.restore(path, { session: makeSession(1).id, meta: ['clock_mark'] });
    await expect(storage.users.loadUsers()).rejects.toMatchObject({ code: 'RESTARTING' });
    await storage.close();

    const after = bench.open().operations;
    expect(after.devices.loadDevicePage(0).items.map(({ id }) => id)).toEqual([makeDevice(1).id]);
    expect(after.sessions.loadSessions()).toEqual([makeSession(1, { generation: 8 })]);
    expect(after.meta.loadMeta()).toEqual(
      new Map([
        ['hub_name', 'Then'],
        ['hub_version', '0.1.0'],
        ['clock_mark', '9'],
      ]),
    );
    expect(after.backups.list().map(({ kind }) => kind)).toEqual(['pre-restore', 'manual']);
    expect(bench.failures).toEqual([]);
  });

  test('S8: keeps passwords changed since; people removed since get the password in the backup', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    engine.operations.users.insertUser(makeUser(2));
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    const passwordHash = makeUser(1).passwordHash.replace('aGFz', 'bmV3');
    engine.operations.users.updateUser(makeUser(1, { name: 'Renamed', passwordHash }), []);
    engine.operations.users.deleteUser(makeUser(2).id);
    engine.operations.backups.restore(path, KEEP_NOTHING);
    expect(bench.open().operations.users.loadUsers()).toEqual([makeUser(1, { passwordHash }), makeUser(2)]);
  });

  test('S8: keeps the limits of guests and residents, and ended accounts closed', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    for (const number of [2, 3]) engine.operations.users.insertUser(makeUser(number));
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    const limits = { roomIds: new Set([makeRoom(1).id]), validUntilMs: NOW_MS, hasEnded: true };
    engine.operations.users.updateUser(makeUser(2, limits), []);
    engine.operations.users.updateUser(makeUser(3, { role: 'admin' }), []);
    engine.operations.backups.restore(path, KEEP_NOTHING);
    expect(bench.open().operations.users.loadUsers()).toEqual([makeUser(1), makeUser(2, limits), makeUser(3)]);
  });

  test('S8: brings back no API token of an account that has ended since', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    engine.operations.users.insertUser(makeUser(2));
    engine.operations.apiTokens.insertApiToken(makeApiToken(1, { userId: makeUser(2).id }));
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    engine.operations.users.updateUser(makeUser(2, { validUntilMs: NOW_MS, hasEnded: true }), []);
    expect(engine.operations.apiTokens.loadApiTokens()).toEqual([]);
    engine.operations.backups.restore(path, KEEP_NOTHING);
    expect(bench.open().operations.apiTokens.loadApiTokens()).toEqual([]);
  });

  test('S8: a login whose user is not in the backup ends too', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    engine.operations.users.insertUser(makeUser(2));
    engine.operations.sessions.insertSession(makeSession(2, { userId: makeUser(2).id }));
    engine.operations.backups.restore(path, { session: makeSession(2).id, meta: [] });
    expect(bench.open().operations.sessions.loadSessions()).toEqual([]);
  });

  test('S8: a kill at each file operation leaves the complete old database or the complete new one', () => {
    const restoreOnce = (at: number) => {
      const bench = createBench();
      const engine = openUsed(bench);
      const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
      engine.operations.devices.saveDevices([makeDevice(2)]);
      const { operations, error } = withFault({ kind: 'kill', at }, () =>
        engine.operations.backups.restore(path, KEEP_NOTHING),
      );
      const after = bench.open();
      const devices = after.operations.devices.loadDevicePage(0).items.length;
      const sessions = after.operations.sessions.loadSessions().length;
      const { recovered } = after.operations.health.readHealth();
      after.close();
      return { at, operations, isDone: error === undefined, devices, sessions, recovered };
    };
    const { operations } = restoreOnce(Infinity);
    const outcomes = Array.from({ length: operations }, (_, index) => restoreOnce(index + 1));
    const isOld = ({ devices, sessions }: (typeof outcomes)[number]): boolean => devices === 2 && sessions === 1;
    const isNew = ({ devices, sessions }: (typeof outcomes)[number]): boolean => devices === 1 && sessions === 0;
    expect(outcomes.filter((outcome) => !isNew(outcome) && (!isOld(outcome) || outcome.isDone))).toEqual([]);
    expect(outcomes.filter(({ recovered }) => recovered !== null)).toEqual([]);
    expect(outcomes.some(isOld) && outcomes.some(isNew)).toBe(true);
  });
});

function writeScript(script: string): (database: Database) => void {
  return (database) => {
    database.exec('PRAGMA foreign_keys=OFF');
    database.exec(script);
  };
}

describe('a restored file', () => {
  test('S8: from before the journal opens although its log has values of devices that it does not have', () => {
    const bench = createBench();
    const engine = openUsed(bench);
    const path = engine.operations.backups.newUploadPath();
    const present = openDatabase(sqlite, engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '');
    const database = openDatabase(sqlite, path);
    migrate(database, MIGRATIONS.slice(0, 8));
    for (const table of ['user', 'room', 'device', 'device_value']) {
      const columns = database.all(`PRAGMA table_info(${table})`).map(({ name }) => String(name));
      for (const row of present.all(`SELECT * FROM ${table}`)) {
        const values = columns.map((name) => row[name] ?? null);
        database.run(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`, values);
      }
    }
    database.exec(
      `INSERT INTO value_log (change_count, changes) VALUES (1, '[[999,"on",true,1,0],[1.5,"on",true,1,0]]')`,
    );
    database.close();
    present.close();
    engine.operations.backups.restore(path, KEEP_NOTHING);
    expect(bench.open().operations.devices.loadValuePage(0).items).toEqual([makeValue(1, 'temperature', 20)]);
  });
});

describe('a file that is to be restored', () => {
  test.each([
    ['nothing in it', (path: string) => writeFileSync(path, '')],
    ['text', (path: string) => writeFileSync(path, 'a backup? no')],
    ['half of it', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096)],
    [
      'random bytes in the middle',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0xa5, 4096, 8192);
        writeFileSync(path, bytes);
      },
    ],
  ])('S8: with %s is refused and nothing changes', (_name, damage) => {
    const engine = openUsed(createBench());
    const path = engine.operations.backups.newUploadPath();
    cpSync(engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '', path);
    damage(path);
    const before = readFileSync(path);
    const restore = (): void => engine.operations.backups.restore(path, KEEP_NOTHING);
    expect(restore).toThrow(expect.objectContaining({ code: 'INVALID_BACKUP' }));
    expect(() => engine.operations.backups.check(path)).toThrow(expect.objectContaining({ code: 'INVALID_BACKUP' }));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}-wal`)).toBe(false);
    engine.operations.users.insertUser(makeUser(2));
    expect(engine.operations.users.loadUsers()).toHaveLength(2);
  });

  test.each([
    ['a trigger', "CREATE TRIGGER evil AFTER DELETE ON session BEGIN UPDATE user SET role = 'owner'; END"],
    ['a view in the place of a table', 'DROP TABLE meta; CREATE VIEW meta AS SELECT 1 AS key, 2 AS value'],
    ['a further table', 'CREATE TABLE more (a)'],
    ['no schema', 'PRAGMA user_version=0'],
    ['a schema of the future', 'PRAGMA user_version=99'],
    ['no owner', "UPDATE user SET role = 'guest'"],
    ['a login of nobody', "PRAGMA foreign_keys=OFF; UPDATE user SET id = 'x'"],
    ['a password hash that is none', "UPDATE user SET password_hash = 'x'"],
    ['a password hash that was damaged', "UPDATE user SET password_hash = rtrim(password_hash, 'A') || 'B'"],
    ['a password hash of endless cost', "UPDATE user SET password_hash = replace(password_hash, 't=2', 't=9999999')"],
    [
      'a password hash of all memory',
      "UPDATE user SET password_hash = replace(password_hash, 'm=19456', 'm=99999999')",
    ],
    ['an owner with a limit', "UPDATE user SET room_ids = '[]'"],
    ['an owner whose time is over', 'UPDATE user SET has_ended = 1'],
    ['a device that is none', `UPDATE device SET record = '[]'`],
    ['a device without features', `UPDATE device SET record = json_remove(record, '$.features')`],
    ['a feature that is none', `UPDATE device SET record = json_set(record, '$.features[0]', 5)`],
    ['values that are none', `UPDATE device_value SET states = '{"a":1}'`],
    ['a value without a key', `UPDATE device_value SET states = '[[null,2,3,4]]'`],
    ['a number beyond all numbers', `UPDATE device SET number = 9223372036854775807; DELETE FROM device_value`],
  ])('S8: with %s is refused', (_name, script) => {
    const engine = openUsed(createBench());
    const path = engine.operations.backups.newUploadPath();
    cpSync(engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '', path);
    const database = openDatabase(sqlite, path);
    writeScript(script)(database);
    database.close();
    expect(() => engine.operations.backups.restore(path, KEEP_NOTHING)).toThrow(
      expect.objectContaining({ code: 'INVALID_BACKUP' }),
    );
    expect(engine.operations.users.loadUsers()).toEqual([makeUser(1)]);
  });
});
