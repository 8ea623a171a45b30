import type { Runtime } from '#base/time/runtime.ts';
import type {
  MovedSample,
  SampleRange,
  SampleSlice,
  SeriesPage,
  SeriesSummary,
} from '#core/past/history/history-store.ts';
import type { Sample } from '#core/past/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';
import type { OpenDeps } from '#storage/engine/bad-files.ts';
import { HOURS_MIGRATIONS } from '#storage/hours/hours-file.ts';
import { openJournal, type Journal } from '#storage/journal/journal.ts';
import { readAbout } from '#storage/journal/journal-tables.ts';
import { openCarriedSamples, type CarriedSamples } from './carried-samples.ts';
import { openDeletions, withoutDeleted, type Deletions } from './deletions.ts';
import { openCatalog, type Catalog, type Extent } from './catalog.ts';
import {
  lastTicksOf,
  listBlocks,
  listExtents,
  loadMonthSegments,
  MONTH_MIGRATIONS,
  readBlock,
  sealedRow,
} from './month-file.ts';
import { createMonthPacking } from './month-packing.ts';
import { createMonthShelf, type MonthShelf } from '#storage/shelf/month-shelf.ts';
import { findBefore, readSlice, type SampleSource, type SlicePlace } from './sample-reader.ts';
import { createSealing, type Sealing } from './sealing.ts';
import { TICK_MS, type Month, type Segment, type SampleChunk } from '#storage/samples/segment.ts';

/** All samples: those that wait in the journal and those in the files of months. */
export type History = {
  readonly journal: Journal;
  readonly shelf: MonthShelf;
  /** The files of hours. */
  readonly years: MonthShelf;
  readonly catalog: Catalog;
  readonly carried: CarriedSamples;
  readonly deletions: Deletions;
  /** Moves what waits in the flushed journal into the files of months, between the calls of others. */
  readonly startSeal: Sealing['start'];
  /** The same at once. */
  readonly seal: () => void;
  readonly isHalfDone: Sealing['isHalfDone'];
  readonly readSlice: (range: SampleRange, place: SlicePlace) => SampleSlice;
  readonly findBefore: (series: string, atMs: number) => Sample | null;
  readonly findSeries: (name: string) => SeriesSummary | null;
  readonly listSeries: (after: string | null) => SeriesPage;
  /** Packs what is due, as after a deletion. */
  readonly pack: () => void;
  /** Leaves nothing in unused pages and logs. */
  readonly scrub: () => void;
  readonly close: () => void;
};

type HistoryDeps = Pick<Runtime, 'log' | 'startTimer'> &
  OpenDeps & {
    readonly file: Database;
    readonly database: Database;
    readonly onMoved: (moved: readonly MovedSample[]) => void;
  };

const MONTHS = { what: 'a month of history', names: /^(\d{4}-\d{2})\.db$/, migrations: MONTH_MIGRATIONS, maxOpen: 2 };
/** A year that is lost is made anew from the samples that are left. A chart of the last year needs two. */
const YEARS = { what: 'a year of hours', names: /^(hours-\d{4})\.db$/, migrations: HOURS_MIGRATIONS, maxOpen: 2 };

/** Opens the history around the open file of the journal. It opens no month unless a power cut or a loss makes it necessary. */
export function openHistory(deps: HistoryDeps): History {
  const { file } = deps;
  const catalog = openCatalog(file);
  const carried = openCarriedSamples(file);
  const historyId = String(readAbout(file, 'history'));
  const shelf = createMonthShelf({
    ...deps,
    historyId,
    kind: MONTHS,
    onLost: catalog.lose,
    // Hours may have been made without it.
    onBack: (month) => journal.late.note(Date.parse(`${month}-01T00:00:00Z`)),
  });
  const years = createMonthShelf({ ...deps, historyId, kind: YEARS, onLost: () => undefined, onBack: () => undefined });
  const journal = openJournal({
    ...deps,
    sealedRow: (month, id) => shelf.read(month, (opened) => sealedRow(opened, id)) ?? 0,
  });
  importMonths({ journal, shelf, catalog });
  const sealing = createSealing({ ...deps, journal, shelf, catalog });
  const packing = createMonthPacking({ ...deps, historyId, journal, shelf, catalog });
  const deletions = openDeletions(file);
  const source = createSource({ journal, shelf, catalog, carried, ...sealing });
  const listed = { journal, shelf, catalog, carried, deletions };
  const visible = withoutDeleted(
    {
      readSlice: (range, place) => readSlice(source, range, place),
      findBefore: (series, atMs) => findBefore(source, series, atMs),
    },
    deletions,
  );
  return {
    journal,
    shelf,
    years,
    catalog,
    carried,
    startSeal: (onEnd) =>
      sealing.start((failure) => {
        onEnd(failure);
        if (failure === undefined) packing.start();
      }),
    seal: () => {
      sealing.finish();
      packing.start();
    },
    isHalfDone: sealing.isHalfDone,
    deletions,
    ...visible,
    pack: packing.start,
    scrub: () => {
      // The last one to close a file moves its log into it and removes the log.
      shelf.closeAll();
      years.closeAll();
      file.exec('VACUUM');
      file.all('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    findSeries: (name) => {
      const row = journal.series.find(name);
      return (row && summaryOf(listed, row)) ?? null;
    },
    listSeries: (after) => listSeries(listed, after),
    close: () => {
      sealing.stop();
      packing.stop();
      shelf.closeAll();
      years.closeAll();
    },
  };
}

type Parts = Pick<History, 'journal' | 'shelf' | 'catalog' | 'carried'>;

/** Takes in what the catalog does not know: after a power cut while a month was sealed, and after the loss of the journal. */
function importMonths({ journal, shelf, catalog }: Omit<Parts, 'carried'>): void {
  const known = new Set(catalog.months());
  const months = shelf.list().filter((month) => !known.has(month) || journal.monthsInSeal().includes(month));
  for (const month of months) {
    shelf.read(month, (file) => {
      const extents = listExtents(file).map((extent): Extent => ({
        ...extent,
        month,
        series: journal.takeSeries(extent).number,
      }));
      const lastTicks = lastTicksOf(file);
      journal.adoptSegments(
        [...loadMonthSegments(file).values()].map((segment) => ({
          segment,
          lastTick: Math.max(segment.firstTick, lastTicks.get(segment.number) ?? 0),
        })),
      );
      journal.write(() => catalog.replaceMonth(month, extents));
    });
  }
  const [oldest] = months;
  if (known.size > 0 || oldest === undefined) return;
  // The journal that was lost knew which months had been removed.
  journal.write(() => journal.late.noteRemovedTo(Date.parse(`${oldest}-01T00:00:00Z`)));
}

function createSource({
  journal,
  shelf,
  catalog,
  carried,
  isHalfDone,
}: Parts & Pick<Sealing, 'isHalfDone'>): SampleSource {
  const msOf = (epoch: string, tick: number): number => tick * TICK_MS + journal.shiftOf(epoch);
  const overlaps = (
    { firstTick, lastTick }: Pick<SampleChunk, 'firstTick' | 'lastTick'>,
    epoch: string,
    range: Range,
  ) => msOf(epoch, lastTick) >= range.fromMs && msOf(epoch, firstTick) < range.toMs;
  const chunksOfMonth = (name: string, extents: readonly Extent[], range: Range): readonly SampleChunk[] => {
    const [{ month }] = extents as [Extent];
    const chunks = shelf.read(month, (file): SampleChunk[] => {
      const segments = loadMonthSegments(file);
      return listBlocks(file, name).flatMap((block) => {
        const segment = segments.get(block.segment);
        if (segment === undefined || isHalfDone(month, block.number)) return [];
        if (!overlaps(block, segment.epoch, range)) return [];
        const read = () => shelf.read(month, (again) => readBlock(again, block)) ?? lostFrom(block.firstTick);
        return [{ ...block, segment, read }];
      });
    });
    return chunks ?? extents.map(lostChunk);
  };
  return {
    chunksOf: (name, range) => {
      const series = journal.series.find(name);
      if (series === undefined) return [];
      const others = [carried.chunkOf(series.number) ?? [], journal.samples.chunksOf(series.number)]
        .flat()
        .filter((chunk) => overlaps(chunk, chunk.segment.epoch, range));
      const ofMonth = new Map<Month, Extent[]>();
      for (const extent of catalog.ofSeries(series.number)) {
        if (!overlaps(extent, extent.epoch, range)) continue;
        ofMonth.set(extent.month, [...(ofMonth.get(extent.month) ?? []), extent]);
      }
      return [...[...ofMonth.values()].flatMap((extents) => chunksOfMonth(name, extents, range)), ...others];
    },
    startsOf: (name) => {
      const series = journal.series.find(name)?.number ?? 0;
      const others = [carried.chunkOf(series) ?? [], journal.samples.chunksOf(series)].flat();
      const starts = others.map(({ segment, firstTick }) => msOf(segment.epoch, firstTick));
      return [...starts, ...catalog.ofSeries(series).map(({ epoch, firstTick }) => msOf(epoch, firstTick))];
    },
    shiftOf: journal.shiftOf,
  };
}

type Range = { readonly fromMs: number; readonly toMs: number };

function lostFrom(tick: number): ReturnType<SampleChunk['read']> {
  return { ticks: [tick], values: [{ gap: 'lost' }] };
}

/** Stands for what the file of a month had. */
function lostChunk({ epoch, firstTick }: Extent): SampleChunk {
  const segment: Segment = { number: 0, epoch, base: 0, firstTick };
  return { segment, firstTick, lastTick: firstTick, count: 1, read: () => lostFrom(firstTick) };
}

const PAGE_SERIES = 500;

/** In the order in which the journal's file sorts names: a page costs what it has, however many series there are. */
type ListParts = Parts & { readonly deletions: Deletions };

function listSeries(parts: ListParts, after: string | null): SeriesPage {
  const { rows, next } = parts.journal.series.page(after, PAGE_SERIES);
  return { series: rows.flatMap((row) => summaryOf(parts, row) ?? []), next };
}

/** `undefined` of a series of which nothing is left. */
function summaryOf(
  { journal, catalog, carried, deletions }: ListParts,
  { number, name, kind, unit }: ReturnType<Journal['series']['page']>['rows'][number],
): SeriesSummary | undefined {
  const chunks = [carried.chunkOf(number) ?? [], journal.samples.chunksOf(number)].flat();
  const waiting = chunks.map((chunk) => ({ ...chunk, epoch: chunk.segment.epoch, bytes: 0 }));
  const extents = [...catalog.ofSeries(number), ...waiting];
  if (extents.length === 0) return undefined;
  const timesOf = (tick: 'firstTick' | 'lastTick'): number[] =>
    extents.map((extent) => extent[tick] * TICK_MS + journal.shiftOf(extent.epoch));
  const [firstMs, lastMs] = [Math.min(...timesOf('firstTick')), Math.max(...timesOf('lastTick'))];
  if (deletions.ofSeries(name).some((one) => one.fromMs <= firstMs && lastMs < one.toMs)) return undefined;
  return {
    name,
    kind: kind ?? 'state',
    unit,
    firstMs,
    lastMs,
    count: extents.reduce((sum, { count }) => sum + count, 0),
    bytes: extents.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
