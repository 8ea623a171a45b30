import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApiToken, ApiTokenId } from '#auth/api-token.ts';
import type { DeviceId, RoomId } from '#core/device.ts';
import { openDatabase } from '#storage/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from './storage-harness.ts';
import { makeDevice, makeRoom, makeUser, NOW_MS } from './storage-makers.ts';

function makeToken(number: number, changes: Partial<ApiToken> = {}): ApiToken {
  return {
    id: `40000000-0000-7000-8000-${String(number).padStart(12, '0')}` as ApiTokenId,
    userId: makeUser(1).id,
    name: 'Evening lights',
    scopes: ['device:read'],
    roomIds: [makeRoom(1).id],
    deviceIds: [makeDevice(1).id],
    networks: ['192.168.1.0/24'],
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 0.5,
    epoch: '0',
    lastUsedAtMs: null,
    lastAddress: null,
    tokenHash: new Uint8Array(32).fill(number),
    ...changes,
  };
}

describe('API tokens', () => {
  test('S6: are there after a restart with their last uses, and those that ended are not', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.users.insertUser(makeUser(1));
    const plain = { roomIds: null, deviceIds: null, networks: null, expiresAtMs: null };
    for (const token of [makeToken(1), makeToken(2, plain), makeToken(3)]) await before.apiTokens.insertApiToken(token);
    const use = { lastUsedAtMs: NOW_MS + 0.25, lastAddress: '192.168.1.20' };
    await before.apiTokens.touchApiTokens([
      { id: makeToken(2).id, ...use },
      { id: makeToken(9).id, ...use },
    ]);
    await before.apiTokens.deleteApiTokens([makeToken(3).id, makeToken(9).id]);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.apiTokens.loadApiTokens()).toEqual([makeToken(1), makeToken(2, { ...plain, ...use })]);
  });

  test('go with their person', async () => {
    const storage = storageInProcess(await createBench().openOwned());
    for (const number of [1, 2]) await storage.users.insertUser(makeUser(number));
    await storage.apiTokens.insertApiToken(makeToken(1));
    await storage.apiTokens.insertApiToken(makeToken(2, { userId: makeUser(2).id }));
    await storage.users.deleteUser(makeUser(2).id);
    expect((await storage.apiTokens.loadApiTokens()).map(({ id }) => id)).toEqual([makeToken(1).id]);
  });

  test.each([
    ['a record as the hub writes it', {}, true],
    ['scopes that are none', { scopes: null as never }, false],
    ['a room that is no id', { roomIds: ['x' as RoomId] }, false],
    ['a device that is no id', { deviceIds: ['x' as DeviceId] }, false],
    ['an end that is a word', { expiresAtMs: 'never' as never }, false],
  ])('S8: a backup with %s is looked at before it is restored', async (_what, change, isGood) => {
    const storage = storageInProcess(await createBench().openOwned());
    await storage.users.insertUser(makeUser(1));
    await storage.apiTokens.insertApiToken(makeToken(1, change));
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
