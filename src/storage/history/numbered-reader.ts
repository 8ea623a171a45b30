import type { NumberedSample, NumberedSamples, NumberPlace } from '#core/past/history/history-store.ts';
import type { History } from './history.ts';
import { listBlocksBetween, readBlock, firstTickFrom } from './month-file.ts';
import { numberOf, placeOf, TICK_MS, type Segment, type Samples } from '#storage/samples/segment.ts';

/** About how many samples a part has. */
const PART_SAMPLES = 5_000;
const MAX_WINDOW_TICKS = 36_000;
const MIN_WINDOW_TICKS = 600;

type Parts = Pick<History, 'journal' | 'shelf' | 'catalog' | 'deletions' | 'isHalfDone'>;

/** The samples from a number on, in whole ticks: the first of a tick is never in another part than the last. */
export function readNumbered(history: Parts, from: number): NumberedSamples {
  const { journal } = history;
  const end = journal.closeTicks();
  const safe = journal.safeNumber();
  const forgotten = history.catalog.forgotten();
  if (from > end) return { samples: [], next: end, safe, isEnd: true, isCutBack: true, hidden: 0, forgotten };
  const segments = inOrder(journal);
  for (const [index, segment] of segments.entries()) {
    const nextBase = segments[index + 1]?.base ?? Infinity;
    if (nextBase <= from) continue;
    const place = placeOf(segment, from);
    const fromTick = nextTick(history, segment, place.tick);
    if (fromTick === undefined) continue;
    const toTick = fromTick + windowOf(history, segment) - 1;
    const found = readWindow(history, segment, { fromTick, toTick }).filter(({ number }) => number >= from);
    const samples = found.filter((sample) => !isDeleted(history, sample));
    const next = Math.min(numberOf(segment, toTick + 1), nextBase, end);
    return { samples, next, safe, isEnd: next >= end, hidden: found.length - samples.length, forgotten };
  }
  return { samples: [], next: end, safe, isEnd: true, hidden: 0, forgotten };
}

/** The number from which to read what happened from this moment on. */
export function locate(history: Parts, atMs: number): NumberPlace {
  const { journal } = history;
  const end = journal.closeTicks();
  const starts = inOrder(journal).flatMap((segment) => {
    const asked = Math.ceil((atMs - journal.shiftOf(segment.epoch)) / TICK_MS);
    const tick = nextTick(history, segment, Math.max(asked, segment.firstTick));
    return tick === undefined ? [] : [numberOf(segment, tick)];
  });
  const from = starts.reduce((least, start) => Math.min(least, start), end);
  return { from: Math.min(from, journal.safeNumber()), end };
}

function inOrder(journal: Pick<History['journal'], 'segments'>): readonly Segment[] {
  return journal.segments().toSorted((left, right) => left.number - right.number);
}

/** The first tick from this one on that has a sample of the segment. */
function nextTick({ journal, shelf, catalog }: Parts, segment: Segment, fromTick: number): number | undefined {
  const found: number[] = [];
  for (const { month, lastTick } of catalog.ofEpoch(segment.epoch)) {
    if (lastTick < fromTick) continue;
    const tick = shelf.read(month, (file) => firstTickFrom(file, segment.number, fromTick));
    if (tick !== undefined && tick !== null) found.push(Math.max(fromTick, tick));
    if (tick === fromTick) break;
  }
  for (const series of journal.samples.series()) {
    for (const chunk of journal.samples.chunksOf(series)) {
      if (chunk.segment.number !== segment.number || chunk.lastTick < fromTick) continue;
      found.push(chunk.read().ticks.find((tick) => tick >= fromTick) ?? chunk.lastTick);
    }
  }
  return found.length === 0 ? undefined : found.reduce((least, tick) => Math.min(least, tick));
}

/** How many ticks have about as many samples as a part shall have. */
function windowOf({ catalog }: Parts, { epoch }: Segment): number {
  const months = catalog.ofEpoch(epoch);
  const ticks = months.reduce((sum, { firstTick, lastTick }) => sum + lastTick - firstTick + 1, 0);
  const count = months.reduce((sum, month) => sum + month.count, 0);
  const wanted = Math.floor((PART_SAMPLES * ticks) / Math.max(1, count));
  return Math.max(MIN_WINDOW_TICKS, Math.min(MAX_WINDOW_TICKS, wanted));
}

type Window = { readonly fromTick: number; readonly toTick: number };

function readWindow(history: Parts, segment: Segment, window: Window): NumberedSample[] {
  const { journal, shelf, catalog, isHalfDone } = history;
  const byTick = new Map<number, Entry[]>();
  const add = (series: string, rank: number, { ticks, values }: Samples): void => {
    for (const [index, tick] of ticks.entries()) {
      const value = values[index];
      if (tick < window.fromTick || tick > window.toTick || value === undefined) continue;
      const entries = byTick.get(tick);
      if (entries === undefined) byTick.set(tick, [{ series, rank, value }]);
      else entries.push({ series, rank, value });
    }
  };
  const rankOf = (name: string): number => journal.series.find(name)?.number ?? 0;
  for (const { month, firstTick, lastTick } of catalog.ofEpoch(segment.epoch)) {
    if (lastTick < window.fromTick || firstTick > window.toTick) continue;
    shelf.read(month, (file) => {
      for (const block of listBlocksBetween(file, segment.number, window)) {
        if (!isHalfDone(month, block.number)) add(block.name, rankOf(block.name), readBlock(file, block));
      }
    });
  }
  for (const series of journal.samples.series()) {
    const name = journal.series.byNumber(series)?.name ?? '';
    for (const chunk of journal.samples.chunksOf(series)) {
      if (chunk.segment.number === segment.number) add(name, series, chunk.read());
    }
  }
  return numbered([...byTick], segment, journal.shiftOf(segment.epoch));
}

function isDeleted({ deletions }: Parts, { series, atMs }: NumberedSample): boolean {
  return deletions.coverOf(series).beginOf(atMs) !== undefined;
}

type Entry = Pick<NumberedSample, 'series' | 'value'> & { readonly rank: number };

/** Within a tick samples are in the order of their series' numbers, which the journal keeps for ever. */
function numbered(ticks: [number, Entry[]][], segment: Segment, shiftMs: number): NumberedSample[] {
  return ticks
    .toSorted(([left], [right]) => left - right)
    .flatMap(([tick, entries]) =>
      entries
        .toSorted((left, right) => left.rank - right.rank)
        .map(({ series, value }, rank) => ({
          series,
          value,
          atMs: tick * TICK_MS + shiftMs,
          number: numberOf(segment, tick, rank),
        })),
    );
}
