import { expect, test } from 'vitest';
import { makeRoomForVersions } from '#storage/tables/automation/automation-table.ts';
import { MIGRATIONS, migrate } from '#storage/engine/schema.ts';
import { openMemoryDatabase } from '#storage/engine/database.ts';
import { sqlite } from '#test/storage/storage-harness.ts';

test('beyond their room versions leave, the oldest of the automations that have most, never the newest', () => {
  const database = openMemoryDatabase(sqlite);
  migrate(database, MIGRATIONS);
  const add = (automation: string, sizes: readonly number[]): void => {
    database.run("INSERT INTO automation (id, selector, deleted_at_ms, record) VALUES (?1, ?1, NULL, '{}')", [
      automation,
    ]);
    for (const [at, size] of sizes.entries()) {
      database.run("INSERT INTO automation_version VALUES (?, ?, 0, '{}', ?)", [
        automation,
        at + 1,
        new Uint8Array(size),
      ]);
    }
  };
  const kept = (): string =>
    database
      .all('SELECT automation, version FROM automation_version ORDER BY automation, version', [])
      .map(({ automation, version }) => `${String(automation)}${String(version)}`)
      .join(' ');
  add('a', [10, 10, 10]);
  add('b', [100, 100, 100, 100]);
  add('c', [900]);
  makeRoomForVersions(database, 1_330);
  expect(kept()).toBe('a1 a2 a3 b1 b2 b3 b4 c1');
  makeRoomForVersions(database, 430);
  expect(kept()).toBe('a1 a2 a3 b3 b4 c1');
  database.close();
});
