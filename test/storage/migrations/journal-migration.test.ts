import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDatabase } from '#storage/engine/database.ts';
import { MIGRATIONS, migrate } from '#storage/engine/schema.ts';
import { createBench, sqlite } from '#test/storage/storage-harness.ts';
import { makeDevice } from '#test/storage/storage-makers.ts';

test('S6, S7: an upgrade from the version without a journal keeps every last value', () => {
  const bench = createBench();
  mkdirSync(bench.folders.state, { recursive: true, mode: 0o700 });
  const database = openDatabase(sqlite, bench.database);
  migrate(database, MIGRATIONS.slice(0, 7));
  for (const number of [1, 2, 3]) {
    const { id, integration, externalId, selector, roomId: _, removedAtMs: __, ...record } = makeDevice(number);
    const values = [id, integration, externalId, selector, JSON.stringify(record)];
    database.run('INSERT INTO device (id, integration, external_id, selector, record) VALUES (?, ?, ?, ?, ?)', values);
  }
  const numberOf = (device: number) =>
    Number(database.get('SELECT number FROM device WHERE id = ?', [makeDevice(device).id])?.['number']);
  const [first, second, third] = [numberOf(1), numberOf(2), numberOf(3)];
  const states = [
    ['power', 1.5, 1000, 10],
    ['text', 'half \ud800 "quoted" [0]', 1000.25, null],
  ];
  database.run('INSERT INTO device_value (device, states) VALUES (?, ?)', [first, JSON.stringify(states)]);
  database.run('INSERT INTO device_value (device, states) VALUES (?, ?)', [third, JSON.stringify(states)]);
  const log = (...entries: readonly unknown[]): void => {
    database.run('INSERT INTO value_log (change_count, changes) VALUES (9, ?)', [JSON.stringify(entries)]);
  };
  log([first, 'power', 2.5, 2000, 0], [second, 'color', { x: 0.25, y: [1e300, null] }, 2000, 5]);
  log(
    [first, 'power', 3.5, 3000, 100],
    [999, 'on', true, 1, 0],
    [first, 'power', 0.1, 3001, 1],
    [second, 'on', null, null, null],
  );
  database.close();

  const found = bench.open().operations.devices.loadValuePage(0).items;
  const at = (device: number) =>
    found
      .filter(({ deviceId }) => deviceId === makeDevice(device).id)
      .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      .map(({ key, value, observedAtMs, changedAtMs }) => [key, value, observedAtMs, changedAtMs]);
  expect(at(1)).toEqual([
    ['power', 0.1, 3001, 3000],
    ['text', 'half \ud800 "quoted" [0]', 1000.25, null],
  ]);
  expect(at(2)).toEqual([
    ['color', { x: 0.25, y: [1e300, null] }, 2000, 1995],
    ['on', null, null, null],
  ]);
  expect(at(3)).toEqual([
    ['power', 1.5, 1000, 990],
    ['text', 'half \ud800 "quoted" [0]', 1000.25, null],
  ]);
  expect(found).toHaveLength(6);
});
