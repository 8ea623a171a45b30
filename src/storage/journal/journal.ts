import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { MovedSample, SampleBatch } from '#core/past/history/history-store.ts';
import type { SeriesDescription } from '#core/past/history/sample.ts';
import { createSampleIntake, type LastStretch } from '#storage/samples/sample-intake.ts';
import { monthAt, TICK_MS, type Segment } from '#storage/samples/segment.ts';
import { openLateHours, type LateHours } from './late-hours.ts';
import { createWaitingSamples, type WaitingSamples } from '#storage/samples/waiting-samples.ts';
import type { Database } from '#storage/engine/database.ts';
import { brokenDisk } from '#storage/engine/storage-failure.ts';
import { putMetaRow } from '#storage/tables/meta-table.ts';
import { createJournalSealing, monthsInSeal, rowSealedTo, type JournalSealing } from './journal-sealing.ts';
import { createMergeLoad, putMarks, type Mark, type MergeLoad } from './journal-merge.ts';
import { insertRow, loadRows, loadSegments, loadShifts, readAbout, saveShift } from './journal-tables.ts';
import { createBatchQueue } from './batch-queue.ts';
import { createKeptEntries, type KeptEntries } from './kept-entries.ts';
import { createKeptRuns, type KeptRuns } from './kept-runs.ts';
import { createSamplePause } from './sample-pause.ts';
import { openSeriesNames, type SeriesNames } from './series-names.ts';
import { createWaitingRow, type WaitingRow } from './waiting-row.ts';

/** The open journal: what waits for its flush, and what is flushed and not sealed yet. */
export type Journal = JournalMeta &
  JournalSealing &
  Pick<WaitingRow, 'addValue' | 'addTouches' | 'forgetTouches'> & {
    readonly id: string;
    readonly describeSeries: (descriptions: readonly SeriesDescription[]) => void;
    /** Returns how many samples cannot be kept: their value is no finite number, or their time is no time. */
    readonly addSamples: (batch: SampleBatch) => void;
    /** Since when samples are dropped, because too many wait for a disk that takes none. */
    readonly pausedSinceMs: () => number | null;
    /** Writes what waits in one transaction. Throws if the disk does not take it, and keeps it for the next time. */
    readonly flush: () => void;
    /** Hub time of the sample that came last; `null` if none ever came. */
    readonly lastSampleMs: () => number | null;
    /** Drops what waits, and returns how much that was: it can never be written. */
    readonly dropWaiting: () => number;
    /** About how many bytes the next flush writes. */
    readonly waitingBytes: () => number;
    /** Moves flushed last values, uses and meta into the database, where a backup finds them. */
    readonly mergeIntoDatabase: () => void;
    /** For a database that takes the place of this one: it keeps its own values, whatever the journal holds. */
    readonly settleRestored: (restored: Database) => void;
    readonly noteShift: (epoch: string, shiftMs: number) => void;
    readonly shiftOf: (epoch: string) => number;
    readonly entries: Pick<KeptEntries, 'add' | 'load'>;
    readonly runs: Omit<KeptRuns, 'write' | 'clear'>;
    readonly samples: WaitingSamples;
    readonly series: Pick<SeriesNames, 'find' | 'byNumber' | 'page'>;
    readonly late: LateHours;
    readonly segments: () => readonly Segment[];
    /** Samples with this number or a higher one are not on disk yet. */
    readonly safeNumber: () => number;
    /** Lets no later sample get a number below the returned one, so that what was read stays behind what is read next. */
    readonly closeTicks: () => number;
  };

/** Entries of meta that ride in the journal. */
type JournalMeta = {
  /** Waits for the next flush, but does not cause one. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  /** The newest entries that are not in the database yet. */
  readonly ridingMeta: () => ReadonlyMap<string, string>;
  /**
   * Writes them to the database inside the caller's transaction, so that nothing in the journal is newer than what the
   * caller writes then. Call `forgetRidingMeta` once that is committed.
   */
  readonly settleMeta: () => void;
  readonly forgetRidingMeta: () => void;
};

type JournalDeps = {
  readonly file: Database;
  readonly database: Database;
  readonly log: Log;
  /** The row of this journal up to which a month's file has its samples. */
  readonly sealedRow: (month: string, journalId: string) => number;
  readonly onMoved: (moved: readonly MovedSample[]) => void;
};

/** Opens what `file` holds, and moves what `database` does not have yet into it. `file` has the schema of the journal. */
export function openJournal(deps: JournalDeps): Journal {
  const { file, database, log } = deps;
  const [id, historyId] = [String(readAbout(file, 'id')), String(readAbout(file, 'history'))];
  const ids = { journalId: id, historyId };
  const series = openSeriesNames(file);
  const shifts = loadShifts(file);
  const waiting = createWaitingRow(series);
  const entries = createKeptEntries(file);
  const runs = createKeptRuns(file);
  const pause = createSamplePause();
  const late = openLateHours(file);
  const load = createMergeLoad(database, series, ids);
  const { samples, segments, last, ...loaded } = loadSamples({ ...deps, id, shifts }, load);
  let { lastRow } = loaded;
  let mergedRow = mergeAtStart(load, log) ? lastRow : 0;
  const intake = createSampleIntake(last, (segment) => void segments.set(segment.number, segment));
  let safe = intake.close();

  const shiftOf = (epoch: string): number => shifts.get(epoch) ?? 0;
  const queue = createBatchQueue({ ...deps, series, samples, waiting, pause, intake, noteTime: late.note, shiftOf });
  const writeWaiting = (): void => {
    if (waiting.isEmpty() && entries.isEmpty() && !series.isDirty()) return;
    const rows = waiting.rows(lastRow);
    file.transaction(() => {
      series.write();
      for (const stored of rows) insertRow(file, stored);
      late.write();
      entries.write();
    });
    late.noteWritten();
    entries.clear();
    lastRow += rows.length;
    series.noteWritten();
    waiting.clear();
    safe = intake.close();
  };
  const flush = (): void => {
    const failure = queue.takeWaiting();
    // Last values need no look at names: they do not wait for samples that do.
    writeWaiting();
    if (failure !== undefined) throw failure;
  };
  const sealing = createJournalSealing({ file, series, late, runs, segments, samples, intake, lastRow: () => lastRow });
  const meta = createJournalMeta({ database, waiting, mark: () => ({ journalId: id, row: lastRow }) });
  return {
    addValue: waiting.addValue,
    addTouches: waiting.addTouches,
    forgetTouches: waiting.forgetTouches,
    ...meta,
    ...sealing,
    adoptSegments: (stretches) => {
      sealing.adoptSegments(stretches);
      // Months are on disk.
      safe = intake.close();
    },
    id,
    describeSeries: queue.describe,
    addSamples: queue.add,
    pausedSinceMs: pause.sinceMs,
    flush,
    lastSampleMs: () => timeOfLast(intake.last(), shifts),
    dropWaiting: () => waiting.drop() + entries.clear(),
    waitingBytes: () => waiting.bytes() + entries.bytes(),
    mergeIntoDatabase: () => {
      const later = createMergeLoad(database, series, ids);
      loadRows(file, { after: mergedRow, segments }, later.add);
      later.merge();
      mergedRow = lastRow;
      meta.forgetMergedMeta();
    },
    settleRestored: (restored) => putMarks(restored, { journalId: id, row: lastRow }, ['values', 'meta']),
    noteShift: (epoch, shiftMs) => putShift({ file, segments, shifts, late, sealing }, epoch, shiftMs),
    shiftOf,
    entries,
    runs,
    samples,
    series,
    late,
    segments: () => [...segments.values()],
    safeNumber: () => safe,
    closeTicks: intake.close,
  };
}

function timeOfLast(last: LastStretch | undefined, shifts: ReadonlyMap<string, number>): number | null {
  return last === undefined ? null : last.lastTick * TICK_MS + (shifts.get(last.segment.epoch) ?? 0);
}

type ShiftDeps = Pick<JournalDeps, 'file'> & {
  readonly segments: ReadonlyMap<number, Segment>;
  readonly shifts: Map<string, number>;
  readonly late: LateHours;
  readonly sealing: Pick<JournalSealing, 'isInSeal'>;
};

/** Moves the samples of an epoch: the hours of both places must be made again. */
function putShift({ file, segments, shifts, late, sealing }: ShiftDeps, epoch: string, shiftMs: number): void {
  // Which month gets a sample depends on it.
  if (sealing.isInSeal()) throw brokenDisk(new Error('history is being sealed'));
  const ticks = [...segments.values()].filter((segment) => segment.epoch === epoch).map(({ firstTick }) => firstTick);
  const first = ticks.reduce((least, tick) => Math.min(least, tick), Infinity);
  for (const shift of [shifts.get(epoch) ?? 0, shiftMs]) late.note(first * TICK_MS + shift);
  file.transaction(() => {
    saveShift(file, epoch, shiftMs);
    late.write();
  });
  late.noteWritten();
  shifts.set(epoch, shiftMs);
}

type LoadDeps = Pick<JournalDeps, 'file' | 'sealedRow'> & {
  readonly id: string;
  readonly shifts: ReadonlyMap<string, number>;
};

type Loaded = {
  readonly samples: WaitingSamples;
  readonly segments: Map<number, Segment>;
  readonly last: LastStretch | undefined;
  readonly lastRow: number;
};

/** Reads all rows, and gives them to the merge as well. */
function loadSamples({ file, id, shifts, sealedRow }: LoadDeps, load: MergeLoad): Loaded {
  const sealing = monthsInSeal(file);
  const sealedTo = new Map(sealing.map((month) => [month, sealedRow(month, id)]));
  const samples = createWaitingSamples();
  const stretches = loadSegments(file);
  const segments = new Map(stretches.map(({ segment }) => [segment.number, segment]));
  let last = stretches.at(-1);
  const deleted = rowSealedTo(file);
  const lastRow = loadRows(file, { after: deleted, segments }, (stored) => {
    load.add(stored);
    const { segment, row } = stored;
    if (segment === null) return;
    const shiftMs = shifts.get(segment.epoch) ?? 0;
    for (const { series, tick, value } of row.samples) {
      const isSealed = sealedTo.size > 0 && (sealedTo.get(monthAt(tick, shiftMs).month) ?? 0) >= stored.number;
      if (!isSealed) samples.add(series, segment, { tick, value });
    }
    const lastTick = row.samples.at(-1)?.tick ?? 0;
    if (last?.segment === segment && lastTick > last.lastTick) last = { segment, lastTick };
  });
  return { samples, segments, last, lastRow };
}

type MetaDeps = { readonly database: Database; readonly waiting: WaitingRow; readonly mark: () => Mark };

function createJournalMeta({ database, waiting, mark }: MetaDeps): JournalMeta & { forgetMergedMeta: () => void } {
  const riding = new Map<string, string>();
  return {
    addMeta: (entries) => {
      waiting.addMeta(entries);
      for (const [key, value] of entries) riding.set(key, value);
    },
    ridingMeta: () => riding,
    settleMeta: () => {
      for (const [key, value] of riding) putMetaRow(database, key, value);
      putMarks(database, mark(), ['meta']);
    },
    forgetRidingMeta: () => {
      riding.clear();
      waiting.forgetMeta();
    },
    /** What was flushed is in the database now. */
    forgetMergedMeta: () => {
      riding.clear();
      for (const [key, value] of waiting.meta()) riding.set(key, value);
    },
  };
}

/** A full disk does not prevent the start: the newest last values are read once there is room. */
function mergeAtStart(load: MergeLoad, log: Log): boolean {
  try {
    load.merge();
    return true;
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    log.warn('the newest last values are not read yet', { cause });
    return false;
  }
}
