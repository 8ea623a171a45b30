import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSamples, type MergedSample } from '#core/automation-replay/recorded/merged-samples.ts';
import type { RecordedSeries } from '#core/automation-replay/simulation.ts';
import { isGap } from '#core/past/history/sample.ts';
import { searchOf } from '#test/support/machine/runs.ts';

type Rank = Parameters<typeof mergeSamples>[1];

const series: fc.Arbitrary<RecordedSeries> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(1, 2, 'off', 'lost')), { maxLength: 12 })
  .map((steps) => {
    let atMs = 0;
    const timesMs = steps.map(([afterMs]) => (atMs += afterMs));
    const gaps = steps.flatMap(([, value], at) =>
      typeof value === 'string' ? [[at, { gap: value === 'off' ? 'hub_off' : 'lost' }] as const] : [],
    );
    const values = steps.map(([, value]) => (typeof value === 'string' ? null : value));
    return { name: 'one', timesMs, values, gaps: new Map(gaps) };
  });
/** The least of the first samples of all series, looked for anew each time. */
function inOrder(all: readonly RecordedSeries[], rankOf: Rank): readonly MergedSample[] {
  const left = all.map(({ timesMs, values, gaps }, at) =>
    values.map((value, place): MergedSample => {
      const found = value ?? gaps.get(place) ?? { gap: 'lost' };
      return { series: at, atMs: timesMs[place] ?? 0, value: found };
    }),
  );
  const taken: MergedSample[] = [];
  for (;;) {
    const [first] = left
      .flatMap(([head]) => (head === undefined ? [] : [head]))
      .toSorted(
        (one, other) =>
          one.atMs - other.atMs ||
          Math.sign(rankOf(one.series, one.value) - rankOf(other.series, other.value) || 0) ||
          one.series - other.series,
      );
    if (first === undefined) return taken;
    left[first.series]?.shift();
    taken.push(first);
  }
}

test('samples come by their times, then by their ranks, then by their series', () => {
  fc.assert(
    fc.property(
      fc.array(series, { maxLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 6, maxLength: 6 }),
      (all, ranks) => {
        const rankOf: Rank = (at, value) => (isGap(value) && value.gap === 'hub_off' ? Infinity : (ranks[at] ?? 0));
        const merged = mergeSamples(all, rankOf);
        const taken: MergedSample[] = [];
        for (let next = merged.nextMs(); next < Infinity; next = merged.nextMs()) {
          const peeked = merged.peek();
          const sample = merged.take();
          if (sample === undefined) break;
          expect([sample.series, sample.atMs]).toEqual([peeked, next]);
          taken.push(sample);
        }
        expect(merged.take()).toBeUndefined();
        expect(taken).toEqual(inOrder(all, rankOf));
      },
    ),
    searchOf(2_000),
  );
});
