import type {
  DeletionRange,
  HistoryLimits,
  HistoryUsage,
  MonthUse,
  NewSample,
  NumberedSamples,
  NumberPlace,
  SampleBatch,
  SampleRange,
  SampleSlice,
  SeriesPage,
  SeriesSummary,
} from '#core/past/history/history-store.ts';
import { RUN_SERIES, type Sample, type SeriesDescription } from '#core/past/history/sample.ts';
import type { JournalWriter } from './journal-writer.ts';
import { defer, post, read, write } from '#storage/tables/operation.ts';
import { deleteSamples, eraseDeleted, forgetMonths, readMonthUse, readUsage } from './forgetting.ts';
import type { Database } from '#storage/engine/database.ts';
import type { History } from './history.ts';
import { locate, readNumbered } from './numbered-reader.ts';
import { HubError } from '#base/hub-error.ts';
import type { Journal } from '#storage/journal/journal.ts';

type HistoryDeps = { readonly history: History; readonly writer: JournalWriter; readonly database: Database };

/** The operations of `HistoryStore`. */
export function createHistoryOperations({ history, writer, database }: HistoryDeps) {
  const { journal } = history;
  return {
    describeSeries: post((descriptions: readonly SeriesDescription[]): void => {
      journal.describeSeries(descriptions);
      writer.noteAdded();
    }),
    append: post((batch: SampleBatch): void => {
      journal.addSamples(batch);
      writer.noteAdded();
    }),
    importSamples: write((descriptions: readonly SeriesDescription[], samples: readonly NewSample[]): number => {
      const { deletions } = history;
      const kept = samples.filter(({ series, atMs }) => deletions.coverOf(series).beginOf(atMs) === undefined);
      if (kept.length > 0) importSamples(journal, descriptions, kept);
      writer.flush();
      return kept.length;
    }),
    flushWithin: post((withinMs: number): void => writer.flushWithin(withinMs)),
    /** May have nothing to write, so its success does not show that the disk accepts writes. */
    flush: defer((): void => writer.flush()),
    noteShift: write((epoch: string, shiftMs: number): void => {
      // Which month gets a sample depends on it.
      if (journal.isInSeal()) {
        writer.flush();
        history.seal();
      }
      journal.noteShift(epoch, shiftMs);
    }),
    listEpochs: read((): readonly { readonly epoch: string; readonly shiftMs: number }[] => {
      const epochs = new Set(journal.segments().map(({ epoch }) => epoch));
      return [...epochs].map((epoch) => ({ epoch, shiftMs: journal.shiftOf(epoch) }));
    }),
    findSeries: read((name: string): SeriesSummary | null => history.findSeries(name)),
    listSeries: read((after: string | null): SeriesPage => history.listSeries(after)),
    readSlice: read((range: SampleRange, afterMs: number | null): SampleSlice => history.readSlice(range, { afterMs })),
    findBefore: read((series: string, atMs: number): Sample | null => history.findBefore(series, atMs)),
    readNumbered: read((from: number): NumberedSamples => readNumbered(history, from)),
    locate: read((atMs: number): NumberPlace => locate(history, atMs)),
    deleteSamples: write((ranges: readonly DeletionRange[]): void => deleteSamples(history, ranges)),
    /** May have nothing to write. */
    eraseDeleted: read((): boolean => {
      writer.flush();
      return eraseDeleted(history);
    }),
    scrub: write((): void => {
      writer.flush();
      history.scrub();
    }),
    forgetMonths: write((limits: HistoryLimits): readonly string[] => forgetMonths(history, limits)),
    readUsage: read((): HistoryUsage => readUsage(history)),
    readMonthUse: read((atMs: number): MonthUse => readMonthUse(history, database, atMs)),
    /** Moves everything into the files of months now, as it happens every six hours. */
    seal: write((): void => {
      writer.flush();
      history.seal();
    }),
  };
}

/** Counts its times as the hub does: no synchronisation of a clock moves them. */
const IMPORTED = 'imported';

/**
 * Adds samples of the past to the journal, from where they reach the files of their months like all others. The last sample
 * comes again after them in the same flush: a start after a power cut takes the newest one for the end of the last run.
 */
function importSamples(
  journal: Journal,
  descriptions: readonly SeriesDescription[],
  samples: readonly NewSample[],
): void {
  if (journal.pausedSinceMs() !== null) {
    throw new HubError('STORAGE_UNAVAILABLE', 'The disk takes no samples at the moment.');
  }
  const lastMs = journal.lastSampleMs();
  const last = journal
    .segments()
    .reduce<{ number: number; epoch: string } | undefined>(
      (latest, segment) => (latest === undefined || segment.number > latest.number ? segment : latest),
      undefined,
    );
  journal.describeSeries(descriptions);
  journal.addSamples({ epoch: IMPORTED, samples });
  if (lastMs === null || last === undefined) return;
  const atMs = lastMs - journal.shiftOf(last.epoch);
  journal.addSamples({ epoch: last.epoch, samples: [{ series: RUN_SERIES, atMs, value: true }] });
}
