import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isJsonObject } from '#base/json.ts';
import { openDatabase, openMemoryDatabase, type SqlRow, type SqlValue } from '#storage/engine/database.ts';
import { MIGRATIONS, migrate } from '#storage/engine/schema.ts';
import { createSetAside } from '#storage/set-aside/set-aside.ts';
import { StorageRefusal } from '#storage/engine/storage-failure.ts';
import type { LaterWrites } from '#storage/tables/stored-noun.ts';
import { openTables } from '#storage/tables/table-list.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { type Bench, createBench, sqlite } from '#test/storage/storage-harness.ts';
import {
  makeApiToken,
  makeAutomation,
  makeDevice,
  makeInstance,
  makeNotification,
  makeRoom,
  makeUser,
  makeValue,
  NOW_MS,
} from '#test/storage/storage-makers.ts';
import { keepOneOfEach, putRow, TABLES, withDatabase, wrongTexts } from '#test/storage/set-aside/wrong-rows.ts';

const DAY_MS = 86_400_000;
const TORN = '{"name": "torn';

async function benchWithOneOfEach(): Promise<Bench> {
  const bench = createBench();
  await keepOneOfEach(bench);
  return bench;
}

/** `place`: a table and its column. */
function spoil(bench: Bench, place: string, value: SqlValue): void {
  const [table, column] = place.split('.');
  withDatabase(bench, (database) => database.run(`UPDATE ${table} SET ${column} = ?`, [value]));
}

const rowsOf = (bench: Bench, sql: string): SqlRow[] => withDatabase(bench, (database) => database.all(sql));
const errorsIn = ({ lines }: Bench): string[] => lines.filter((line) => line.startsWith('<3>'));

test('a record that is not JSON is set aside whole, with what belongs to it, and is in the log once', async () => {
  const bench = await benchWithOneOfEach();
  spoil(bench, 'automation.record', TORN);
  const { id } = makeAutomation(1);
  const first = bench.open();
  expect(first.operations.health.readHealth()).toMatchObject({ recovered: null, setAside: [] });
  expect(first.operations.automations.loadAutomations('')).toEqual([]);
  const record = { noun: 'automation', id, reason: 'record is not JSON' };
  expect(first.operations.health.readHealth().setAside).toEqual([{ ...record, atMs: NOW_MS }]);
  first.close();

  bench.open().close();
  expect(errorsIn(bench)).toHaveLength(1);
  expect(errorsIn(bench)[0]).toContain(id);
  const rows = rowsOf(bench, 'SELECT * FROM set_aside ORDER BY number');
  expect(rows.map(({ noun, part_of: partOf }) => [noun, partOf])).toEqual([
    ['automation', null],
    ['automation_version', rows[0]?.['number']],
    ['automation_hook', rows[0]?.['number']],
  ]);
  expect(JSON.parse(String(rows[0]?.['content']))).toMatchObject({ id, selector: 'automation-1', record: TORN });
  expect(JSON.parse(String(rows[2]?.['content']))).toMatchObject({ hash: '00'.repeat(32) });
});

test('health lists a record that was set aside for seven days, and in the run that found it', async () => {
  const bench = await benchWithOneOfEach();
  spoil(bench, 'scene.record', '{}');
  const engine = bench.open();
  engine.operations.scenes.loadScenes();
  const listed = (): number => bench.open().operations.health.readHealth().setAside.length;
  await bench.time.advance(8 * DAY_MS);
  expect(engine.operations.health.readHealth().setAside).toHaveLength(1);
  engine.close();
  expect(listed()).toBe(0);
});

test('a number that JavaScript cannot have is a fault too', async () => {
  const bench = await benchWithOneOfEach();
  withDatabase(bench, (database) => {
    database.exec(`UPDATE room SET revision = 1152921504606846977;
      PRAGMA foreign_keys=OFF;
      UPDATE device SET number = 1152921504606846977;
      UPDATE device_value SET device = 1152921504606846977;
      INSERT INTO energy_price VALUES ('spot', 1152921504606846977, 1152921504606846978, 1), ('spot', 1, 2, 3)`);
  });
  const { rooms, devices, energy, health } = bench.open().operations;
  expect(rooms.loadRooms()).toEqual([]);
  expect(devices.loadDevicePage(0).items).toEqual([]);
  expect([...energy.loadEnergyPrices().values()].flat()).toEqual([{ fromMs: 1, toMs: 2, price: 3 }]);
  const nouns = health.readHealth().setAside.map(({ noun }) => noun);
  expect(nouns).toEqual(['energy_price', 'device', 'room', 'device_value']);
});

test('an owner stays one, without what is wrong; a guest whose limits cannot be read does not', async () => {
  const bench = await benchWithOneOfEach();
  withDatabase(bench, (database) => {
    database.run('UPDATE user SET room_ids = ?, has_ended = 1, revision = -4, password_hash = ?', [TORN, 'x']);
    database.run('UPDATE api_token SET user_id = ?', [makeUser(2).id]);
  });
  const engine = bench.open();
  const { users, apiTokens } = engine.operations;
  const owner = { roomIds: null, hasEnded: false, revision: 1, validUntilMs: null, name: 'Person 1' };
  expect(users.loadUsers()).toMatchObject([owner]);
  expect(apiTokens.loadApiTokens()).toEqual([]);
  engine.close();
  const rows = rowsOf(bench, 'SELECT content FROM set_aside ORDER BY number');
  const contents = rows.map(({ content }) => JSON.parse(String(content)) as SqlRow);
  expect(contents).toMatchObject([
    { id: makeUser(1).id, password_hash: 'x', room_ids: TORN },
    { id: makeUser(2).id },
    { id: makeApiToken(1).id },
  ]);
});

test('a hub whose owner cannot be found is refused and stays as it was', async () => {
  const bench = await benchWithOneOfEach();
  withDatabase(bench, (database) => database.run("UPDATE user SET role = 'boss' WHERE role = 'owner'"));
  const before = rowsOf(bench, 'SELECT * FROM user');
  const engine = bench.open();
  expect(() => engine.operations.users.loadUsers()).toThrow(StorageRefusal);
  engine.close();
  expect(rowsOf(bench, 'SELECT * FROM user')).toEqual(before);
});

test('a record that cannot be moved is left out, is in the health, and is moved before the next write', async () => {
  const bench = await benchWithOneOfEach();
  spoil(bench, 'notification.record', '{"to": null}');
  const { notifications, rooms, health } = bench.open().operations;
  const load = () => withFault({ kind: 'kill', at: 1 }, notifications.loadNotifications);
  expect(load()).toMatchObject({ result: [], error: undefined });
  expect(load()).toMatchObject({ result: [], error: undefined });
  const aside = [{ noun: 'notification', id: makeNotification(1).id, atMs: NOW_MS }];
  expect(health.readHealth().setAside).toMatchObject(aside);
  expect(errorsIn(bench)).toHaveLength(1);

  rooms.saveRoom(makeRoom(2));
  expect(health.readHealth().setAside).toMatchObject(aside);
  expect(notifications.loadNotifications()).toEqual([]);
  expect(errorsIn(bench)).toHaveLength(2);
});

test('a good record that took the place of one that waits stays', async () => {
  const bench = await benchWithOneOfEach();
  spoil(bench, 'notification.record', '[]');
  const { notifications, health } = bench.open().operations;
  withFault({ kind: 'kill', at: 1 }, notifications.loadNotifications);
  notifications.saveNotifications([makeNotification(1)], []);
  expect(notifications.loadNotifications()).toEqual([makeNotification(1)]);
  expect(health.readHealth().setAside).toHaveLength(1);
});

test('last values that cannot be read are set aside before the journal brings newer ones', async () => {
  const bench = await benchWithOneOfEach();
  const engine = bench.open();
  engine.operations.devices.saveValue(makeValue(1, 'temperature', 25));
  engine.close();
  spoil(bench, 'device_value.states', '[["temperature"]]');
  const { devices, health } = bench.open().operations;
  expect(devices.loadValuePage(0).items).toMatchObject([{ key: 'temperature', value: 25 }]);
  expect(health.readHealth().setAside).toMatchObject([{ noun: 'device_value' }]);
});

test('devices beyond the limits are found although one of them cannot be read', async () => {
  const bench = await benchWithOneOfEach();
  const engine = bench.open();
  engine.operations.devices.saveDevices([makeDevice(2), makeDevice(3, { removedAtMs: NOW_MS })]);
  engine.close();
  withDatabase(bench, (database) =>
    database.run('UPDATE device SET record = ? WHERE id <> ?', [TORN + ' '.repeat(2_000), makeDevice(1).id]),
  );
  const { devices } = bench.open().operations;
  const one = {
    shownOfIntegration: 1,
    shown: 1,
    remembered: 0,
    sizeOfIntegration: 9e6,
    sizeInAll: 9e6,
    size: 9e6,
    valuesInAll: 9e6,
  };
  devices.limitDevices(one as never);
  expect(devices.loadDevicePage(0).items.map(({ id }) => id)).toEqual([makeDevice(1).id]);
});

test('a table with one row is read, or is empty, with a wrong value in each part of it', async () => {
  const bench = await benchWithOneOfEach();
  const { log, time } = bench;
  for (const of of TABLES.filter(({ other }) => other === undefined)) {
    const { row, texts } = withDatabase(bench, (found) => wrongTexts(found, of));
    const database = openMemoryDatabase(sqlite);
    migrate(database);
    database.run('PRAGMA ignore_check_constraints=ON');
    const { sound } = createSetAside({ database, log, wallMs: time.clock.wallMs });
    const { energy, integrations } = openTables({ database, log, sound, later: {} as LaterWrites });
    for (const text of texts) {
      putRow(database, of.table, { ...row, [of.column]: text });
      const settings = energy.loadEnergySettings.run();
      expect(settings === null || isJsonObject(settings)).toBe(true);
      expect(isJsonObject(integrations.loadState.run(makeInstance(1).id))).toBe(true);
    }
    expect(texts.length).toBeGreaterThan(10);
  }
});

test('an upgrade that would read a torn record sets it aside first', () => {
  const bench = createBench();
  mkdirSync(bench.folders.state, { recursive: true, mode: 0o700 });
  const database = openDatabase(sqlite, bench.database);
  migrate(database, MIGRATIONS.slice(0, 7));
  const { id, integration, externalId, selector, roomId: _, removedAtMs: __, ...record } = makeDevice(1);
  const insert =
    'INSERT INTO device (number, id, integration, external_id, selector, record) VALUES (?, ?, ?, ?, ?, ?)';
  database.run(insert, [1, id, integration, externalId, selector, JSON.stringify(record)]);
  database.run('PRAGMA ignore_check_constraints=ON');
  database.run('INSERT INTO device_value (device, states) VALUES (1, ?)', [TORN]);
  database.run('INSERT INTO value_log (change_count, changes) VALUES (1, ?)', [TORN]);
  database.close();

  const { devices, health } = bench.open().operations;
  expect(devices.loadDevicePage(0).items).toHaveLength(1);
  expect(
    health
      .readHealth()
      .setAside.map(({ noun }) => noun)
      .toSorted(),
  ).toEqual(['device_value', 'value_log']);
});

test('a lost database comes back from the newest backup, although that has a wrong record', async () => {
  const bench = await benchWithOneOfEach();
  spoil(bench, 'mode_set.record', TORN);
  const engine = bench.open();
  engine.operations.backups.make();
  engine.close();
  withDatabase(bench, (database) => database.exec('PRAGMA writable_schema=ON; DELETE FROM sqlite_schema'));
  const { users, modes, health } = bench.open().operations;
  expect(health.readHealth().recovered?.from).toMatch(/manual$/);
  expect(users.loadUsers()).toHaveLength(2);
  expect(modes.load()).toEqual([]);
});
