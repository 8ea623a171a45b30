import { expect, test } from 'vitest';
import type { NewSample } from '#core/past/history/history-store.ts';
import { readNumbers, readRows } from '#test/storage/history/history-harness.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

const at = (series: string, seconds: number, value: NewSample['value']): NewSample => ({
  series,
  atMs: NOW_MS + seconds * 1000,
  value,
});

const SAMPLES: readonly NewSample[] = [
  at('a/temperature', 0, 21.4),
  at('a/on', 1, true),
  at('a/temperature', 2, 1e300),
  at('a/action', 2, 'single'),
  at('a/temperature', 3, { gap: 'offline' }),
  at('a/on', 4, { gap: 'hub_off', isUncertain: true }),
  at('a/temperature', 5.1, -0),
];

test('samples are read at once, and read the same after a restart', () => {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.history.append({ epoch: 'e1', samples: SAMPLES });
  const wanted = [
    [0, 21.4],
    [2000, 1e300],
    [3000, { gap: 'offline' }],
    [5100, -0],
  ];
  expect(readRows(engine, 'a/temperature')).toEqual(wanted);
  engine.close();
  const again = bench.open();
  expect(readRows(again, 'a/temperature')).toEqual(wanted);
  expect(readRows(again, 'a/on')).toEqual([
    [1000, true],
    [4000, { gap: 'hub_off', isUncertain: true }],
  ]);
  expect(readRows(again, 'a/unknown')).toEqual([]);
});

test('S6: samples wait up to 30 s, or as long as asked', async () => {
  const bench = createBench();
  const { operations } = bench.open();
  operations.history.append({ epoch: 'e1', samples: SAMPLES });
  expect(bench.time.pendingMs()).toEqual([30_000]);
  operations.history.flushWithin(1_000);
  expect(bench.time.pendingMs()).toEqual([1_000]);
  await bench.time.advance(1_000);
  expect(bench.time.pendingMs()).toEqual([]);
});

test('what holds at a moment is the last sample before it', () => {
  const { operations } = createBench().open();
  operations.history.append({ epoch: 'e1', samples: SAMPLES });
  const before = (ms: number) => operations.history.findBefore('a/temperature', NOW_MS + ms);
  expect(before(0)).toBeNull();
  expect(before(2000)).toEqual({ atMs: NOW_MS, value: 21.4 });
  expect(before(5000)).toEqual({ atMs: NOW_MS + 3000, value: { gap: 'offline' } });
});

test('C2: samples from before the synchronisation move to the right place once the shift is known', () => {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.history.append({ epoch: 'old', samples: [{ series: 'a/on', atMs: 60_000, value: true }] });
  engine.operations.history.append({ epoch: 'new', samples: [at('a/on', 0, false)] });
  engine.operations.history.noteShift('old', NOW_MS - 120_000);
  engine.close();
  expect(readRows(bench.open(), 'a/on')).toEqual([
    [-60_000, true],
    [0, false],
  ]);
});

test('samples are numbered in the order in which they came, across restarts and clocks that go back', () => {
  const bench = createBench();
  const first = bench.open();
  first.operations.history.append({ epoch: 'e1', samples: SAMPLES.slice(0, 4) });
  const early = first.operations.history.readNumbered(0);
  expect(early.samples.map(({ series }) => series)).toEqual(['a/temperature', 'a/on', 'a/temperature', 'a/action']);
  expect(early.safe).toBe(0);
  first.close();
  const { operations } = bench.open();
  operations.history.append({ epoch: 'e1', samples: SAMPLES.slice(4) });
  operations.history.append({ epoch: 'e1', samples: [at('a/on', -3600, true)] });
  operations.history.append({ epoch: 'e2', samples: [at('a/on', 9, false)] });
  const samples = readNumbers({ operations }, early.next);
  expect(samples.map(({ value }) => value)).toEqual([...SAMPLES.slice(4).map(({ value }) => value), true, false]);
  const all = readNumbers({ operations });
  expect(all.slice(4)).toEqual(samples);
  expect(all.map(({ number }) => number)).toEqual(
    all.map(({ number }) => number).toSorted((left, right) => left - right),
  );
  operations.history.flush();
  const end = operations.history.readNumbered((all.at(-1)?.number ?? 0) + 1);
  expect(end).toMatchObject({ samples: [], isEnd: true, safe: end.next });
});

test('a reader by number finds where a moment begins, also where clocks were wrong', () => {
  const { operations } = createBench().open();
  const { history } = operations;
  expect(history.locate(0)).toEqual({ from: 0, end: 0 });
  history.append({ epoch: 'old', samples: [{ series: 'a/on', atMs: 60_000, value: true }] });
  history.append({ epoch: 'e1', samples: SAMPLES });
  history.noteShift('old', NOW_MS + 2_500 - 60_000);
  history.flush();
  const valuesFrom = (atMs: number) => readNumbers({ operations }, history.locate(atMs).from).map(({ value }) => value);
  expect(valuesFrom(-Infinity)).toEqual([true, ...SAMPLES.map(({ value }) => value)]);
  expect(valuesFrom(NOW_MS + 2_600)).toEqual(SAMPLES.slice(4).map(({ value }) => value));
  // The clock was wrong when the first one came: it belongs to this time, so all that came after it is read.
  expect(valuesFrom(NOW_MS + 2_500)).toEqual([true, ...SAMPLES.map(({ value }) => value)]);
  const { from, end } = history.locate(Infinity);
  expect(from).toBe(end);
  history.append({ epoch: 'e1', samples: [at('a/on', 9, true)] });
  expect(readNumbers({ operations }, end).map(({ value }) => value)).toEqual([true]);
  // What is not on disk yet may get other numbers after a power cut.
  expect(history.locate(Infinity)).toMatchObject({ from: end });
});

test('a sample that is no sample is dropped and said', () => {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.history.append({ epoch: 'e1', samples: [at('a/t', 0, NaN), at('a/t', NaN, 1), at('a/t', 1, 2)] });
  expect(readRows(engine, 'a/t')).toEqual([[1000, 2]]);
  expect(bench.lines.filter((line) => line.includes('dropped'))).toHaveLength(1);
});

test('series are listed with their bounds', () => {
  const { operations } = createBench().open();
  operations.history.append({ epoch: 'e1', samples: SAMPLES });
  operations.history.describeSeries([{ name: 'a/temperature', kind: 'gauge', unit: 'celsius' }]);
  const { series, next } = operations.history.listSeries(null);
  expect(next).toBeNull();
  expect(series.map(({ name, count }) => [name, count])).toEqual([
    ['a/action', 1],
    ['a/on', 2],
    ['a/temperature', 4],
  ]);
  expect(series[2]).toMatchObject({ kind: 'gauge', unit: 'celsius', firstMs: NOW_MS, lastMs: NOW_MS + 5100 });
});
