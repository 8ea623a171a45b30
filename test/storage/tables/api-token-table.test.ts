import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApiToken } from '#auth/token/api-token.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import { type Database, openDatabase } from '#storage/engine/database.ts';
import { type Storage, storageInProcess } from '#storage/storage.ts';
import { type Bench, createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeApiToken, makeUser, NOW_MS } from '#test/storage/storage-makers.ts';

describe('API tokens', () => {
  test('S6: keep their last uses over a restart, and deleted ones stay deleted', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.users.insertUser(makeUser(1));
    const plain = { roomIds: null, deviceIds: null, networks: null, expiresAtMs: null };
    for (const token of [
      makeApiToken(1, { provider: 'weather', isMade: true }),
      makeApiToken(2, plain),
      makeApiToken(3),
    ])
      await before.apiTokens.insertApiToken(token);
    const use = { lastUsedAtMs: NOW_MS + 0.25, lastAddress: '192.168.1.20' };
    await before.apiTokens.touchApiTokens([
      { id: makeApiToken(2).id, ...use },
      { id: makeApiToken(9).id, ...use },
    ]);
    await before.apiTokens.deleteApiTokens([makeApiToken(3).id, makeApiToken(9).id]);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.apiTokens.loadApiTokens()).toEqual([
      makeApiToken(1, { provider: 'weather', isMade: true }),
      makeApiToken(2, { ...plain, ...use }),
    ]);
  });

  test('are deleted with their person', async () => {
    const storage = storageInProcess(await createBench().openOwned());
    for (const number of [1, 2]) await storage.users.insertUser(makeUser(number));
    await storage.apiTokens.insertApiToken(makeApiToken(1));
    await storage.apiTokens.insertApiToken(makeApiToken(2, { userId: makeUser(2).id }));
    await storage.users.deleteUser(makeUser(2).id);
    expect((await storage.apiTokens.loadApiTokens()).map(({ id }) => id)).toEqual([makeApiToken(1).id]);
  });

  test.each([
    ['a record as the hub writes it', {}, true],
    ['scopes that are none', { scopes: null as never }, false],
    ['a room that is no id', { roomIds: ['x' as RoomId] }, false],
    ['a device that is no id', { deviceIds: ['x' as DeviceId] }, false],
    ['an end that is a word', { expiresAtMs: 'never' as never }, false],
    ['a mark that is a word', { isMade: 'yes' as never }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, change, isGood) => {
    const storage = storageInProcess(await createBench().openOwned());
    await storage.users.insertUser(makeUser(1));
    await storage.apiTokens.insertApiToken(makeApiToken(1, change));
    const path = join(makeFolder(), 'copy.db');
    copyFileSync(await pathOfBackup(storage), path);
    openDatabase(sqlite, path).close();
    const isTaken = storage.backups.check(path).then(
      () => true,
      () => false,
    );
    expect(await isTaken).toBe(isGood);
  });

  test('A8: revoked tokens stay revoked when an earlier backup is restored, and the others work again', async () => {
    const bench = createBench();
    const before = await openWithTokens(bench, [makeApiToken(1), makeApiToken(2), makeApiToken(3, { userId: USER_2 })]);
    const old = await pathOfBackup(before);
    await before.apiTokens.deleteApiTokens([makeApiToken(2).id]);
    await before.users.deleteUser(USER_2);
    await before.apiTokens.insertApiToken(makeApiToken(4));
    await before.backups.restore(old, KEEP_NOTHING);
    await before.close();

    const then = storageInProcess(await bench.openOwned());
    expect(await then.apiTokens.loadApiTokens()).toEqual([makeApiToken(1)]);
    expect((await then.users.loadUsers()).map(({ id }) => id)).toEqual([makeUser(1).id, USER_2]);
    // The hub made a backup before the restore. Restoring that brings back the tokens that were not revoked.
    const kept = (await then.backups.list()).find(({ kind }) => kind === 'pre-restore');
    await then.backups.restore((await then.backups.findPath(kept?.id ?? '')) ?? '', KEEP_NOTHING);
    await then.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.apiTokens.loadApiTokens()).toEqual([makeApiToken(1), makeApiToken(4)]);
  });

  test('A8: they stay revoked through a second restore of the same backup; a backup of another hub brings its own tokens', async () => {
    const bench = createBench();
    const tokens = [makeApiToken(1), makeApiToken(2)];
    const first = await openWithTokens(bench, tokens);
    const old = await pathOfBackup(first);
    await first.apiTokens.deleteApiTokens([makeApiToken(2).id]);
    await first.backups.restore(old, KEEP_NOTHING);
    await first.close();
    const second = storageInProcess(await bench.openOwned());
    await second.backups.restore(old, KEEP_NOTHING);
    await second.close();
    expect(await storageInProcess(await bench.openOwned()).apiTokens.loadApiTokens()).toEqual([makeApiToken(1)]);

    const other = createBench();
    const fresh = storageInProcess(await other.openOwned());
    await fresh.backups.restore(old, KEEP_NOTHING);
    await fresh.close();
    expect(await storageInProcess(await other.openOwned()).apiTokens.loadApiTokens()).toEqual(tokens);
  });

  test('A8: the list of revoked tokens is bounded, and a person who fills it displaces only their own entries', async () => {
    const bench = createBench();
    const before = await openWithTokens(bench, [makeApiToken(1), makeApiToken(2, { userId: USER_2 })]);
    const old = await pathOfBackup(before);
    await before.apiTokens.deleteApiTokens([makeApiToken(1).id]);
    await before.close();
    const database = openDatabase(sqlite, bench.database);
    revokeMany(database, 9_999, USER_2);
    database.close();
    const full = storageInProcess(await bench.openOwned());
    await full.apiTokens.deleteApiTokens([makeApiToken(2).id]);
    await full.backups.restore(old, KEEP_NOTHING);
    await full.close();
    const after = openDatabase(sqlite, bench.database);
    onTestFinished(() => after.close());
    expect(after.get('SELECT count(*) AS n FROM revoked_api_token')?.['n']).toBe(10_000);
    expect(after.get('SELECT user_id FROM revoked_api_token WHERE id = ?', [makeApiToken(1).id])).toBeDefined();
    expect(after.all('SELECT id FROM api_token')).toEqual([]);
  });

  test('S8: two full lists of revoked tokens, of two people, are merged without blocking the storage', async () => {
    const bench = createBench();
    const before = await openWithTokens(bench, []);
    const path = join(makeFolder(), 'copy.db');
    copyFileSync(await pathOfBackup(before), path);
    await before.close();
    for (const [file, person] of [
      [path, 'then'],
      [bench.database, 'now'],
    ] as const) {
      const database = openDatabase(sqlite, file);
      revokeMany(database, 10_000, person);
      database.run('UPDATE revoked_api_token SET user_id = user_id || number, id = user_id || id');
      database.close();
    }
    const full = storageInProcess(await bench.openOwned());
    await full.backups.restore(path, KEEP_NOTHING);
    await full.close();
    const after = openDatabase(sqlite, bench.database);
    onTestFinished(() => after.close());
    expect(after.get("SELECT count(*) AS n FROM revoked_api_token WHERE id LIKE 'now%'")?.['n']).toBe(10_000);
    expect(after.get('SELECT count(*) AS n FROM revoked_api_token')?.['n']).toBe(10_000);
  });

  test('S8: a backup with more revoked tokens than a hub keeps is refused without blocking the storage', async () => {
    const storage = await openWithTokens(createBench(), []);
    const path = join(makeFolder(), 'copy.db');
    copyFileSync(await pathOfBackup(storage), path);
    const database = openDatabase(sqlite, path);
    revokeMany(database, 10_001, USER_2);
    database.close();
    await expect(storage.backups.check(path)).rejects.toMatchObject({ code: 'INVALID_BACKUP' });
    await expect(storage.backups.restore(path, KEEP_NOTHING)).rejects.toMatchObject({ code: 'INVALID_BACKUP' });
    expect(await storage.apiTokens.loadApiTokens()).toEqual([]);
  });
});

const USER_2 = makeUser(2).id;
const KEEP_NOTHING = { session: null, meta: [] };

async function openWithTokens(bench: Bench, tokens: readonly ApiToken[]): Promise<Storage> {
  const storage = storageInProcess(await bench.openOwned());
  for (const number of [1, 2]) await storage.users.insertUser(makeUser(number));
  for (const token of tokens) await storage.apiTokens.insertApiToken(token);
  return storage;
}

async function pathOfBackup({ backups }: Storage): Promise<string> {
  const { id } = await backups.make();
  return (await backups.findPath(id)) ?? '';
}

function revokeMany(database: Database, count: number, userId: string): void {
  database.run(
    `INSERT INTO revoked_api_token (id, user_id)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT 'loud-' || printf('%05d', i), ? FROM n`,
    [count, userId],
  );
}
