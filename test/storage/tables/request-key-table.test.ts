import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '#storage/engine/database.ts';
import { type Storage, storageInProcess } from '#storage/storage.ts';
import { type Bench, createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeApiToken, makeKeptRequest, makeSession, makeUser } from '#test/storage/storage-makers.ts';

const open = async (bench: Bench = createBench()): Promise<Storage> => storageInProcess(await bench.openOwned());
const answerOf = (length: number) => ({ place: null, whole: { status: 201, headers: {}, json: 'x'.repeat(length) } });

async function keysOf({ requestKeys }: Storage, caller: string, count: number): Promise<readonly number[]> {
  const found = await Promise.all(
    Array.from({ length: count }, (_, number) => requestKeys.findKey(caller, String(number))),
  );
  return found.flatMap((one, number) => (one === undefined ? [] : number));
}

test('at most 4,096 requests are kept: the oldest of the caller with the most go first', async () => {
  const storage = await open();
  await storage.requestKeys.saveKey(makeKeptRequest({ caller: 'quiet', key: '0' }));
  for (let number = 0; number < 4_100; number += 1) {
    await storage.requestKeys.saveKey(makeKeptRequest({ caller: 'loud', key: String(number) }));
  }
  expect(await keysOf(storage, 'quiet', 1)).toEqual([0]);
  const kept = await keysOf(storage, 'loud', 4_100);
  // One of the other caller and 4,096 were too many: a tenth went.
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([3_689, 411, 4_099]);
});

test('their answers take 4 MiB at most', async () => {
  const storage = await open();
  for (let number = 0; number < 50; number += 1) {
    const request = makeKeptRequest({ caller: 'loud', key: String(number) });
    await storage.requestKeys.saveKey(request);
    await storage.requestKeys.saveKeyAnswer('loud', String(number), answerOf(128 * 1024));
  }
  const kept = await keysOf(storage, 'loud', 50);
  expect(kept.length).toBeGreaterThan(27);
  expect(kept.length).toBeLessThan(32);
  expect(kept.at(-1)).toBe(49);
});

test('they go with the login or API token that made them, and with its person', async () => {
  const storage = await open();
  for (const number of [1, 2]) await storage.users.insertUser(makeUser(number));
  const [first, second] = [makeSession(1), makeSession(2, { userId: makeUser(2).id })];
  for (const session of [first, second]) await storage.sessions.insertSession(session);
  await storage.apiTokens.insertApiToken(makeApiToken(1));
  const callers = [first.id, second.id, makeApiToken(1).id];
  for (const caller of callers) await storage.requestKeys.saveKey(makeKeptRequest({ caller, key: '0' }));
  const left = async () =>
    (await Promise.all(callers.map((caller) => keysOf(storage, caller, 1)))).map((one) => one.length);
  await storage.sessions.deleteSessions([first.id]);
  expect(await left()).toEqual([0, 1, 1]);
  await storage.users.deleteUser(makeUser(2).id);
  expect(await left()).toEqual([0, 0, 1]);
  await storage.apiTokens.deleteApiTokens([makeApiToken(1).id]);
  expect(await left()).toEqual([0, 0, 0]);
});

test('a restore brings back the requests of that moment, with what they made, and forgets later ones', async () => {
  const bench = createBench();
  const before = await open(bench);
  await before.users.insertUser(makeUser(1));
  await before.apiTokens.insertApiToken(makeApiToken(1));
  const caller = makeApiToken(1).id;
  await before.requestKeys.saveKey(makeKeptRequest({ caller, key: '0' }));
  await before.requestKeys.saveKeyAnswer(caller, '0', answerOf(3));
  const { id } = await before.backups.make();
  await before.requestKeys.saveKey(makeKeptRequest({ caller, key: '1' }));
  await before.backups.restore((await before.backups.findPath(id)) ?? '', { session: null, meta: [] });
  await before.close();
  const after = await open(bench);
  expect(await keysOf(after, caller, 2)).toEqual([0]);
  expect((await after.requestKeys.findKey(caller, '0'))?.answer).toEqual(answerOf(3));
});

test.each([
  ['as the hub writes it', 'SELECT 1', true],
  ['whose answer is of another form', `UPDATE request_key SET answer = '{"whole": 3}'`, false],
  [
    'with more requests than a hub keeps',
    `INSERT INTO request_key (caller, key, fingerprint, rights, epoch, at_ms, weight)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4097) SELECT 'x', i, '', '', '', 0, 0 FROM n`,
    false,
  ],
  ['with a weight out of range', 'UPDATE request_key SET weight = -1', false],
])('S8: a backup %s is checked before it is restored', async (_what, sql, isGood) => {
  const storage = await open();
  await storage.requestKeys.saveKey(makeKeptRequest());
  const path = join(makeFolder(), 'copy.db');
  copyFileSync((await storage.backups.findPath((await storage.backups.make()).id)) ?? '', path);
  const database = openDatabase(sqlite, path);
  database.exec(sql);
  database.close();
  const isTaken = storage.backups.check(path).then(
    () => true,
    () => false,
  );
  expect(await isTaken).toBe(isGood);
});
