import type { NumberedSample } from '#core/past/history/history-store.ts';
import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

export type Row = readonly [sinceNowMs: number, value: SampleValue | GapMark];

/** All samples of a series, with their times since NOW_MS. */
export function readRows({ operations }: Pick<StorageEngine, 'operations'>, series: string): Row[] {
  const rows: Row[] = [];
  const range = { series, fromMs: -Infinity, toMs: Infinity };
  for (let after: number | null = null; ;) {
    const { timesMs, values, gaps, next } = operations.history.readSlice(range, after);
    for (const [index, value] of values.entries()) {
      const sample = value ?? gaps.get(index);
      if (sample === undefined) throw new Error('a sample has neither a value nor a gap');
      rows.push([(timesMs[index] ?? 0) - NOW_MS, sample]);
    }
    if (next === null) return rows;
    after = next;
  }
}

/** All samples by number, read in parts. */
export function readNumbers({ operations }: Pick<StorageEngine, 'operations'>, from = 0): NumberedSample[] {
  const found: NumberedSample[] = [];
  for (let next = from; ;) {
    const part = operations.history.readNumbered(next);
    found.push(...part.samples);
    if (part.isEnd) return found;
    if (part.next <= next) throw new Error('reading by number does not go on');
    ({ next } = part);
  }
}
