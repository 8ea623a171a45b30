import { expect, test } from 'vitest';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { readRows } from './history-harness.ts';

const DAY_MS = 86_400_000;

function openYear() {
  const bench = createBench();
  const engine = bench.open();
  const { append, seal } = engine.operations.history;
  append({
    epoch: 'e1',
    samples: [
      { series: 'd/valve', atMs: NOW_MS, value: 'open' },
      { series: 'd/gone', atMs: NOW_MS, value: 7 },
      { series: 'd/power', atMs: NOW_MS, value: 1 },
      { series: 'd/gone', atMs: NOW_MS + 100, value: { gap: 'offline' } },
    ],
  });
  seal();
  for (let day = 20; day < 200; day += 20) {
    append({ epoch: 'e1', samples: [{ series: 'd/power', atMs: NOW_MS + day * DAY_MS, value: day }] });
    seal();
  }
  return { bench, engine };
}

test('a value that never changed is known although its month is removed', () => {
  const { bench, engine } = openYear();
  const { forgetMonths } = engine.operations.history;
  expect(forgetMonths({ keepFromMs: NOW_MS + 100 * DAY_MS, maxBytes: 1e9 })).toContain('2026-11');
  engine.close();
  const again = bench.open().operations;
  const { findBefore } = again.history;
  expect(findBefore('d/valve', NOW_MS + 150 * DAY_MS)).toEqual({ atMs: NOW_MS, value: 'open' });
  expect(findBefore('d/gone', NOW_MS + 150 * DAY_MS)).toEqual({ atMs: NOW_MS + 100, value: { gap: 'offline' } });
  expect(readRows({ operations: again }, 'd/valve')).toEqual([[0, 'open']]);
  // Of a series that went on, the last of the removed values holds until the first of those that are left.
  expect(readRows({ operations: again }, 'd/power')).toEqual(
    [80, 100, 120, 140, 160, 180].map((day) => [day * DAY_MS, day]),
  );
  expect(again.history.listSeries(null).series.map(({ name }) => name)).toEqual(['d/gone', 'd/power', 'd/valve']);
  const range = { series: 'd/valve', fromMs: -Infinity, toMs: NOW_MS + 1, isEnd: true as const };
  again.history.deleteSamples([range]);
  expect(findBefore('d/valve', NOW_MS + 150 * DAY_MS)).toBeNull();
  while (again.history.eraseDeleted());
  expect(findBefore('d/valve', NOW_MS + 150 * DAY_MS)).toBeNull();
});

test('the next month that goes takes over', () => {
  const { engine } = openYear();
  const { forgetMonths, findBefore } = engine.operations.history;
  for (const days of [60, 150]) forgetMonths({ keepFromMs: NOW_MS + days * DAY_MS, maxBytes: 1e9 });
  expect(findBefore('d/valve', NOW_MS + 150 * DAY_MS)?.value).toBe('open');
  expect(findBefore('d/power', NOW_MS + 141 * DAY_MS)?.value).toBe(140);
});

test('the list of series has pages, in one order, whatever the names are', () => {
  const { operations } = createBench().open();
  const names = Array.from(
    { length: 1_201 },
    (_, index) => `d${index % 7}/${['ä', '€', '\u{1f600}', 'z', '"'][index % 5]}${index}`,
  );
  const listed: string[] = [];
  operations.history.append({
    epoch: 'e1',
    samples: names.slice(0, 900).map((series) => ({ series, atMs: NOW_MS, value: 1 })),
  });
  operations.history.flush();
  operations.history.append({
    epoch: 'e1',
    samples: names.slice(900).map((series) => ({ series, atMs: NOW_MS + 100, value: 1 })),
  });
  let pages = 0;
  for (let after: string | null = null; pages === 0 || after !== null; pages += 1) {
    const page = operations.history.listSeries(after);
    listed.push(...page.series.map(({ name }) => name));
    after = page.next;
  }
  expect(pages).toBe(3);
  expect(listed.toSorted()).toEqual(names.toSorted());
});
