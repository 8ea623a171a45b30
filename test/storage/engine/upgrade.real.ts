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
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { createBench } from '#test/storage/storage-harness.ts';

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
