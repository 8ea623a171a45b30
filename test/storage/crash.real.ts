import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackupFolder } from '#storage/engine/backups.ts';
import { openDatabase, releaseFileLock, type Sqlite } from '#storage/engine/database.ts';
import { systemRandom } from '#base/random.ts';
import { MIGRATIONS, migrate, schemaVersion } from '#storage/engine/schema.ts';
import { upgradeDatabase } from '#storage/engine/upgrade.ts';
import { restoreUnopened } from '#storage/open/open-storage.ts';
import { watchSqlite } from '#test/fault/broken-sqlite.ts';
import { bundleChild, startChild } from './children.ts';
import { withFault } from './fs-faults.ts';
import { createBench, makeFolder, sqlite } from './storage-harness.ts';
import { NOW_MS, makeDevice, makeSession, makeUser } from './storage-makers.ts';

const ROUNDS = 20;
/** The schema of today. */
const LATEST = MIGRATIONS.length;
/** One more migration, of several statements as one that rebuilds a table has. */
const SECOND = `
CREATE TABLE meta_new (key TEXT PRIMARY KEY, value TEXT NOT NULL, note TEXT) STRICT, WITHOUT ROWID;
INSERT INTO meta_new SELECT key, value, 'moved' FROM meta;
DROP TABLE meta;
ALTER TABLE meta_new RENAME TO meta;
CREATE INDEX meta_by_note ON meta (note);
`;

describe('a process that is killed', () => {
  test(`S1, S6: ${ROUNDS} times in mid-commit, loses nothing that it acknowledged and opens again at once`, async () => {
    const bench = createBench();
    const entry = await bundleChild('commit-child', makeFolder());
    let last = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const child = startChild(entry, [bench.folders.state, String(last)]);
      await child.until(2 + (round % 7) * 5);
      await child.kill();
      expect(child.errors).toEqual([]);
      last = Number(child.lines.at(-1));

      const engine = await bench.openOwned();
      const numbers = engine.operations.users.loadUsers().map(({ email }) => Number(/\d+/.exec(email)?.[0]));
      // The one after the last may be there: committed, but killed before it could say so.
      expect(numbers.slice(0, last)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      expect(numbers.length).toBeLessThanOrEqual(last + 1);
      last = numbers.length;
      engine.operations.devices.saveDevices([makeDevice(last)]);
      await engine.close();
    }
    expect(bench.lines.filter((line) => /damaged|replaced/.test(line))).toEqual([]);
  });

  test('S2, S7: at each file operation of the first start leaves no database or a complete one', () => {
    const total = withFault(undefined, () => createBench().open().close()).operations;
    expect(total).toBeGreaterThan(30);
    for (let at = 1; at <= total; at += 1) {
      const bench = createBench();
      withFault({ kind: 'kill', at }, () => bench.open());
      const engine = bench.open();
      engine.operations.users.insertUser(makeUser(1));
      expect([at, engine.operations.users.loadUsers()]).toEqual([at, [makeUser(1)]]);
      expect(engine.operations.health.readHealth().recovered).toBeNull();
      engine.close();
    }
  });

  test('S7: at each file operation of a migration leaves the old schema or the new one', () => {
    const { mixed, seen } = killMigration(sqlite);
    expect(mixed).toEqual([]);
    expect(seen).toEqual(new Set([LATEST, LATEST + 1]));
  });

  test('S7: this test detects the mixed schema that a migration without a transaction leaves', () => {
    expect(killMigration(watchSqlite(sqlite, 'no transactions').sqlite).mixed).not.toEqual([]);
  });
});

/** Kills a migration at each of its file operations: where it left what is of neither schema, and which it left. */
function killMigration(used: Sqlite): { mixed: number[]; seen: Set<number> } {
  const model = createBench();
  const engine = model.open();
  engine.operations.meta.putMeta(new Map([['hub_name', 'Home']]));
  engine.close();
  const upgrade = (file: string): void => {
    const database = openDatabase(used, file);
    migrate(database, [...MIGRATIONS, SECOND]);
    database.close();
  };
  const copy = (): string => {
    const folder = makeFolder();
    cpSync(model.folders.state, folder, { recursive: true });
    return join(folder, 'hearthd.db');
  };
  const total = withFault(undefined, () => upgrade(copy())).operations;
  const seen = new Set<number>();
  const isWhole = (at: number): boolean => {
    const file = copy();
    withFault({ kind: 'kill', at }, () => upgrade(file));
    releaseFileLock(file);
    const database = openDatabase(sqlite, file);
    const version = schemaVersion(database);
    seen.add(version);
    const tables = database.all("SELECT name FROM sqlite_schema WHERE name LIKE 'meta%' ORDER BY name");
    const rows = tables.some(({ name }) => name === 'meta') ? database.all('SELECT * FROM meta') : [];
    const verdict = database.get('PRAGMA integrity_check')?.['integrity_check'];
    database.close();
    const wanted =
      version === LATEST
        ? [[{ name: 'meta' }], [{ key: 'hub_name', value: 'Home' }]]
        : [[{ name: 'meta' }, { name: 'meta_by_note' }], [{ key: 'hub_name', value: 'Home', note: 'moved' }]];
    return verdict === 'ok' && JSON.stringify([tables, rows]) === JSON.stringify(wanted);
  };
  const operations = Array.from({ length: total }, (_, index) => index + 1);
  return { mixed: operations.filter((at) => !isWhole(at)), seen };
}

describe('an upgrade', () => {
  test('S7: makes a backup of the old database first', () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.meta.putMeta(new Map([['hub_name', 'Home']]));
    engine.close();
    const { database, backups } = openRaw(bench);
    const makeBackup = (): ReturnType<typeof backups.makeBackup> => backups.makeBackup('pre-migration', NOW_MS);
    const folder = join(bench.folders.state, 'backups');
    upgradeDatabase({ backups: folder, database, makeBackup, migrations: [...MIGRATIONS, SECOND] });
    expect(schemaVersion(database)).toBe(LATEST + 1);
    database.close();
    expect(readdirSync(folder)).toEqual(['20261121T040622Z-pre-migration.db']);
  });

  test('S7: refuses a database from a newer version with a sentence that names the backup, and leaves it unchanged', () => {
    const bench = createBench();
    bench.open().close();
    const { database, backups } = openRaw(bench);
    backups.makeBackup('pre-migration', NOW_MS);
    database.exec(`PRAGMA user_version=${LATEST + 1}`);
    database.close();
    expect(() => bench.open()).toThrow(
      expect.objectContaining({
        reason: 'too_new',
        message: expect.stringMatching(
          new RegExp(
            `newer hearthd \\(the database has schema ${LATEST + 1}; this one knows ${LATEST}\\).*20261121T040622Z-pre-migration`,
          ),
        ),
      }),
    );
    expect(() => bench.open()).toThrow('newer hearthd');
  });

  test('S7: a restored backup replaces a database from a newer version, which is kept', async () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.users.insertUser(makeUser(1));
    engine.operations.sessions.insertSession(makeSession(1));
    const path = engine.operations.backups.findPath(engine.operations.backups.make().id) ?? '';
    engine.close();
    const { database } = openRaw(bench);
    database.exec(`PRAGMA user_version=${LATEST + 1}`);
    database.close();
    await expect(bench.openOwned()).rejects.toMatchObject({ reason: 'too_new' });
    const { folders, log } = bench;
    await restoreUnopened({ folders, log, wallMs: () => NOW_MS, random: systemRandom }, path);
    const { operations } = await bench.openOwned();
    expect(operations.users.loadUsers()).toEqual([makeUser(1)]);
    expect(operations.sessions.loadSessions()).toEqual([]);
    expect(readdirSync(join(folders.state, 'corrupt/20261121T040622Z'))).toEqual(['hearthd.db']);
  });
});

function openRaw(bench: ReturnType<typeof createBench>) {
  const { state } = bench.folders;
  const paths = {
    database: bench.database,
    journal: join(bench.folders.state, 'journal.db'),
    history: join(bench.folders.state, 'history'),
    backups: join(state, 'backups'),
    corrupt: join(state, 'corrupt'),
    temporary: join(state, 'tmp'),
    isCopy: false,
  };
  const database = openDatabase(sqlite, bench.database);
  return { database, backups: createBackupFolder({ sqlite, paths, log: bench.log }, database) };
}
