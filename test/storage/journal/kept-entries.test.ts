import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { StoredEntry } from '#core/automation-run/live.ts';
import { watchFiles, withFault } from '#test/storage/fs-faults.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';

const entry = (key: string, value: JsonValue) => ({ key, epoch: 'e1', value });

function reopened(bench: Bench): readonly StoredEntry[] {
  return bench.open().operations.entries.loadEntries();
}

describe('entries of automations', () => {
  test('come back with their epoch after a restart, the newest of each key, without those that were forgotten', () => {
    const bench = createBench();
    const engine = bench.open();
    const { keepEntries, loadEntries } = engine.operations.entries;
    keepEntries([entry('run/1', { form: 1 }), entry('run/2', [1, 'zwei'])], 1_000);
    keepEntries([entry('run/1', { form: 2 }), entry('run/2', null), entry('hand/a', 3)], 30_000);
    expect(loadEntries()).toEqual([]);
    engine.close();
    expect(reopened(bench)).toEqual([entry('hand/a', 3), entry('run/1', { form: 2 })]);
  });

  test('are on disk within the time asked for, with all that waits, and nothing is written after that', async () => {
    const bench = createBench();
    const { entries } = bench.open().operations;
    entries.keepEntries([entry('trigger/1', 1)], 30_000);
    await bench.time.advance(10_000);
    entries.keepEntries([entry('run/1', 1)], 1_000);
    await bench.time.advance(999);
    expect(entries.loadEntries()).toEqual([]);
    await bench.time.advance(1);
    expect(entries.loadEntries()).toEqual([entry('run/1', 1), entry('trigger/1', 1)]);
    expect(bench.time.pendingMs()).toEqual([]);
    const watch = watchFiles();
    await bench.time.advance(86_400_000);
    watch.stop();
    expect(watch.operations()).toBe(0);
  });

  test('that must be written first take one sync to the disk', () => {
    const bench = createBench();
    const { entries } = bench.open().operations;
    entries.writeEntries([entry('run/0', 1)]);
    const watch = watchFiles();
    entries.writeEntries([entry('run/1', 1)]);
    watch.stop();
    expect(entries.loadEntries()).toHaveLength(2);
    expect(watch.fsyncs()).toBe(1);
  });

  test('on a full disk are refused and kept, and are written once there is room', async () => {
    const bench = createBench();
    const { entries } = bench.open().operations;
    const { error } = withFault({ kind: 'fail', at: 1, code: 'ENOSPC' }, () =>
      entries.writeEntries([entry('run/1', 1)]),
    );
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(entries.loadEntries()).toEqual([]);
    await bench.time.advance(5_000);
    expect(entries.loadEntries()).toEqual([entry('run/1', 1)]);
  });

  test('are whole or absent after a power cut at any write', () => {
    const { operations } = cutAt(undefined);
    const ends = Array.from({ length: operations }, (_, at) => cutAt(at + 1).values);
    expect(operations).toBeGreaterThan(1);
    expect(new Set(ends)).toEqual(new Set(['["old","old"]', '["new","new"]']));
  });
});

/** What two entries are after the power was cut at the n-th file operation of their change. */
function cutAt(at: number | undefined): { readonly operations: number; readonly values: string } {
  const bench = createBench();
  const engine = bench.open();
  engine.operations.entries.writeEntries([entry('a', 'old'), entry('b', 'old')]);
  const { operations } = withFault(at === undefined ? undefined : { kind: 'kill', at }, () =>
    engine.operations.entries.writeEntries([entry('a', 'new'), entry('b', 'new')]),
  );
  withFault({ kind: 'kill', at: 1 }, () => engine.close());
  return {
    operations,
    values: JSON.stringify(reopened(bench).map(({ value }) => value)),
  };
}
