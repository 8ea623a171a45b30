import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewSample } from '#core/past/history/history-store.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { readNumbers, readRows } from './history-harness.ts';

const DAY_MS = 86_400_000;

const at = (series: string, ms: number, value: NewSample['value']): NewSample => ({ series, atMs: NOW_MS + ms, value });

/** Numbers, states, texts, gaps, and a feature that changes its type, over the end of a month. */
function makeSamples(days = 12): NewSample[] {
  const samples: NewSample[] = [];
  for (let minute = 0; minute < days * 1440; minute += 7) {
    const ms = minute * 60_000;
    samples.push(at('d/temperature', ms, Math.round(2000 + 500 * Math.sin(minute / 200)) / 100));
    if (minute % 5 === 0) samples.push(at('d/on', ms, minute % 10 === 0));
    if (minute % 11 === 0) samples.push(at('d/action', ms, ['single', 'double', 'half \ud800'][minute % 3] ?? ''));
    if (minute % 501 === 0) samples.push(at('d/temperature', ms + 100, { gap: 'offline' }));
    if (minute % 700 === 0) samples.push(at('d/changed', ms, minute % 3 === 0 ? minute / 3 : 'text'));
    if (minute % 900 === 0) samples.push(at('d/odd', ms, minute % 2 === 0 ? 1e300 : Math.PI * minute));
  }
  return samples;
}

const SAMPLES = makeSamples();
/** What comes later in the tick of a sample that is written already moves to the next tick. */
const HALF = SAMPLES.findIndex(({ atMs }, index) => index > 3000 && atMs !== SAMPLES[index - 1]?.atMs);
const SERIES = ['d/temperature', 'd/on', 'd/action', 'd/changed', 'd/odd'];

function wanted(series: string): unknown[] {
  return SAMPLES.filter((sample) => sample.series === series).map(({ atMs, value }) => [atMs - NOW_MS, value]);
}

function openSealed(bench: Bench, parts = 7): StorageEngine {
  const engine = bench.open();
  const size = Math.ceil(SAMPLES.length / parts);
  for (let from = 0; from < SAMPLES.length; from += size) {
    engine.operations.history.append({ epoch: 'e1', samples: SAMPLES.slice(from, from + size) });
    engine.operations.history.seal();
  }
  return engine;
}

test('sealed samples are read as they were, from a file for each month, also after a restart', () => {
  const bench = createBench();
  const engine = openSealed(bench);
  for (const series of SERIES) expect(readRows(engine, series)).toEqual(wanted(series));
  engine.close();
  expect(readdirSync(join(bench.folders.state, 'history'))).toEqual(['2026-11.db', '2026-12.db']);
  const again = bench.open();
  for (const series of SERIES) expect(readRows(again, series)).toEqual(wanted(series));
  const { series } = again.operations.history.listSeries(null);
  expect(series.find(({ name }) => name === 'd/temperature')).toMatchObject({
    firstMs: NOW_MS,
    count: wanted('d/temperature').length,
  });
});

test('the numbers of samples are the same before and after sealing', () => {
  const before = createBench().open();
  before.operations.history.append({ epoch: 'e1', samples: SAMPLES });
  const numbers = readNumbers(before);
  expect(numbers).toHaveLength(SAMPLES.length);
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(SAMPLES.length);
  expect(readNumbers(openSealed(createBench()))).toEqual(numbers);
});

test('what holds at a moment is found in an earlier month', () => {
  const engine = openSealed(createBench());
  const before = engine.operations.history.findBefore('d/temperature', NOW_MS + 400 * DAY_MS);
  expect(before).toEqual({
    atMs: SAMPLES.findLast(({ series }) => series === 'd/temperature')?.atMs,
    value: SAMPLES.findLast(({ series }) => series === 'd/temperature')?.value,
  });
  expect(engine.operations.history.findBefore('d/temperature', NOW_MS)).toBeNull();
});

test('the journal is sealed when a series has many samples, and after six hours', async () => {
  const bench = createBench();
  const { operations } = bench.open();
  const folder = () => readdirSync(bench.folders.state).includes('history');
  operations.history.append({
    epoch: 'e1',
    samples: Array.from({ length: 4_095 }, (_, index) => at('d/power', index * 1000, index)),
  });
  operations.history.flush();
  expect(folder()).toBe(false);
  operations.history.append({ epoch: 'e1', samples: [at('d/power', 4_095_000, 1)] });
  operations.history.flush();
  await bench.time.advance(100);
  expect(folder()).toBe(true);

  const slow = createBench();
  const other = slow.open();
  other.operations.history.append({ epoch: 'e1', samples: [at('d/power', 0, 1)] });
  await slow.time.advance(6 * 3_600_000 + 60_000);
  expect(readdirSync(slow.folders.state)).not.toContain('history');
  other.operations.history.append({ epoch: 'e1', samples: [at('d/power', 1000, 2)] });
  await slow.time.advance(30_100);
  expect(readdirSync(slow.folders.state)).toContain('history');
});

test('S6: a kill at any file operation of a seal loses and doubles nothing', () => {
  const live = (bench: Bench): StorageEngine => {
    const engine = bench.open();
    engine.operations.history.append({ epoch: 'e1', samples: SAMPLES.slice(0, HALF) });
    engine.operations.history.seal();
    engine.operations.history.append({ epoch: 'e1', samples: SAMPLES.slice(HALF) });
    engine.operations.history.flush();
    return engine;
  };
  const total = withFault(undefined, live(createBench()).operations.history.seal).operations;
  expect(total).toBeGreaterThan(30);
  for (let cut = 1; cut <= total; cut += 1) {
    const bench = createBench();
    const engine = live(bench);
    withFault({ kind: 'kill', at: cut }, engine.operations.history.seal);
    const again = bench.open();
    for (const series of SERIES) expect([cut, readRows(again, series)]).toEqual([cut, wanted(series)]);
    again.operations.history.seal();
    for (const series of SERIES) expect([cut, readRows(again, series)]).toEqual([cut, wanted(series)]);
  }
});

test('S6: a seal that the disk stops at any file operation leaves each sample to be read once', () => {
  const end = Date.UTC(2026, 11, 1) - NOW_MS;
  const [early, late] = [
    [at('d/on', end - 120_000, true), at('d/on', end + 120_000, true)],
    [at('d/on', end - 60_000, false), at('d/power', end - 50_000, 1), at('d/on', end + 180_000, false)],
  ];
  const live = (): StorageEngine => {
    const engine = createBench().open();
    engine.operations.history.append({ epoch: 'e1', samples: early });
    engine.operations.history.seal();
    engine.operations.history.append({ epoch: 'e2', samples: late });
    engine.operations.history.flush();
    return engine;
  };
  const read = (engine: StorageEngine): unknown => [
    readRows(engine, 'd/on'),
    readNumbers(engine),
    engine.operations.history.listSeries(null).series.map(({ name, count }) => [name, count]),
  ];
  const whole = read(live());
  const total = withFault(undefined, live().operations.history.seal).operations;
  for (let cut = 1; cut <= total; cut += 1) {
    const engine = live();
    withFault({ kind: 'kill', at: cut }, engine.operations.history.seal);
    expect([cut, read(engine)]).toEqual([cut, whole]);
    engine.operations.history.seal();
    expect([cut, read(engine)]).toEqual([cut, whole]);
  }
});

test('S6: two seals over the end of a month that are killed one after the other double nothing', () => {
  const end = Date.UTC(2026, 11, 1) - NOW_MS;
  const first = [at('d/on', end - 60_000, true), at('d/on', end + 60_000, false)];
  const live = (bench: Bench): StorageEngine => {
    const engine = bench.open();
    engine.operations.history.append({ epoch: 'e1', samples: first });
    engine.operations.history.flush();
    return engine;
  };
  const total = withFault(undefined, live(createBench()).operations.history.seal).operations;
  let halfway = 0;
  for (let cut = total; cut > 0 && halfway < 3; cut -= 1) {
    const bench = createBench();
    withFault({ kind: 'kill', at: cut }, live(bench).operations.history.seal);
    const months = readdirSync(bench.folders.state).includes('history')
      ? readdirSync(join(bench.folders.state, 'history'))
      : [];
    if (!months.includes('2026-11.db') || months.includes('2026-12.db')) continue;
    halfway += 1;
    const second = bench.open();
    withFault({ kind: 'kill', at: 10 }, second.operations.history.seal);
    const third = bench.open();
    expect([cut, readRows(third, 'd/on')]).toEqual([cut, first.map(({ atMs, value }) => [atMs - NOW_MS, value])]);
    third.operations.history.append({ epoch: 'e1', samples: [at('d/on', end + 120_000, true)] });
    third.operations.history.seal();
    expect([cut, readRows(third, 'd/on').length]).toEqual([cut, 3]);
  }
  expect(halfway).toBe(3);
});

/** Enough to be sealed in several slices: 9 series of 3,000 samples. */
function makeMany(fromMs: number, count = 3_000): NewSample[] {
  return Array.from({ length: 9 * count }, (_, index) =>
    at(`d/many${index % 9}`, fromMs + Math.floor(index / 9) * 1000, index),
  );
}

test('S6b: other calls run while a seal is under way, and see every sample once', async () => {
  const bench = createBench();
  const engine = bench.open();
  const { append, flush, noteShift } = engine.operations.history;
  append({ epoch: 'e1', samples: makeMany(0) });
  append({ epoch: 'e1', samples: makeMany(3_200_000, 1_200) });
  flush();
  let sent = 0;
  const month = join(bench.folders.state, 'history', '2026-11.db');
  for (; !existsSync(month) || sent < 3; sent += 1) {
    expect(sent).toBeLessThan(100);
    append({ epoch: 'e1', samples: [at('d/many0', 5_000_000 + sent * 1000, sent)] });
    flush();
    expect(readRows(engine, 'd/many0')).toHaveLength(4_200 + sent + 1);
    await bench.time.advance(5);
  }
  expect(sent).toBeGreaterThan(3);
  expect(readRows(engine, 'd/many0')).toHaveLength(4_200 + sent);
  noteShift('e1', 0);
  engine.close();
  expect(readRows(bench.open(), 'd/many0')).toHaveLength(4_200 + sent);
  expect(readRows(bench.open(), 'd/many8')).toHaveLength(4_200);
});

test('S6: what the end of the hub leaves of a seal is sealed by the next run, once', async () => {
  for (const slices of [0, 1, 3]) {
    const bench = createBench();
    const engine = bench.open();
    const { append, flush, deleteSamples, eraseDeleted } = engine.operations.history;
    append({ epoch: 'e1', samples: makeMany(0) });
    append({ epoch: 'e1', samples: makeMany(3_200_000, 1_200) });
    flush();
    await bench.time.advance(5 * slices);
    append({ epoch: 'e1', samples: [at('d/many5', 6_000_000, 1)] });
    if (slices === 3) {
      deleteSamples([{ series: 'd/many0', fromMs: -Infinity, toMs: NOW_MS + 1000, isEnd: true }]);
      // This needs all of it in the months, and ends the seal at once.
      eraseDeleted();
    }
    engine.close();
    const again = bench.open();
    expect(readRows(again, 'd/many5')).toHaveLength(4_201);
    expect(readRows(again, 'd/many0')).toHaveLength(slices === 3 ? 4_199 : 4_200);
    again.operations.history.seal();
    expect(readRows(again, 'd/many5')).toHaveLength(4_201);
    expect(readNumbers(again)).toHaveLength(9 * 4_200 + (slices === 3 ? 0 : 1));
  }
});

test('S9: while the disk takes nothing, samples are dropped instead of filling the memory, and that is a gap', async () => {
  const bench = createBench();
  const { operations } = bench.open();
  const { append, flush, readUsage } = operations.history;
  const send = (from: number, count: number): void =>
    append({
      epoch: 'e1',
      samples: Array.from({ length: count }, (_, index) => at('d/power', (from + index) * 1000, from + index)),
    });
  withFault({ kind: 'kill', at: 1 }, () => {
    for (let from = 0; from < 300_000; from += 50_000) send(from, 50_000);
  });
  expect(readUsage()).toMatchObject({ waitingSamples: 200_000, pausedSinceMs: NOW_MS + 200_000_000 });
  flush();
  await bench.time.advance(1000);
  send(300_000, 1);
  expect(readUsage().pausedSinceMs).toBeNull();
  expect(readRows({ operations }, 'd/power').slice(-4)).toEqual([
    [199_999_000, 199_999],
    [200_000_000, { gap: 'paused' }],
    [299_999_000, 299_999],
    [300_000_000, 300_000],
  ]);
});
