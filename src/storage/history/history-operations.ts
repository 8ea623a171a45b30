import type { Log } from '#base/log.ts';
import type {
  NumberedSamples,
  SampleBatch,
  SampleRange,
  SampleSlice,
  SeriesPage,
  SeriesSummary,
} from '#core/history/history-store.ts';
import type { Sample, SeriesDescription } from '#core/history/sample.ts';
import type { Journal } from '#storage/journal/journal.ts';
import type { JournalWriter } from '#storage/journal/journal-writer.ts';
import { defer, post, read, write } from '#storage/tables/operation.ts';
import { readNumbered } from './numbered-reader.ts';
import { findBefore, readSlice, type SampleSource } from './sample-reader.ts';
import { TICK_MS } from './segment.ts';

export type HistoryDeps = { readonly journal: Journal; readonly writer: JournalWriter; readonly log: Log };

const PAGE_SERIES = 500;

/** The operations of `HistoryStore`. */
export function createHistoryOperations({ journal, writer, log }: HistoryDeps) {
  const source = createSource(journal);
  return {
    describeSeries: post((descriptions: readonly SeriesDescription[]): void => {
      journal.describeSeries(descriptions);
      writer.noteAdded();
    }),
    append: post((batch: SampleBatch): void => {
      const refused = journal.addSamples(batch);
      if (refused > 0) log.warn('samples that are no samples were dropped', { refused });
      writer.noteAdded();
    }),
    flushWithin: post((withinMs: number): void => writer.flushWithin(withinMs)),
    /** May have nothing to write, so its success does not show that the disk accepts writes. */
    flush: defer((): void => writer.flush()),
    noteShift: write((epoch: string, shiftMs: number): void => journal.noteShift(epoch, shiftMs)),
    listSeries: read((after: string | null): SeriesPage => listSeries(journal, after)),
    readSlice: read((range: SampleRange, afterMs: number | null): SampleSlice => readSlice(source, range, afterMs)),
    findBefore: read((series: string, atMs: number): Sample | null => findBefore(source, series, atMs)),
    readNumbered: read((from: number): NumberedSamples => readNumbered(journal, from)),
  };
}

function createSource(journal: Journal): SampleSource {
  return {
    chunksOf: (name, fromMs, toMs) => {
      const series = journal.series.find(name);
      if (series === undefined) return [];
      return journal.samples.chunksOf(series.number).filter(({ segment, firstTick, lastTick }) => {
        const shiftMs = journal.shiftOf(segment.epoch);
        return lastTick * TICK_MS + shiftMs >= fromMs && firstTick * TICK_MS + shiftMs < toMs;
      });
    },
    shiftOf: journal.shiftOf,
  };
}

function listSeries(journal: Journal, after: string | null): SeriesPage {
  const names = [...journal.samples.series()]
    .flatMap((number) => journal.series.byNumber(number) ?? [])
    .filter(({ name }) => after === null || name > after)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const page = names.slice(0, PAGE_SERIES).map(({ number, name, kind, unit }): SeriesSummary => {
    const chunks = journal.samples.chunksOf(number);
    const timesOf = (tick: 'firstTick' | 'lastTick') =>
      chunks.map((chunk) => chunk[tick] * TICK_MS + journal.shiftOf(chunk.segment.epoch));
    return {
      name,
      kind: kind ?? 'state',
      unit,
      firstMs: Math.min(...timesOf('firstTick')),
      lastMs: Math.max(...timesOf('lastTick')),
      count: journal.samples.countOf(number),
      bytes: 0,
    };
  });
  return { series: page, next: names.length > PAGE_SERIES ? (page.at(-1)?.name ?? null) : null };
}
