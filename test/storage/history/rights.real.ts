import { chmodSync, chownSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { createBench, makeFolder, type Bench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeValue } from '#test/storage/storage-makers.ts';
import { needs } from '#test/support/machine/requires.ts';
import { mountFileReadOnly } from '#test/support/machine/small-disk.ts';
import { readRows, type Row } from './history-harness.ts';

const NOBODY = 65_534;
const ROOT = 0;
const OCTOBER = Date.UTC(2026, 9, 20);
const NOVEMBER = Date.UTC(2026, 10, 20);
const SERIES = 'd/temperature';

/** As the hub does it, which is no root: nothing else runs meanwhile. */
function asHub<Result>(work: () => Result): Result {
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(ROOT);
  }
}

function append({ operations }: StorageEngine, startMs: number, count = 100): void {
  const samples = Array.from({ length: count }, (_, index) => ({
    series: SERIES,
    atMs: startMs + index * 60_000,
    value: 20 + index / 10,
  }));
  operations.history.append({ epoch: 'e1', samples });
}

/** A closed hub of another user than root, with samples in two months. */
function createUsedHub(): { readonly bench: Bench; readonly month: string; readonly rows: readonly Row[] } {
  const root = makeFolder();
  chownSync(root, NOBODY, ROOT);
  const bench = createBench(root);
  const rows = asHub(() => {
    const engine = bench.open();
    engine.operations.devices.saveDevices([makeDevice(1)]);
    engine.operations.devices.saveValue(makeValue(1, 'on', true));
    for (const startMs of [OCTOBER, NOVEMBER]) append(engine, startMs);
    engine.operations.history.seal();
    const found = readRows(engine, SERIES);
    engine.close();
    return found;
  });
  return { bench, rows, month: join(bench.folders.state, 'history', '2026-11.db') };
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (cause) {
    if (cause instanceof HubError) return cause.code;
    throw cause;
  }
}

function unusableOf({ operations }: StorageEngine): unknown {
  return operations.history.readUsage().unusable;
}

const linesWith = ({ lines }: Bench, part: string): readonly string[] => lines.filter((line) => line.includes(part));

describe.skipIf(!needs('root'))('a month that is still written, and that another user', () => {
  test.each([
    ['made read-only', (month: string) => chmodSync(month, 0o400)],
    [
      'put there for all to read',
      (month: string) => {
        chownSync(month, ROOT, ROOT);
        chmodSync(month, 0o644);
      },
    ],
  ])('%s, is taken over whole', (_name, change) => {
    const { bench, month, rows } = createUsedHub();
    change(month);
    asHub(() => {
      const engine = bench.open();
      append(engine, NOVEMBER + 86_400_000, 3);
      engine.operations.history.seal();
      expect(readRows(engine, SERIES).slice(0, -3)).toEqual(rows);
      expect(readRows(engine, SERIES)).toHaveLength(203);
      expect(unusableOf(engine)).toEqual([]);
      engine.close();
    });
    expect(statSync(month)).toMatchObject({ uid: NOBODY, mode: 0o100600 });
    expect(linesWith(bench, 'took it over')).toHaveLength(1);
    expect(readdirSync(bench.folders.state)).not.toContain('corrupt');
  });

  test('keeps for itself, is a gap and is said until the rights are right, and nothing is lost', async () => {
    const { bench, month, rows } = createUsedHub();
    chownSync(month, ROOT, ROOT);
    const engine = asHub(() => bench.open());
    asHub(() => {
      append(engine, NOVEMBER + 86_400_000, 3);
      expect(unusableOf(engine)).toEqual([{ file: '2026-11', reason: 'not_permitted' }]);
      const found = readRows(engine, SERIES);
      expect(found.slice(0, 100)).toEqual(rows.slice(0, 100));
      expect(found[100]).toEqual([rows[100]?.[0], { gap: 'lost' }]);
      expect(found).toHaveLength(104);
      expect(codeOf(engine.operations.history.seal)).toBe('STORAGE_UNAVAILABLE');
    });
    // The hub itself tries each six hours.
    process.seteuid?.(NOBODY);
    try {
      for (const day of [2, 3]) {
        await bench.time.advance(6.5 * 3_600_000);
        append(engine, NOVEMBER + day * 86_400_000, 1);
        await bench.time.advance(60_000);
      }
    } finally {
      process.seteuid?.(ROOT);
    }
    expect(bench.failures).toEqual([]);
    expect(linesWith(bench, 'is left alone')).toHaveLength(1);
    expect(linesWith(bench, 'history cannot be written and waits in the journal')).toHaveLength(2);
    expect(engine.operations.history.readUsage()).toMatchObject({ waitingSamples: 5, pausedSinceMs: null });

    chownSync(month, NOBODY, ROOT);
    asHub(() => {
      expect(unusableOf(engine)).toEqual([]);
      engine.operations.history.seal();
      expect(readRows(engine, SERIES).slice(0, 200)).toEqual(rows);
      expect(readRows(engine, SERIES)).toHaveLength(205);
      engine.close();
    });
    expect(linesWith(bench, 'can be used again')).toHaveLength(1);
  });
});

describe.skipIf(!needs('root'))('a file of history that the hub may not use', () => {
  test('is no reason not to start, also where a file of another user is new, or the whole folder is', () => {
    const { bench, month, rows } = createUsedHub();
    const folder = dirname(month);
    chownSync(folder, ROOT, ROOT);
    asHub(() => {
      const engine = bench.open();
      expect(unusableOf(engine)).toEqual([{ file: 'history', reason: 'not_permitted' }]);
      append(engine, NOVEMBER + 86_400_000, 3);
      expect(codeOf(engine.operations.history.seal)).toBe('STORAGE_UNAVAILABLE');
      expect(readRows(engine, SERIES).filter(([, value]) => typeof value === 'number')).toHaveLength(3);
      expect(engine.operations.devices.loadValuePage(0).items).toEqual([makeValue(1, 'on', true)]);
      engine.close();
    });
    chownSync(folder, NOBODY, ROOT);
    asHub(() => {
      const engine = bench.open();
      expect(readRows(engine, SERIES).slice(0, 200)).toEqual(rows);
      expect(readRows(engine, SERIES)).toHaveLength(203);
      engine.close();
    });
    expect(bench.failures).toEqual([]);
  });

  test('is a gap where the file is mounted read-only, and its samples wait', () => {
    const { bench, month, rows } = createUsedHub();
    mountFileReadOnly(month);
    asHub(() => {
      const engine = bench.open();
      append(engine, NOVEMBER + 86_400_000, 3);
      expect(codeOf(engine.operations.history.seal)).toBe('STORAGE_UNAVAILABLE');
      expect(unusableOf(engine)).toEqual([{ file: '2026-11', reason: 'not_permitted' }]);
      expect(readRows(engine, SERIES).slice(0, 100)).toEqual(rows.slice(0, 100));
      expect(readRows(engine, SERIES)).toHaveLength(104);
      engine.close();
    });
  });
});

test('a file of another hub is said once, and is unusable until it is gone', () => {
  const bench = createBench();
  const other = createBench();
  for (const { open } of [bench, other]) {
    const engine = open();
    append(engine, NOVEMBER);
    engine.operations.history.seal();
    engine.close();
  }
  const foreign = join(bench.folders.state, 'history', '2026-09.db');
  cpSync(join(other.folders.state, 'history', '2026-11.db'), foreign);
  const engine = bench.open();
  readRows(engine, SERIES);
  expect(unusableOf(engine)).toEqual([{ file: '2026-09', reason: 'other_hub' }]);
  expect(linesWith(bench, 'is left alone')).toHaveLength(1);
  rmSync(foreign);
  expect(unusableOf(engine)).toEqual([]);
});
