import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeletionRange } from '#core/past/history/history-store.ts';
import { isGap } from '#core/past/history/sample.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { openReadOnly } from '#storage/engine/database.ts';
import { createBench, sqlite } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { readNumbers, readRows, type Row } from './history-harness.ts';

const DAY_MS = 86_400_000;
const SECRET = 'nobody may ever know of this';
const DELETED = { gap: 'deleted' };

type Engine = Pick<StorageEngine, 'operations'>;

function append({ operations }: Engine, series: string, rows: readonly Row[]): void {
  const samples = rows.map(([sinceMs, value]) => ({ series, atMs: NOW_MS + sinceMs, value }));
  operations.history.append({ epoch: 'e1', samples });
}

function eraseAll({ operations }: Engine): number {
  let rounds = 1;
  while (operations.history.eraseDeleted()) rounds += 1;
  return rounds;
}

const range = (series: string, from: number, to: number): DeletionRange => ({
  series,
  fromMs: NOW_MS + from,
  toMs: NOW_MS + to,
});

test('what was deleted is a gap at once, after a restart and after its bytes are gone; the rest goes on as it was', () => {
  const bench = createBench();
  const first = bench.open();
  append(first, 'd/power', [
    [0, 1],
    [1000, 2],
    [2000, 3],
    [3000, 4],
  ]);
  append(first, 'd/on', [[1500, true]]);
  first.operations.history.deleteSamples([range('d/power', 500, 2500)]);
  const left = [
    [0, 1],
    [500, DELETED],
    [2500, 3],
    [3000, 4],
  ];
  expect(readRows(first, 'd/power')).toEqual(left);
  expect(first.operations.history.findBefore('d/power', NOW_MS + 2400)).toEqual({ atMs: NOW_MS + 500, value: DELETED });
  expect(first.operations.history.findBefore('d/power', NOW_MS + 2600)?.value).toBe(3);
  const numbered = [
    ['d/power', 1],
    ['d/on', true],
    ['d/power', 4],
  ];
  const numbersOf = (engine: Engine) => readNumbers(engine).map(({ series, value }) => [series, value]);
  expect(numbersOf(first)).toEqual(numbered);
  first.close();
  const second = bench.open();
  expect(readRows(second, 'd/power')).toEqual(left);
  expect(numbersOf(second)).toEqual(numbered);
  expect(eraseAll(second)).toBe(1);
  expect(readRows(second, 'd/power')).toEqual(left);
  second.close();
  const third = bench.open();
  expect(readRows(third, 'd/power')).toEqual(left);
  expect(readRows(third, 'd/on')).toEqual([[1500, true]]);
});

test('a reader by numbers learns how many deleted samples it had not read, before and after their bytes are gone', () => {
  const engine = createBench().open();
  const { history } = engine.operations;
  append(engine, 'd/power', [
    [0, 1],
    [1000, 2],
    [2000, 3],
    [9000, 4],
  ]);
  const numbers = readNumbers(engine).map(({ number }) => number);
  history.deleteSamples([range('d/power', 500, 2500)]);
  expect(history.readNumbered(0)).toMatchObject({ hidden: 2, forgotten: [] });
  expect(history.readNumbered(numbers[2] ?? 0)).toMatchObject({ hidden: 1 });
  expect(history.readNumbered(numbers[3] ?? 0)).toMatchObject({ hidden: 0 });
  eraseAll(engine);
  const [first, ...others] = history.readNumbered(0).forgotten;
  expect(others).toEqual([]);
  expect(first?.samples).toBe(2);
  expect(first?.to).toBeGreaterThan(numbers[2] ?? Infinity);
  expect(first?.to).toBeLessThanOrEqual(numbers[3] ?? 0);
  expect(history.readNumbered(0).hidden).toBe(0);
  // A reader that counted so far must not pass over what is deleted before.
  append(engine, 'd/power', [[10_000, 5]]);
  history.deleteSamples([range('d/power', 0, 400)]);
  eraseAll(engine);
  const second = history.readNumbered(0).forgotten[1];
  expect(second?.samples).toBe(1);
  expect(second?.to).toBeGreaterThan(first?.to ?? Infinity);
});

test('there is a limit of deletions, but what takes the place of others always fits', () => {
  const engine = createBench().open();
  const { history } = engine.operations;
  const names = Array.from({ length: 100 }, (_, at) => `d${at}/power`);
  for (const name of names) append(engine, name, [[0, 1]]);
  const many = Array.from({ length: 200 }, (_, at) => at * 10);
  for (const name of names) history.deleteSamples(many.map((at) => ({ ...range(name, at, at + 5), isEnd: true })));
  expect(() => history.deleteSamples([range('d0/power', 3_000, 4_000)])).toThrow('At most 20000 times');
  history.deleteSamples(names.map((name) => ({ ...range(name, -Infinity, 2_500), retires: 'all' })));
  history.deleteSamples([range('d0/power', 3_000, 4_000)]);
});

test('what is imported into a deleted time is left out', () => {
  const engine = createBench().open();
  append(engine, 'd/power', [
    [0, 1],
    [5000, 2],
  ]);
  engine.operations.history.deleteSamples([range('d/power', 1000, 4000)]);
  const samples = [500, 2000, 4500].map((since) => ({ series: 'd/power', atMs: NOW_MS + since, value: 9 }));
  const description = { name: 'd/power', kind: 'gauge' as const, unit: 'W' };
  expect(engine.operations.history.importSamples([description], samples)).toBe(2);
  expect(readRows(engine, 'd/power').map(([sinceMs]) => sinceMs)).toEqual([0, 500, 1000, 4000, 4500, 5000]);
});

test('a whole series is gone from the list at once, and begins anew', () => {
  const engine = createBench().open();
  append(engine, 'd/action', [[0, 'single']]);
  append(engine, 'd/on', [[0, true]]);
  const names = (): string[] => engine.operations.history.listSeries(null).series.map(({ name }) => name);
  engine.operations.history.deleteSamples([{ series: 'd/action', fromMs: -Infinity, toMs: NOW_MS + 1000 }]);
  expect(names()).toEqual(['d/on']);
  eraseAll(engine);
  expect(names()).toEqual(['d/on']);
  append(engine, 'd/action', [[2000, 'double']]);
  expect(names()).toEqual(['d/action', 'd/on']);
  expect(readRows(engine, 'd/action')).toEqual([
    [1000, 'single'],
    [2000, 'double'],
  ]);
});

/** The blocks of a packed month that have what must go. */
function blocksOf(path: string): Buffer[] {
  const file = openReadOnly(sqlite, path);
  const rows = file.all(`SELECT data FROM block JOIN series ON series.number = series WHERE name = '"d/note"'`);
  file.close();
  return rows.map(({ data }) => Buffer.from(data as Uint8Array));
}

test('no file has a byte of it, also of months that were packed and of their copies', async () => {
  const bench = createBench();
  const engine = bench.open();
  const months = [-120, -90, -60, 0].map((days) => days * DAY_MS);
  for (const at of months) {
    append(engine, 'd/note', [[at, `${SECRET} ${at}`]]);
    append(engine, 'd/power', [[at, 1]]);
    engine.operations.history.seal();
  }
  const packAll = async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      await bench.time.advance(100);
      engine.operations.history.seal();
    }
  };
  await packAll();
  append(engine, 'd/note', [
    [1000, `${SECRET} waiting`],
    // What holds at the end of a deletion is known afterwards.
    [2000, 'nothing'],
  ]);
  engine.operations.history.flush();
  const { state } = bench.folders;
  const blocks = ['2026-07', '2026-08', '2026-09'].flatMap((month) => blocksOf(join(state, 'history', `${month}.db`)));
  const filesWithSecrets = (): string[] => {
    const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const secrets = [Buffer.from(SECRET), ...blocks];
    return files
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => secrets.some((secret) => readFileSync(path).includes(secret)))
      .map((path) => relative(state, path));
  };
  expect(filesWithSecrets()).toEqual(
    expect.arrayContaining(['journal.db-wal', 'history/2026-08.db', 'backups/history/2026-08.db']),
  );
  engine.operations.history.deleteSamples([{ series: 'd/note', fromMs: -Infinity, toMs: NOW_MS + 5000 }]);
  expect(eraseAll(engine)).toBeGreaterThan(1);
  engine.operations.history.scrub();
  expect(filesWithSecrets()).toEqual([]);
  expect(readRows(engine, 'd/power')).toHaveLength(4);
  await packAll();
  expect(engine.operations.history.readUsage().months.filter(({ isClosed }) => isClosed)).toHaveLength(3);
  expect(readRows(engine, 'd/power')).toHaveLength(4);
});

test('X: after any deletions, erasures and restarts, each moment reads as a naive line does', () => {
  const moment = fc.integer({ min: 0, max: 60 });
  const action = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('append' as const), value: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('delete' as const), a: fc.option(moment), b: moment }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constantFrom('erase' as const, 'seal' as const, 'restart' as const) }),
    },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
      const bench = createBench();
      let engine = bench.open();
      /** What holds in each second, if anything is known. */
      const line: (number | undefined)[] = Array.from({ length: 61 }, () => undefined);
      let now = 0;
      for (const step of actions) {
        if (step.type === 'append' && now < 60) {
          append(engine, 'd/power', [[now * 1000, step.value]]);
          line.fill(step.value, now);
          now += 1 + (step.value % 3);
        } else if (step.type === 'delete') {
          const to = Math.min(step.b, now);
          const from = step.a ?? -Infinity;
          if (from >= to) continue;
          engine.operations.history.deleteSamples([range('d/power', from * 1000, to * 1000)]);
          line.fill(undefined, Math.max(0, from), to);
        } else if (step.type === 'erase') eraseAll(engine);
        else if (step.type === 'seal') engine.operations.history.seal();
        else if (step.type === 'restart') {
          engine.close();
          engine = bench.open();
        }
      }
      const rows = readRows(engine, 'd/power');
      for (let at = 0; at <= 60; at += 1) {
        const held = rows.findLast(([sinceMs]) => sinceMs <= at * 1000)?.[1];
        const asked = engine.operations.history.findBefore('d/power', NOW_MS + at * 1000 + 1)?.value;
        const shown = [held, asked].map((value) => (value !== undefined && isGap(value) ? undefined : value));
        expect({ at, shown }).toEqual({ at, shown: [line[at], line[at]] });
      }
      engine.close();
    }),
    searchOf(400),
  );
});
