import { expect, test } from 'vitest';
import { openMemoryDatabase } from '#storage/engine/database.ts';
import { migrate } from '#storage/engine/schema.ts';
import { createAsideKeeping } from '#storage/set-aside/aside-keeping.ts';
import { keepOneOfEach, withDatabase } from '#test/storage/set-aside/wrong-rows.ts';
import { createBench, sqlite } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

const DAY_MS = 86_400_000;

/** A database from one run to the next. */
function createRuns() {
  const database = openMemoryDatabase(sqlite);
  migrate(database);
  const add = (bytes: number, partOf: number | null = null): number => {
    const sql = `INSERT INTO set_aside (part_of, noun, id, reason, at_ms, content) VALUES (?, 'scene', 'a', 'x', 0, ?)
      RETURNING number`;
    return Number(database.all(sql, [partOf, JSON.stringify('x'.repeat(bytes - 2))])[0]?.['number']);
  };
  const numbers = (): number[] =>
    database.all('SELECT number FROM set_aside ORDER BY number').map(({ number }) => Number(number));
  return { add, numbers, start: (mostBytes?: number) => createAsideKeeping(database, mostBytes) };
}

test('a record that was set aside stays for 90 days from the first trusted time on, with what came with it', () => {
  const { add, numbers, start } = createRuns();
  const first = add(100);
  add(50, first);
  const run = start();
  expect(run.totals()).toEqual({ records: 1, bytes: 150, untilMs: null });
  expect(run.forget(NOW_MS)).toBe(0);
  expect(run.totals()).toEqual({ records: 1, bytes: 150, untilMs: NOW_MS + 90 * DAY_MS });
  add(10);
  // The hub was off for two months.
  const later = start();
  expect(later.forget(NOW_MS + 60 * DAY_MS)).toBe(0);
  expect(later.forget(NOW_MS + 90 * DAY_MS - 1)).toBe(0);
  expect(later.forget(NOW_MS + 90 * DAY_MS)).toBe(1);
  expect(later.totals()).toEqual({ records: 1, bytes: 10, untilMs: NOW_MS + 150 * DAY_MS });
  expect(later.forget(NOW_MS + 149 * DAY_MS)).toBe(0);
  expect(later.forget(NOW_MS + 150 * DAY_MS)).toBe(1);
  expect(numbers()).toEqual([]);
  expect(later.totals()).toEqual({ records: 0, bytes: 0, untilMs: null });
});

test('a record that comes after all were removed has its own 90 days', () => {
  const { add, numbers, start } = createRuns();
  add(10);
  add(10);
  const run = start();
  run.forget(NOW_MS);
  run.forget(NOW_MS + 90 * DAY_MS);
  // SQLite gives its number anew.
  const again = add(10);
  expect(again).toBe(1);
  expect(run.lastOfBefore(), 'it is one of this run').toBe(0);
  expect(run.forget(NOW_MS + 100 * DAY_MS)).toBe(0);
  expect(run.totals().untilMs).toBe(NOW_MS + 190 * DAY_MS);
  expect(numbers()).toEqual([again]);
});

test('beyond the limit the oldest go first, and never what this run found', () => {
  const { add, numbers, start } = createRuns();
  const [first, second, third] = [add(400), add(400), add(400)];
  const part = add(100, third);
  const run = start(1_000);
  const fourth = add(2_000);
  expect(run.forget(NOW_MS)).toBe(3);
  expect(numbers()).toEqual([fourth]);

  const small = createRuns();
  [400, 400, 400].forEach((bytes) => small.add(bytes));
  expect(small.start(1_000).forget(NOW_MS)).toBe(1);
  expect(small.numbers()).toEqual([second, third]);
  expect([first, part]).toEqual([1, 4]);
});

test('a record that is too much goes with all of its parts, and what comes then has its own 90 days', () => {
  const { add, numbers, start } = createRuns();
  add(700, add(400));
  const run = start(1_000);
  expect(run.forget(NOW_MS)).toBe(1);
  expect(numbers()).toEqual([]);
  add(10);
  expect(run.totals().untilMs).toBe(null);
  run.forget(NOW_MS + 80 * DAY_MS);
  expect(run.totals().untilMs).toBe(NOW_MS + 170 * DAY_MS);
});

test('what is written about the times is written once, and anything else in its place counts as nothing', () => {
  const { add, start } = createRuns();
  const database = openMemoryDatabase(sqlite);
  migrate(database);
  for (const text of ['{}', '[[1]]', '[["a", 1], null, [1, {}]]', 'torn']) {
    database.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('set_aside_seen', ?)", [text]);
    expect(createAsideKeeping(database).forget(NOW_MS)).toBe(0);
  }
  add(10);
  const run = start();
  run.forget(NOW_MS);
  run.forget(NOW_MS + DAY_MS);
  expect(run.totals().untilMs).toBe(NOW_MS + 90 * DAY_MS);
});

test('the storage says how many records it keeps aside and until when, and forgets them in time, over restarts', async () => {
  const bench = createBench();
  await keepOneOfEach(bench);
  withDatabase(bench, (database) => database.run('UPDATE automation SET record = ?', ['{"name": "torn']));
  const first = bench.open();
  first.operations.automations.loadAutomations('');
  expect(first.operations.aside.forget(NOW_MS)).toBe(0);
  first.close();
  const { aside, health } = bench.open().operations;
  expect(health.readHealth().asideTotals).toMatchObject({ records: 1, untilMs: NOW_MS + 90 * DAY_MS });
  expect(aside.forget(NOW_MS + 90 * DAY_MS)).toBe(1);
  expect(health.readHealth().asideTotals).toEqual({ records: 0, bytes: 0, untilMs: null });
});
