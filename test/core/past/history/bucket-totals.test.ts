import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { bucketStarts, createGaugeTotals, createStateTotals } from '#core/past/history/bucket-totals.ts';
import { createM4 } from '#core/past/history/chart.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createStepLine } from '#core/past/history/step-line.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const MINUTE_MS = 60_000;
const TICK_MS = 10_000;
const UTC = createTimeZone('UTC');
const EDGES = createBucketEdges('1m', UTC);

/** Samples at whole ticks within half an hour, with gaps; some share a tick. */
const series = fc
  .array(
    fc.tuple(fc.nat(180), fc.oneof({ weight: 4, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.constant(null) })),
  )
  .map((rows) =>
    rows
      .sort(([left], [right]) => left - right)
      .map(([tick, value]): Sample => ({ atMs: tick * TICK_MS, value: value ?? { gap: 'offline' } })),
  );
const range = fc
  .tuple(fc.nat(180), fc.nat(180))
  .filter(([from, to]) => from !== to)
  .map(([one, other]) => ({ fromMs: Math.min(one, other) * TICK_MS, toMs: Math.max(one, other) * TICK_MS }));

function cut(
  all: readonly Sample[],
  fromMs: number,
  toMs: number,
): { before: Sample | null; samples: readonly Sample[] } {
  return {
    before: all.findLast(({ atMs }) => atMs < fromMs) ?? null,
    samples: all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
  };
}

/** The value in the tick that begins here, found by looking at every sample. */
function valueAt(all: readonly Sample[], atMs: number): number | null {
  const held = all.findLast((sample) => sample.atMs <= atMs)?.value;
  return typeof held === 'number' ? held : null;
}

function ticks(fromMs: number, toMs: number): number[] {
  return Array.from({ length: (toMs - fromMs) / TICK_MS }, (_, index) => fromMs + index * TICK_MS);
}

/** The buckets of both kinds that the line of these samples gives. */
function bucketsOf(before: Sample | null, samples: readonly Sample[], range: { fromMs: number; toMs: number }) {
  const gauges = createGaugeTotals(EDGES);
  const states = createStateTotals(EDGES);
  const line = createStepLine(range, before, (piece) => {
    gauges.add(piece);
    states.add(piece);
  });
  for (const sample of samples) line.add(sample);
  line.end();
  const starts = bucketStarts(EDGES, range.fromMs, range.toMs);
  return { starts, gauges: starts.map(gauges.bucketAt), states: starts.map(states.bucketAt) };
}

describe('buckets of a step line', () => {
  test('are those of a scan of every tick', () => {
    fc.assert(
      fc.property(series, range, (all, { fromMs, toMs }) => {
        const { before, samples } = cut(all, fromMs, toMs);
        const { starts, gauges, states } = bucketsOf(before, samples, { fromMs, toMs });
        for (const [index, atMs] of starts.entries()) {
          const inside = { fromMs: Math.max(atMs, fromMs), toMs: Math.min(atMs + MINUTE_MS, toMs) };
          const held = ticks(inside.fromMs, inside.toMs).map((tick) => valueAt(all, tick));
          const known = held.filter((value) => value !== null);
          // A value that another one of the same tick replaced still was the least or greatest.
          const passing = samples
            .filter((sample) => sample.atMs >= inside.fromMs && sample.atMs < inside.toMs)
            .map(({ value }) => value)
            .filter((value) => typeof value === 'number');
          const seen = [...known, ...passing];
          const gauge = gauges[index];
          expect(gauge).toMatchObject({
            atMs,
            knownMs: known.length * TICK_MS,
            min: seen.length === 0 ? null : Math.min(...seen),
            max: seen.length === 0 ? null : Math.max(...seen),
          });
          const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
          // Without time of its own, a value that only passed is all that there is.
          expect(gauge?.mean ?? 0).toBeCloseTo(known.length > 0 ? mean : (passing.at(-1) ?? 0), 9);
          const seconds = new Map<number, number>(passing.map((value) => [value, 0]));
          for (const value of known) seconds.set(value, (seconds.get(value) ?? 0) + TICK_MS);
          expect(states[index]?.heldMs ?? new Map()).toEqual(seconds);
        }
      }),
      searchOf(5000),
    );
  });

  test('a bucket in a gap says that nothing is known', () => {
    const samples: Sample[] = [
      { atMs: 0, value: 20 },
      { atMs: MINUTE_MS, value: { gap: 'offline' } },
      { atMs: 2 * MINUTE_MS, value: 22 },
    ];
    const whole = { fromMs: 0, toMs: 3 * MINUTE_MS };
    const { gauges, states } = bucketsOf(null, samples, whole);
    expect(gauges).toEqual([
      { atMs: 0, knownMs: MINUTE_MS, min: 20, max: 20, mean: 20, first: 20, last: 20, samples: 1 },
      { atMs: MINUTE_MS, knownMs: 0, min: null, max: null, mean: null, first: null, last: null, samples: 0 },
      { atMs: 2 * MINUTE_MS, knownMs: MINUTE_MS, min: 22, max: 22, mean: 22, first: 22, last: 22, samples: 1 },
    ]);
    expect(states[1]).toEqual({
      atMs: MINUTE_MS,
      knownMs: 0,
      heldMs: null,
      changes: 0,
      samples: 0,
    });
  });

  test('a change at the very beginning of the range counts', () => {
    const range = { fromMs: 0, toMs: MINUTE_MS };
    expect(bucketsOf({ atMs: -1, value: 'off' }, [{ atMs: 0, value: 'on' }], range).states).toEqual([
      { atMs: 0, knownMs: MINUTE_MS, heldMs: new Map([['on', MINUTE_MS]]), changes: 1, samples: 1 },
    ]);
  });
});

describe('M4', () => {
  /** For each pixel column: the least and the greatest value of the line in it, and the one that leaves it. */
  function rendered(points: readonly { atMs: number; value: unknown }[], columns: number, widthMs: number) {
    return Array.from({ length: columns }, (_, column) => {
      const values = points
        .filter(({ atMs }) => Math.floor((atMs * columns) / widthMs) === column)
        .map(({ value }) => Number(value));
      return values.length === 0 ? null : [values[0], Math.min(...values), Math.max(...values), values.at(-1)];
    });
  }

  test('draws the line that all samples draw, with at most four points a column', () => {
    const samples = fc
      .array(fc.tuple(fc.nat(9999), fc.integer()), { maxLength: 300 })
      .map((rows) => rows.sort(([left], [right]) => left - right).map(([atMs, value]) => ({ atMs, value })));
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 60 }), (points, columns) => {
        const thinner = createM4(0, 10_000, columns);
        for (const point of points) thinner.add(point);
        const thinned = thinner.end();
        expect(thinned.length).toBeLessThanOrEqual(4 * columns);
        expect(thinned.every((point) => points.includes(point as (typeof points)[number]))).toBe(true);
        expect(rendered(thinned, columns, 10_000)).toEqual(rendered(points, columns, 10_000));
      }),
      searchOf(5000),
    );
  });
});
