import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StartTimer } from '#base/time/timer.ts';
import { openReadOnly, type Database } from '#storage/engine/database.ts';
import { ensureOwnFolder, SIDE_FILES, syncToDisk } from '#storage/engine/durable-file.ts';
import type { OpenDeps } from '#storage/engine/bad-files.ts';
import { CorruptDatabaseError, isOfDisk, onDisk } from '#storage/engine/storage-failure.ts';
import type { Journal } from '#storage/journal/journal.ts';
import { encodeBlocks, MAX_BLOCK_SAMPLES } from '#storage/samples/block-codec.ts';
import type { Catalog } from './catalog.ts';
import {
  addBlocks,
  closeMonth,
  listBlocks,
  listDescriptions,
  listExtents,
  loadMonthSegments,
  MONTH_MIGRATIONS,
  readBlock,
  type MonthBlock,
  type SealedSeries,
  type SeriesDescriptionRow,
} from './month-file.ts';
import { openEmptyFile } from '#storage/shelf/month-opening.ts';
import type { MonthShelf } from '#storage/shelf/month-shelf.ts';
import { monthAt, TICK_MS, type Month } from '#storage/samples/segment.ts';

type PackingDeps = OpenDeps & {
  readonly historyId: string;
  readonly journal: Journal;
  readonly shelf: MonthShelf;
  readonly catalog: Catalog;
  readonly startTimer: StartTimer;
};

/** Late samples may still come for so long. */
const SETTLED_MS = 86_400_000;
const PAUSE_MS = 100;
const COMMIT_BYTES = 262_144;
/** Larger blocks are a tenth smaller, but reading by number unpacks all blocks that a few minutes touch. */
const MAX_PACKED_SAMPLES = 2_048;
const TICKS_OF_DAY = 86_400_000 / TICK_MS;

/**
 * Packs months that are over as small as they get, and copies each once into the backups. * Works in slices of about a
 * block, between the calls of others. A power cut leaves the month as it was, because the new file takes its place in
 * one step.
 */
export function createMonthPacking(deps: PackingDeps) {
  const { log, wallMs, journal, catalog, shelf, startTimer } = deps;
  let job: Generator<undefined, void> | undefined;
  let stopTimer: (() => void) | undefined;

  const step = (): void => {
    stopTimer = undefined;
    try {
      if (job?.next().done === true) job = undefined;
      else stopTimer = startTimer(PAUSE_MS, step);
    } catch (cause) {
      job = undefined;
      if (!isOfDisk(cause)) throw cause;
      log.warn('a month of history could not be packed and is packed later', { cause });
    }
  };
  return {
    /** Begins with a month that is due, if none is under way. */
    start: (): void => {
      // The blocks of a seal that is half done are known by their numbers.
      if (job !== undefined || journal.isInSeal()) return;
      const present = monthAt((wallMs() - SETTLED_MS) / TICK_MS, 0).month;
      const files = new Set(shelf.list());
      const due = catalog.months().find((month) => month < present && files.has(month) && !catalog.isClosed(month));
      if (due === undefined) return;
      job = packMonth(deps, due);
      stopTimer = startTimer(PAUSE_MS, step);
    },
    stop: (): void => {
      stopTimer?.();
      stopTimer = undefined;
      job?.return();
      job = undefined;
    },
  };
}

/** Pauses at each `yield`. */
function* packMonth(deps: PackingDeps, month: Month): Generator<undefined, void> {
  const { paths, shelf } = deps;
  ensureOwnFolder(paths.temporary);
  const path = join(paths.temporary, 'packed-month.db');
  removeFile(path);
  const version = shelf.versionOf(month);
  const described = shelf.read(month, listDescriptions);
  if (described === undefined) return;
  const target = openEmptyFile({ ...deps, path, migrations: MONTH_MIGRATIONS });
  let isWhole = false;
  try {
    const writer = createBlockWriter(target);
    for (const series of described) {
      for (const blocks of shelf.read(month, (file) => groupByDay(listBlocks(file, series.name))) ?? []) {
        if (writer.add(shelf.read(month, (file) => packBlocks(file, series, blocks)))) yield;
      }
    }
    writer.end();
    // What it was copied from must be what it takes the place of.
    isWhole = shelf.versionOf(month) === version && shelf.read(month, (file) => closeMonth(file, target)) === true;
  } finally {
    if (isWhole) target.close();
    else target.abandon();
    if (!isWhole) removeFile(path);
  }
  if (isWhole) putInPlace(deps, month, path);
}

/** Collects blocks and commits them in parts. `add` returns whether it is time for a pause. */
function createBlockWriter(target: Database) {
  let waiting: SealedSeries[] = [];
  let bytes = 0;
  let samples = 0;
  const commit = (): void => {
    target.transaction(() => {
      for (const series of waiting) addBlocks(target, series);
    });
    waiting = [];
    bytes = 0;
  };
  return {
    add: (series: SealedSeries | undefined): boolean => {
      if (series === undefined) return false;
      waiting.push(series);
      bytes += series.blocks.reduce((sum, { data }) => sum + data.length, 0);
      samples += series.blocks.reduce((sum, { count }) => sum + count, 0);
      if (bytes >= COMMIT_BYTES) commit();
      if (samples < MAX_BLOCK_SAMPLES) return false;
      samples = 0;
      return true;
    },
    end: commit,
  };
}

/** Groups blocks of a segment that begin on the same day, as long as they do not overlap. */
function groupByDay(blocks: readonly MonthBlock[]): MonthBlock[][] {
  const groups: MonthBlock[][] = [];
  let count = 0;
  for (const block of blocks) {
    const last = groups.at(-1)?.at(-1);
    const dayOf = ({ firstTick }: MonthBlock): number => Math.floor(firstTick / TICKS_OF_DAY);
    const fits = last !== undefined && last.segment === block.segment && dayOf(last) === dayOf(block);
    count += block.count;
    if (fits && last.lastTick <= block.firstTick && count <= MAX_PACKED_SAMPLES) groups.at(-1)?.push(block);
    else {
      groups.push([block]);
      ({ count } = block);
    }
  }
  return groups;
}

function packBlocks(
  file: Database,
  series: SeriesDescriptionRow,
  blocks: readonly MonthBlock[],
): SealedSeries | undefined {
  const segment = loadMonthSegments(file).get(blocks[0]?.segment ?? 0);
  if (segment === undefined) return undefined;
  const parts = blocks.map((block) => readBlock(file, block));
  const ticks = parts.flatMap((part) => part.ticks);
  return { ...series, segment, blocks: encodeBlocks({ ticks, values: parts.flatMap((part) => part.values) }) };
}

/** Checks the new file, puts it in the place of the month and copies it into the backups. */
function putInPlace({ sqlite, journal, shelf, catalog, log }: PackingDeps, month: Month, path: string): void {
  syncToDisk(path);
  const file = openReadOnly(sqlite, path);
  const verdict = file.get('PRAGMA quick_check(1)')?.['quick_check'];
  const extents = listExtents(file);
  file.close();
  if (verdict !== 'ok') throw new CorruptDatabaseError(`a packed month is damaged: ${String(verdict)}`);
  const before = shelf.bytesOf(month);
  shelf.replace(month, path);
  journal.write(() => {
    const ofMonth = extents.map((extent) => ({ ...extent, month, series: journal.takeSeries(extent).number }));
    catalog.replaceMonth(month, ofMonth);
    catalog.setClosed(month);
  });
  log.info('a month of history was packed', { month, before, after: shelf.bytesOf(month) });
  shelf.keepCopy(month);
}

function removeFile(path: string): void {
  for (const suffix of ['', ...SIDE_FILES]) onDisk(() => rmSync(path + suffix, { force: true }));
}
