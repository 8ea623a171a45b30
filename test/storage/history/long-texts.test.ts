import { describe, expect, test } from 'vitest';
import type { NewSample } from '#core/past/history/history-store.ts';
import { createSamplePause } from '#storage/journal/sample-pause.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

const textAt = (second: number): NewSample => ({
  series: 'd/note',
  atMs: NOW_MS + second * 1_000,
  value: `${second} `.padEnd(4_096, 'text '),
});
const textsFrom = (from: number, count: number): readonly NewSample[] =>
  Array.from({ length: count }, (_, index) => textAt(from + index));
/** Half a slice of texts may come on top: those of the block that reaches its end. */
const MOST_CHARACTERS = 600_000;

describe('texts of 4,096 characters', () => {
  test('are read in slices that are small in bytes, before and after they are sealed and packed', () => {
    const bench = createBench();
    const { history } = bench.open().operations;
    const range = { series: 'd/note', fromMs: 0, toMs: Infinity };
    const readAll = (): number => {
      let count = 0;
      for (let after: number | null = null; ;) {
        const slice = history.readSlice(range, after);
        const characters = slice.values.reduce<number>((sum, value) => sum + String(value).length, 0);
        expect(characters).toBeLessThan(MOST_CHARACTERS);
        count += slice.values.length;
        if (slice.next === null) return count;
        after = slice.next;
      }
    };
    for (let from = 0; from < 1_000; from += 50) {
      history.append({ epoch: 'e1', samples: textsFrom(from, 50) });
      history.flush();
      history.seal();
    }
    expect(readAll()).toBe(1_000);
  });

  test('wait in a few megabytes while the disk takes none, and the gap says so', () => {
    const { admit, sinceMs } = createSamplePause();
    let waitingBytes = 0;
    for (let second = 0; second < 1_000; second += 1) {
      for (const { samples } of admit({ epoch: 'e1', samples: [textAt(second)] }, waitingBytes)) {
        waitingBytes += samples.length * 8_208;
      }
    }
    expect(waitingBytes).toBeLessThan(3_300_000);
    const firstMs = sinceMs() ?? 0;
    expect(firstMs).toBeGreaterThan(NOW_MS);
    const after = admit({ epoch: 'e1', samples: [textAt(1_000)] }, 0);
    const paused = { gap: 'paused' };
    // The last text of the pause is too long to wait for its end.
    expect(after.map(({ samples }) => samples.map(({ atMs, value }) => [atMs, value]))).toEqual([
      [
        [firstMs, paused],
        [NOW_MS + 999_000, paused],
      ],
      [[NOW_MS + 1_000_000, textAt(1_000).value]],
    ]);
  });
});
