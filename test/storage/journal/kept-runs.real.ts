import { describe, expect, test } from 'vitest';
import type { RunChanges } from '#core/automation-run/trace/run-store.ts';
import type { Database } from '#storage/engine/database.ts';
import { createKeptRuns } from '#storage/journal/kept-runs.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { watchFiles, withFault } from '#test/storage/fs-faults.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeRunChanges, NOW_MS } from '#test/storage/storage-makers.ts';

const HOUR_MS = 3_600_000;
const NOTHING: RunChanges = { runs: [], goneRuns: [], pasts: [], counts: [], goneAutomations: [] };

/** What is on disk. */
function load({ operations: { runs } }: StorageEngine) {
  return { runs: runs.loadRuns(null), pasts: runs.loadPasts(), counts: runs.loadCounts(0) };
}

function stored(...changes: readonly RunChanges[]): ReturnType<typeof load> {
  const [runs, pasts, counts] = [
    changes.map((one) => one.runs),
    changes.map((one) => one.pasts),
    changes.map((one) => one.counts),
  ];
  return { runs: runs.flat(), pasts: pasts.flat(), counts: counts.flat() };
}

function addSample(engine: StorageEngine, atMs: number): void {
  engine.operations.history.append({ epoch: 'e1', samples: [{ series: 'd/on', atMs, value: true }] });
}

describe('traces of automations', () => {
  test('are as they were after an orderly end, the newest of each', () => {
    const bench = createBench();
    const engine = bench.open();
    const { keep } = engine.operations.runs;
    keep(makeRunChanges(1, { outcome: 'running' }));
    keep(makeRunChanges(2));
    keep(makeRunChanges(1));
    expect(load(engine)).toEqual(stored());
    engine.close();
    expect(load(bench.open())).toEqual(stored(makeRunChanges(1), makeRunChanges(2)));
  });

  test('that were forgotten are gone, with what is kept of an automation', () => {
    const bench = createBench();
    const engine = bench.open();
    const { keep, write } = engine.operations.runs;
    const [one, two] = [makeRunChanges(1), makeRunChanges(2)];
    write({ ...stored(one, two), goneRuns: [], goneAutomations: [] });
    keep({
      ...NOTHING,
      goneRuns: one.runs.map(({ id }) => id),
      goneAutomations: one.pasts.map(({ automation }) => automation),
    });
    engine.close();
    expect(load(bench.open())).toEqual(stored(two));
  });

  test('are written in the commit of a seal of history, and need no sync to the disk of their own', () => {
    const syncsOfSeal = (changes: RunChanges | undefined): number => {
      const engine = createBench().open();
      addSample(engine, NOW_MS);
      engine.operations.history.flush();
      if (changes !== undefined) engine.operations.runs.keep(changes);
      const watch = watchFiles();
      engine.operations.history.seal();
      watch.stop();
      expect(load(engine).runs).toHaveLength(changes === undefined ? 0 : 1);
      return watch.fsyncs();
    };
    expect(syncsOfSeal(makeRunChanges(1))).toBe(syncsOfSeal(undefined));
  });

  test('wait for six hours where no sample comes, and nothing is written while nothing runs', async () => {
    const bench = createBench();
    const engine = bench.open();
    const { keep } = engine.operations.runs;
    keep(makeRunChanges(1));
    await bench.time.advance(30_000);
    const watch = watchFiles();
    await bench.time.advance(5 * HOUR_MS);
    keep(makeRunChanges(2));
    await bench.time.advance(30_000);
    expect(watch.bytesWritten()).toBe(0);
    await bench.time.advance(HOUR_MS);
    keep(makeRunChanges(3));
    await bench.time.advance(30_000);
    expect(load(engine).runs).toHaveLength(3);
    const written = watch.bytesWritten();
    await bench.time.advance(100 * HOUR_MS);
    watch.stop();
    expect(watch.bytesWritten()).toBe(written);
    expect(bench.time.pendingMs()).toEqual([]);
  });

  test('come back in pages', () => {
    const bench = createBench();
    const engine = bench.open();
    for (let number = 1; number <= 1_100; number += 1) engine.operations.runs.keep(makeRunChanges(number));
    engine.close();
    const { loadRuns } = bench.open().operations.runs;
    const first = loadRuns(null);
    const second = loadRuns(first.at(-1)?.id ?? null);
    const third = loadRuns(second.at(-1)?.id ?? null);
    expect([first.length, second.length, third.length]).toEqual([500, 500, 100]);
    expect(loadRuns(third.at(-1)?.id ?? null)).toEqual([]);
  });

  test('that were dropped before they were written leave nothing to write, and those on disk are deleted', () => {
    const [stored, fresh] = [makeRunChanges(1), makeRunChanges(2)];
    const done: unknown[] = [];
    const file = {
      all: () => stored.runs.map(({ id }) => ({ id })),
      run: (sql: string, values: readonly unknown[]) => void done.push([sql.slice(0, 6), values[0]]),
      transaction: (work: () => void) => work(),
    };
    const kept = createKeptRuns(file as unknown as Database);
    const drop = ({ runs }: RunChanges): void => kept.add({ ...NOTHING, goneRuns: runs.map(({ id }) => id) });
    kept.add({ ...NOTHING, runs: fresh.runs });
    drop(fresh);
    expect(kept.isEmpty()).toBe(true);
    kept.add({ ...NOTHING, runs: fresh.runs });
    kept.writeNow();
    for (const one of [stored, fresh]) drop(one);
    kept.writeNow();
    drop(fresh);
    expect(kept.isEmpty()).toBe(true);
    const [first, second] = [...stored.runs, ...fresh.runs].map(({ id }) => id);
    expect(done).toEqual([
      ['INSERT', second],
      ['DELETE', first],
      ['DELETE', second],
    ]);
  });

  test('are counted for a year', () => {
    const engine = createBench().open();
    const [first] = makeRunChanges(1).counts;
    for (const day of [20_000, 20_200, 20_366]) {
      engine.operations.runs.write({ ...NOTHING, counts: first === undefined ? [] : [{ ...first, day }] });
    }
    expect(load(engine).counts.map(({ day }) => day)).toEqual([20_200, 20_366]);
  });

  test('S9: wait in memory while the disk is full, and are written once there is room', async () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.runs.keep(makeRunChanges(1));
    await bench.time.advance(30_000);
    const { error } = withFault({ kind: 'fail', at: 1, code: 'ENOSPC' }, () => engine.operations.runs.write(NOTHING));
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(load(engine)).toEqual(stored());
    engine.operations.runs.write(makeRunChanges(2));
    expect(load(engine)).toEqual(stored(makeRunChanges(1), makeRunChanges(2)));
  });

  test('S9: on a disk that fails at the end are lost, which the log says, and the storage still closes', () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.runs.keep(makeRunChanges(1));
    withFault({ kind: 'kill', at: 1 }, () => engine.close());
    expect(bench.lines.filter((line) => line.includes('newest traces were lost'))).toHaveLength(1);
    expect(load(bench.open())).toEqual(stored());
  });

  test('X: are whole or absent after a power cut at any write of a seal', () => {
    const { operations } = cutAt(undefined);
    const ends = Array.from({ length: operations }, (_, at) => cutAt(at + 1).found);
    expect(operations).toBeGreaterThan(5);
    const old = stored(makeRunChanges(1, { outcome: 'running' }));
    const kept = stored(makeRunChanges(1), makeRunChanges(2));
    expect(new Set(ends)).toEqual(new Set([JSON.stringify(old), JSON.stringify(kept)]));
  });
});

/** What is there after the power was cut at the n-th file operation of a seal. */
function cutAt(at: number | undefined): { readonly operations: number; readonly found: string } {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.runs.write(makeRunChanges(1, { outcome: 'running' }));
  addSample(engine, NOW_MS);
  engine.operations.history.flush();
  engine.operations.runs.keep(makeRunChanges(1));
  engine.operations.runs.keep(makeRunChanges(2));
  const { operations } = withFault(at === undefined ? undefined : { kind: 'kill', at }, () =>
    engine.operations.history.seal(),
  );
  withFault({ kind: 'kill', at: 1 }, () => engine.close());
  return { operations, found: JSON.stringify(load(bench.open())) };
}
