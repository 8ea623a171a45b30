import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '#storage/engine/database.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { createBench, sqlite, type Bench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeValue } from '#test/storage/storage-makers.ts';
import { readNumbers, readRows, type Row } from './history-harness.ts';

const OCTOBER = Date.UTC(2026, 9, 20);
const NOVEMBER = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;

function append(engine: StorageEngine, startMs: number): void {
  const samples = Array.from({ length: 3_000 }, (_, index) => ({
    series: 'd/temperature',
    atMs: startMs + index * 60_000,
    value: Math.round(2000 + 100 * Math.sin(index / 50)) / 100,
  }));
  engine.operations.history.append({ epoch: 'e1', samples });
  engine.operations.history.seal();
}

/** A closed hub with samples in two months, and in the journal. */
function createUsedHub(): { bench: Bench; rows: Row[] } {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.devices.saveDevices([makeDevice(1)]);
  engine.operations.devices.saveValue(makeValue(1, 'on', true));
  append(engine, OCTOBER);
  append(engine, NOVEMBER);
  engine.operations.history.append({
    epoch: 'e1',
    samples: [{ series: 'd/temperature', atMs: NOVEMBER + 60 * 24 * HOUR_MS, value: 20 }],
  });
  const rows = readRows(engine, 'd/temperature');
  engine.close();
  return { bench, rows };
}

const pathOf = (bench: Bench, month: string): string => join(bench.folders.state, 'history', `${month}.db`);

function change(path: string, script: string): void {
  const file = openDatabase(sqlite, path);
  file.exec(script);
  file.close();
}

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['is missing', (path) => rmSync(path)],
  ['is empty', (path) => truncateSync(path, 0)],
  ['is cut', (path) => truncateSync(path, 9_000)],
  ['is garbled', (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 4_096, 12_288))],
  ['is no database', (path) => writeFileSync(path, 'x'.repeat(20_000))],
  ['is from another hub', (path) => change(path, "UPDATE about SET value = 'other'")],
  ['has damaged blocks', (path) => change(path, 'UPDATE block SET data = zeroblob(octet_length(data))')],
];

test.each(DAMAGES)('a month that %s is a gap, and nothing else suffers', (_name, damage) => {
  const { bench, rows } = createUsedHub();
  damage(pathOf(bench, '2026-10'));
  const engine = bench.open();
  const found = readRows(engine, 'd/temperature');
  const isOfOctober = ([sinceMs]: Row): boolean => sinceMs < (rows[3_000]?.[0] ?? 0);
  expect(found.filter((row) => !isOfOctober(row))).toEqual(rows.slice(3_000));
  const [first, ...others] = found.filter(isOfOctober);
  expect(first).toEqual([rows[0]?.[0], { gap: 'lost' }]);
  expect(others.filter(([, value]) => typeof value !== 'object')).toEqual([]);
  expect(engine.operations.devices.loadValuePage(0).items).toEqual([makeValue(1, 'on', true)]);
  expect(engine.operations.history.findBefore('d/temperature', OCTOBER + HOUR_MS)?.value).toEqual({ gap: 'lost' });
  expect(readNumbers(engine).filter(({ value }) => typeof value !== 'object')).toHaveLength(3_001);
  expect(bench.failures).toEqual([]);

  // Later samples of that month get a new file, and what was lost stays a gap.
  append(engine, OCTOBER + 10 * 24 * HOUR_MS);
  engine.close();
  const again = readRows(bench.open(), 'd/temperature');
  expect(again.filter(([, value]) => typeof value !== 'object')).toHaveLength(6_001);
  expect(again[0]).toEqual([rows[0]?.[0], { gap: 'lost' }]);
});

test('a damaged month is kept', () => {
  const { bench } = createUsedHub();
  const path = pathOf(bench, '2026-10');
  writeFileSync(path, readFileSync(path).fill(0xa5, 4_096, 12_288));
  const damaged = readFileSync(path);
  readRows(bench.open(), 'd/temperature');
  const [folder] = readdirSync(join(bench.folders.state, 'corrupt'));
  expect(readFileSync(join(bench.folders.state, 'corrupt', folder ?? '', '2026-10.db')).equals(damaged)).toBe(true);
});

test('a journal that is lost takes nothing with it that the months have', () => {
  const { bench, rows } = createUsedHub();
  const before = bench.open();
  const last = readNumbers(before).at(-2)?.number ?? 0;
  before.close();
  for (const name of readdirSync(bench.folders.state)) {
    if (name.startsWith('journal.db')) rmSync(join(bench.folders.state, name), { recursive: true });
  }
  const engine = bench.open();
  expect(readRows(engine, 'd/temperature')).toEqual(rows.slice(0, 6_000));
  // All that is left is in the months, and so on disk: readers by number may keep their places up to its end.
  const sealed = readNumbers(engine).at(-1)?.number ?? Infinity;
  expect(engine.operations.history.readNumbered(0).safe).toBeGreaterThan(sealed);
  expect(sealed).toBe(last);
  engine.operations.history.append({
    epoch: 'e1',
    samples: [{ series: 'd/temperature', atMs: NOVEMBER + 61 * 24 * HOUR_MS, value: 21 }],
  });
  const later = readNumbers(engine, last + 1);
  expect(later.map(({ value }) => value)).toEqual([21]);
  expect(engine.operations.devices.loadValuePage(0).items).toEqual([makeValue(1, 'on', true)]);
});

test.each([
  ['is over', true],
  ['goes on', false],
])('after the loss of the journal a run that %s gives no number twice, also over the end of a month', (_, isOver) => {
  const end = Date.UTC(2026, 10, 1);
  const bench = createBench();
  const at = (series: string, sinceEndMs: number) => ({ series, atMs: end + sinceEndMs, value: sinceEndMs });
  const first = bench.open();
  first.operations.devices.saveDevices([makeDevice(1)]);
  first.operations.devices.saveValue(makeValue(1, 'on', true));
  first.operations.history.append({
    epoch: 'e1',
    // The series that comes last has the earliest end.
    samples: [at('d/a', -HOUR_MS), at('d/b', -HOUR_MS / 2), at('d/b', HOUR_MS / 2), at('d/a', HOUR_MS)],
  });
  first.operations.history.seal();
  const last = readNumbers(first).at(-1)?.number ?? 0;
  first.close();
  for (const name of ['journal.db', 'journal.db-wal']) rmSync(join(bench.folders.state, name), { force: true });
  let engine = bench.open();
  if (isOver) {
    engine.close();
    engine = bench.open();
  }
  engine.operations.history.append({ epoch: 'e1', samples: [at('d/b', 0.75 * HOUR_MS)] });
  expect(readNumbers(engine, last + 1).map(({ value }) => value)).toEqual([0.75 * HOUR_MS]);
  expect(readRows(engine, 'd/b')).toHaveLength(3);
});

test('who reads by number learns that the numbers end before the place it had come to', () => {
  const { operations } = createBench().open();
  operations.history.append({ epoch: 'e1', samples: [{ series: 'd/on', atMs: NOVEMBER, value: true }] });
  const { next } = operations.history.readNumbered(0);
  expect(operations.history.readNumbered(next)).not.toHaveProperty('isCutBack');
  expect(operations.history.readNumbered(next + 1)).toMatchObject({ samples: [], next, isEnd: true, isCutBack: true });
});

test('a damaged journal is set aside, and the months stay', () => {
  const { bench, rows } = createUsedHub();
  writeFileSync(join(bench.folders.state, 'journal.db'), 'x'.repeat(5_000));
  expect(readRows(bench.open(), 'd/temperature')).toEqual(rows.slice(0, 6_000));
  expect(bench.lines.filter((line) => line.includes('journal was replaced'))).toHaveLength(1);
});

test('a log of the journal that is damaged is set aside and said', () => {
  const { bench, rows } = createUsedHub();
  writeFileSync(join(bench.folders.state, 'journal.db-wal'), 'x'.repeat(5_000));
  expect(readRows(bench.open(), 'd/temperature')).toEqual(rows);
  expect(bench.lines.filter((line) => line.includes('write-ahead log is damaged'))).toHaveLength(1);
});

test('a file of history that another hub left has no part in this one', () => {
  const { bench, rows } = createUsedHub();
  const other = createUsedHub();
  cpSync(pathOf(other.bench, '2026-10'), pathOf(bench, '2026-09'));
  expect(readRows(bench.open(), 'd/temperature')).toEqual(rows);
});
