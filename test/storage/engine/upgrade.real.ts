import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSafeMode } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { KNOWN_SCHEMAS } from '#storage/known-schemas.ts';
import { StorageRefusal } from '#storage/engine/storage-failure.ts';
import { createBench, sqlite } from '#test/storage/storage-harness.ts';

test('S7: the schema is in a file for programs that must not open the database, from the first start on', () => {
  const bench = createBench();
  const note = join(bench.folders.state, 'schema');
  bench.open().close();
  expect(readFileSync(note, 'utf8')).toBe(`${MIGRATIONS.length}\n`);
  expect(statSync(note).mode & 0o777).toBe(0o600);

  writeFileSync(note, '0\n');
  bench.open().close();
  expect(readFileSync(note, 'utf8')).toBe(`${MIGRATIONS.length}\n`);

  const before = statSync(note, { bigint: true }).ctimeNs;
  bench.open().close();
  expect(statSync(note, { bigint: true }).ctimeNs, 'it is written when it changes only').toBe(before);
});

test('S7: the schemas of the other files are in a second one, with the version that wrote them', () => {
  const bench = createBench();
  const note = join(bench.folders.state, 'schemas');
  bench.open().close();
  const { database: _, ...others } = KNOWN_SCHEMAS;
  const lines = Object.entries(others).map(([kind, schema]) => `${kind} ${schema}\n`);
  expect(readFileSync(note, 'utf8')).toBe(lines.join(''));
  bench.open({ version: '0.9.0' }).close();
  expect(readFileSync(note, 'utf8')).toBe(['hearthd 0.9.0\n', ...lines].join(''));
});

test('S9: the hub starts although it cannot write that file', () => {
  const bench = createBench();
  bench.open().close();
  const note = join(bench.folders.state, 'schema');
  rmSync(note);
  mkdirSync(note);
  bench.open().close();
  expect(bench.lines.join('\n')).toContain('the number of the schema could not be written to its file');
});

test.each([
  ['a link to an endless device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a pipe without a writer', (path: string) => void execFileSync('mkfifo', [path])],
  ['a file without end', (path: string) => (writeFileSync(path, ''), truncateSync(path, 2 ** 40))],
])('S7: %s in the place of that file is replaced, and never waited for', (_, put) => {
  const bench = createBench();
  bench.open().close();
  const note = join(bench.folders.state, 'schema');
  rmSync(note);
  put(note);
  bench.open().close();
  expect(lstatSync(note).isFile()).toBe(true);
  expect(readFileSync(note, 'utf8')).toBe(`${MIGRATIONS.length}\n`);
});

test('S7: a migration that ended the hub three times is refused once, and then tried again', async () => {
  const bench = createBench();
  bench.open().close();
  const database = openDatabase(sqlite, bench.database);
  // What the migration before the last makes is there already: it fails each time.
  database.exec(`PRAGMA user_version=${MIGRATIONS.length - 2}`);
  database.close();
  let starts = 0;
  const start = async (): Promise<unknown> => {
    starts += 1;
    const run = { boot: 'boot', process: `process ${starts}` };
    try {
      await bench.openOwned({
        openSafeMode: () =>
          openSafeMode({
            files: createSecretFiles(bench.folders.state),
            markPath: join(bench.folders.runtime, 'served'),
            run,
            bootMs: () => starts * 128_000,
            startTimer: () => () => undefined,
            log: bench.log,
          }),
      });
      return undefined;
    } catch (cause) {
      return cause;
    }
  };
  const isRefusal: boolean[] = [];
  for (let time = 0; time < 5; time += 1) isRefusal.push((await start()) instanceof StorageRefusal);
  expect(isRefusal).toEqual([false, false, false, true, false]);
});

test('S7: a refused migration that cannot be released leaves the state folder free all the same', async () => {
  const bench = createBench();
  bench.open().close();
  const database = openDatabase(sqlite, bench.database);
  database.exec(`PRAGMA user_version=${MIGRATIONS.length - 1}`);
  database.close();
  const held = {
    holds: () => true,
    note: () => null,
    release: () => Promise.reject(new Error('the disk is full')),
    stop: () => undefined,
  };
  const start = (): Promise<unknown> => bench.openOwned({ openSafeMode: async () => held });
  for (let time = 0; time < 2; time += 1) await expect(start()).rejects.toMatchObject({ reason: 'put_off' });
});
