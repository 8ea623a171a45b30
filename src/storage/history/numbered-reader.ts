import type { NumberedSample, NumberedSamples } from '#core/history/history-store.ts';
import type { Journal } from '#storage/journal/journal.ts';
import { numberOf, placeOf, TICK_MS, type Segment } from './segment.ts';

/** A part ends with the tick that reaches this size. */
const PART_SAMPLES = 5_000;

/** The samples from a number on, in whole ticks: the first of a tick is never in another part than the last. */
export function readNumbered(journal: Journal, from: number): NumberedSamples {
  const end = journal.closeTicks();
  const safe = journal.safeNumber();
  const segments = journal.segments().toSorted((left, right) => left.number - right.number);
  const samples: NumberedSample[] = [];
  for (const [index, segment] of segments.entries()) {
    const nextBase = segments[index + 1]?.base ?? Infinity;
    if (nextBase <= from) continue;
    const ticks = ticksOf(journal, segment, placeOf(segment, from).tick);
    for (const [tick, entries] of ticks) {
      for (const [rank, { series, value }] of entries.entries()) {
        const number = numberOf(segment, tick, rank);
        const atMs = tick * TICK_MS + journal.shiftOf(segment.epoch);
        if (number >= from) samples.push({ series, atMs, value, number });
      }
      if (samples.length >= PART_SAMPLES) {
        const next = numberOf(segment, tick + 1);
        return { samples, next, safe, isEnd: next >= end };
      }
    }
  }
  return { samples, next: Math.max(from, end), safe, isEnd: true };
}

type Entry = Pick<NumberedSample, 'series' | 'value'>;

/** The samples of a segment from a tick on, by tick; those of one tick in the order of their series' numbers. */
function ticksOf(journal: Journal, { number }: Segment, fromTick: number): [number, Entry[]][] {
  const byTick = new Map<number, Entry[]>();
  for (const series of [...journal.samples.series()].toSorted((left, right) => left - right)) {
    const name = journal.series.byNumber(series)?.name ?? '';
    for (const chunk of journal.samples.chunksOf(series)) {
      if (chunk.segment.number !== number || chunk.lastTick < fromTick) continue;
      const { ticks, values } = chunk.read();
      for (const [index, tick] of ticks.entries()) {
        const value = values[index];
        if (tick < fromTick || value === undefined) continue;
        const entries = byTick.get(tick);
        if (entries === undefined) byTick.set(tick, [{ series: name, value }]);
        else entries.push({ series: name, value });
      }
    }
  }
  return [...byTick].toSorted(([left], [right]) => left - right);
}
