import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeValue, NOW_MS } from '#test/storage/storage-makers.ts';
import { readNumbers, readRows } from './history-harness.ts';

const SEPTEMBER = Date.UTC(2026, 8, 10);
const NOVEMBER = Date.UTC(2026, 10, 10);
const HOUR_MS = 3_600_000;
const SERIES = ['d/power', 'd/on', 'd/action'];

/** Six hours of samples of three series, sealed, several times over. */
function appendDays(engine: StorageEngine, startMs: number, days: number): void {
  const dice = createDice(startMs);
  let power = 500;
  for (let part = 0; part < days * 4; part += 1) {
    const samples = Array.from({ length: 600 }, (_, index) => {
      const atMs = startMs + part * 6 * HOUR_MS + index * 36_000;
      power += Math.round((dice() - 0.5) * 40) / 10;
      return [
        { series: 'd/power', atMs, value: Math.round(power * 10) / 10 },
        ...(index % 40 === 0 ? [{ series: 'd/on', atMs, value: index % 80 === 0 }] : []),
        ...(index % 100 === 0 ? [{ series: 'd/action', atMs, value: `press ${index % 3}` }] : []),
      ];
    }).flat();
    engine.operations.history.append({ epoch: 'e1', samples });
    engine.operations.history.seal();
  }
}

async function packAll(bench: Bench): Promise<void> {
  for (let round = 0; round < 100; round += 1) await bench.time.advance(100);
}

const fileOf = (bench: Bench, month: string): string => join(bench.folders.state, 'history', `${month}.db`);
const copyOf = (bench: Bench, month: string): string => join(bench.folders.state, 'backups', 'history', `${month}.db`);

async function createPacked(): Promise<{
  bench: Bench;
  engine: StorageEngine;
  before: unknown;
  numbers: unknown;
}> {
  const bench = createBench();
  const engine = bench.open();
  appendDays(engine, SEPTEMBER, 4);
  appendDays(engine, NOVEMBER, 1);
  const before = SERIES.map((series) => readRows(engine, series));
  const numbers = readNumbers(engine);
  await packAll(bench);
  return { bench, engine, before, numbers };
}

test('a month that is over is packed, is read as before, and is copied into the backups once', async () => {
  const { bench, engine, before, numbers } = await createPacked();
  expect(engine.operations.history.readUsage().months).toMatchObject([
    { month: '2026-09', isClosed: true },
    { month: '2026-11', isClosed: false },
  ]);
  expect(statSync(fileOf(bench, '2026-09')).mode & 0o777).toBe(0o400);
  expect(SERIES.map((series) => readRows(engine, series))).toEqual(before);
  expect(readNumbers(engine)).toEqual(numbers);
  expect(readFileSync(copyOf(bench, '2026-09')).equals(readFileSync(fileOf(bench, '2026-09')))).toBe(true);
  expect(existsSync(copyOf(bench, '2026-11'))).toBe(false);
  engine.close();
  expect(readdirSync(join(bench.folders.state, 'history'))).toEqual(['2026-09.db', '2026-11.db']);
  const again = bench.open();
  expect(SERIES.map((series) => readRows(again, series))).toEqual(before);
  expect(bench.lines.filter((line) => /cannot|could not|damaged/.test(line))).toEqual([]);
});

test('a closed month that is damaged comes back from its copy', async () => {
  const { bench, engine, before } = await createPacked();
  engine.close();
  const path = fileOf(bench, '2026-09');
  const garbled = readFileSync(path).fill(0xa5, 0, 9_000);
  rmSync(path);
  writeFileSync(path, garbled);
  expect(SERIES.map((series) => readRows(bench.open(), series))).toEqual(before);
});

test('samples that come late for a closed month are in it', async () => {
  const { bench, engine, before } = await createPacked();
  const late = SEPTEMBER + 10 * 24 * HOUR_MS;
  engine.operations.history.append({ epoch: 'e2', samples: [{ series: 'd/late', atMs: late, value: 1 }] });
  engine.operations.history.seal();
  expect(readRows(engine, 'd/late')).toHaveLength(1);
  expect(SERIES.map((series) => readRows(engine, series))).toEqual(before);
  await packAll(bench);
  expect(engine.operations.history.readUsage().months[0]).toMatchObject({ month: '2026-09', isClosed: true });
  expect(readRows(engine, 'd/late')).toHaveLength(1);
});

test('months that are too old, or too many, are removed with their copies', async () => {
  const { bench, engine } = await createPacked();
  const numbers = readNumbers(engine);
  const { forgetMonths } = engine.operations.history;
  expect(forgetMonths({ keepFromMs: SEPTEMBER, maxBytes: Infinity })).toEqual([]);
  expect(forgetMonths({ keepFromMs: NOVEMBER, maxBytes: Infinity, isTrial: true })).toEqual(['2026-09']);
  expect(existsSync(fileOf(bench, '2026-09'))).toBe(true);
  expect(forgetMonths({ keepFromMs: NOVEMBER, maxBytes: Infinity })).toEqual(['2026-09']);
  expect(existsSync(fileOf(bench, '2026-09'))).toBe(false);
  expect(existsSync(copyOf(bench, '2026-09'))).toBe(false);
  // Who reads by number learns what it can no longer get.
  const [gone, ...others] = engine.operations.history.readNumbered(0).forgotten;
  expect(others).toEqual([]);
  expect(gone?.samples).toBe(numbers.length - readNumbers(engine).length);
  expect(gone?.to).toBeGreaterThan(numbers.findLast(({ atMs }) => atMs < NOVEMBER)?.number ?? Infinity);
  expect(gone?.to).toBeLessThanOrEqual(readNumbers(engine)[0]?.number ?? 0);
  // The last value of the month that went holds until the first of the next one.
  expect(readRows(engine, 'd/power')).toHaveLength(2_401);
  expect(forgetMonths({ keepFromMs: -Infinity, maxBytes: 1 })).toEqual([]);
  engine.close();
  const again = bench.open();
  expect(readRows(again, 'd/power')).toHaveLength(2_401);
  expect(again.operations.history.readNumbered(0).forgotten).toEqual([gone]);
});

test('a new machine with a backup and the copies of the months has their history, and goes on with it', async () => {
  const { bench, engine, before } = await createPacked();
  engine.operations.devices.saveDevices([makeDevice(1)]);
  engine.operations.devices.saveValue(makeValue(1, 'on', true));
  const { id } = engine.operations.backups.make();
  engine.close();
  const next = createBench();
  const backups = join(bench.folders.state, 'backups');
  mkdirSync(next.folders.state, { mode: 0o700 });
  cpSync(join(backups, `${id}.db`), next.database);
  cpSync(join(backups, 'history'), join(next.folders.state, 'history'), { recursive: true });
  const again = next.open();
  expect(again.operations.history.readUsage()).toMatchObject({ months: [{ month: '2026-09' }], unusable: [] });
  const september = (before as (readonly (readonly [number, unknown])[])[]).map((rows) =>
    rows.filter(([sinceMs]) => NOW_MS + sinceMs < NOVEMBER),
  );
  expect(SERIES.map((series) => readRows(again, series))).toEqual(september);
  appendDays(again, NOVEMBER + 2 * 24 * HOUR_MS, 1);
  expect(SERIES.map((series) => readRows(again, series).slice(0, september[SERIES.indexOf(series)]?.length))).toEqual(
    september,
  );
  expect(readRows(again, 'd/power').length).toBe((september[0]?.length ?? 0) + 2_400);
  expect(next.failures).toEqual([]);
});

test('a deletion while a month is packed stays done, also the second one in a block', async () => {
  const bench = createBench();
  const { operations } = bench.open();
  const { append, seal, deleteSamples, eraseDeleted, readNumbered } = operations.history;
  const at = (minute: number): number => SEPTEMBER + minute * 60_000;
  const samples = Array.from({ length: 9 }, (_, minute) => ({ series: 'd/on', atMs: at(minute), value: minute }));
  // Of so many that the packing pauses after them.
  const many = Array.from({ length: 9_000 }, (_, minute) => ({ series: 'd/power', atMs: at(minute), value: minute }));
  append({ epoch: 'e1', samples });
  append({ epoch: 'e1', samples: many });
  seal();
  const deleteOne = (minute: number): void => {
    deleteSamples([{ series: 'd/on', fromMs: at(minute), toMs: at(minute) + 1 }]);
    while (eraseDeleted());
  };
  deleteOne(3);
  // The packing has begun, and has not looked again at what it copies.
  await bench.time.advance(100);
  deleteOne(5);
  await packAll(bench);
  expect(readNumbered(0).hidden).toBe(0);
  seal();
  await packAll(bench);
  expect(operations.history.readUsage().months).toMatchObject([{ isClosed: true }]);
});
