import type { SampleBatch } from '#core/history/history-store.ts';
import type { SeriesDescription } from '#core/history/sample.ts';
import { createSampleIntake, type LastStretch } from '#storage/history/sample-intake.ts';
import type { Segment } from '#storage/history/segment.ts';
import { createWaitingSamples, type WaitingSamples } from '#storage/history/waiting-samples.ts';
import type { Database } from '#storage/engine/database.ts';
import { decodeJournalRow, encodeJournalRow, type JournalRow, type RowSample } from './journal-row.ts';
import { openSeriesNames, type SeriesNames } from './series-names.ts';

/** The open journal: what waits for its flush, and what is flushed and not sealed yet. */
export type Journal = {
  readonly describeSeries: (descriptions: readonly SeriesDescription[]) => void;
  /** Returns how many samples cannot be kept: their value is no finite number, or their time is no time. */
  readonly addSamples: (batch: SampleBatch) => number;
  /** Writes what waits in one transaction. Throws if the disk does not take it, and keeps it for the next time. */
  readonly flush: () => void;
  /** About how many bytes the next flush writes. */
  readonly waitingBytes: () => number;
  readonly noteShift: (epoch: string, shiftMs: number) => void;
  readonly shiftOf: (epoch: string) => number;
  readonly samples: WaitingSamples;
  readonly series: Pick<SeriesNames, 'find' | 'byNumber'>;
  readonly segments: () => readonly Segment[];
  /** Samples with this number or a higher one are not on disk yet. */
  readonly safeNumber: () => number;
  /** Lets no later sample get a number below the returned one, so that what was read stays behind what is read next. */
  readonly closeTicks: () => number;
};

type Unflushed = { readonly segment: Segment; readonly sample: RowSample };

/** About what a sample takes in the journal. */
const SAMPLE_BYTES = 6;

/** `database` has the schema of the journal. */
export function openJournal(database: Database): Journal {
  const series = openSeriesNames(database);
  const segments = new Map<number, Segment>();
  const shifts = new Map<string, number>();
  const samples = createWaitingSamples();
  let unflushed: Unflushed[] = [];

  for (const { id, shift_ms: shiftMs } of database.all('SELECT id, shift_ms FROM epoch')) {
    shifts.set(String(id), Number(shiftMs));
  }
  let last: LastStretch | undefined;
  for (const stretch of loadSegments(database)) {
    segments.set(stretch.segment.number, stretch.segment);
    last = stretch;
  }
  let lastRow = loadRows(database, (segmentNumber, row) => {
    const segment = segments.get(segmentNumber);
    if (segment === undefined) return;
    for (const { series: number, tick, value } of row.samples) samples.add(number, segment, { tick, value });
    const lastTick = row.samples.at(-1)?.tick ?? 0;
    if (last?.segment === segment && lastTick > last.lastTick) last = { segment, lastTick };
  });
  const intake = createSampleIntake(last, (segment) => void segments.set(segment.number, segment));
  let safe = intake.close();

  const flush = (): void => {
    if (unflushed.length === 0 && !series.isDirty()) return;
    const rows = rowsOf(unflushed);
    database.transaction(() => {
      series.write();
      for (const { segment } of rows) writeSegment(database, segment);
      for (const [index, { segment, row }] of rows.entries()) {
        database.run('INSERT INTO flushed (number, segment, body) VALUES (?, ?, ?)', [
          lastRow + 1 + index,
          segment.number,
          encodeJournalRow(row),
        ]);
      }
    });
    lastRow += rows.length;
    series.noteWritten();
    unflushed = [];
    safe = intake.close();
  };

  return {
    describeSeries: series.describe,
    addSamples: (batch) =>
      intake.add(batch, ({ segment, series: name, tick, value }) => {
        const { number } = series.take(name);
        samples.add(number, segment, { tick, value });
        unflushed.push({ segment, sample: { series: number, tick, value } });
      }),
    flush,
    waitingBytes: () => unflushed.length * SAMPLE_BYTES,
    noteShift: (epoch, shiftMs) => {
      database.run(
        'INSERT INTO epoch (id, shift_ms) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET shift_ms = excluded.shift_ms',
        [epoch, shiftMs],
      );
      shifts.set(epoch, shiftMs);
    },
    shiftOf: (epoch) => shifts.get(epoch) ?? 0,
    samples,
    series,
    segments: () => [...segments.values()],
    safeNumber: () => safe,
    closeTicks: intake.close,
  };
}

/** One row for each segment, in their order. */
function rowsOf(unflushed: readonly Unflushed[]): { segment: Segment; row: JournalRow }[] {
  const bySegment = new Map<Segment, Unflushed[]>();
  for (const entry of unflushed) bySegment.set(entry.segment, [...(bySegment.get(entry.segment) ?? []), entry]);
  return [...bySegment].map(([segment, entries]) => {
    const samples = entries.map(({ sample }) => sample).toSorted((left, right) => left.tick - right.tick);
    return { segment, row: { samples, values: [], touches: [], meta: new Map() } };
  });
}

function writeSegment(database: Database, { number, epoch, base, firstTick }: Segment): void {
  database.run('INSERT OR IGNORE INTO segment (number, epoch, base, first_tick, last_tick) VALUES (?, ?, ?, ?, ?)', [
    number,
    epoch,
    base,
    firstTick,
    firstTick,
  ]);
}

function loadSegments(database: Database): { segment: Segment; lastTick: number }[] {
  return database.all('SELECT number, epoch, base, first_tick, last_tick FROM segment ORDER BY number').map((row) => ({
    segment: {
      number: Number(row['number']),
      epoch: String(row['epoch']),
      base: Number(row['base']),
      firstTick: Number(row['first_tick']),
    },
    lastTick: Number(row['last_tick']),
  }));
}

const ROWS_AT_ONCE = 200;

/** Reads all rows in order and returns the number of the last one. Damaged rows are left out. */
function loadRows(database: Database, use: (segment: number, row: JournalRow) => void): number {
  for (let after = 0; ;) {
    const rows = database.all('SELECT number, segment, body FROM flushed WHERE number > ? ORDER BY number LIMIT ?', [
      after,
      ROWS_AT_ONCE,
    ]);
    for (const { number, segment, body } of rows) {
      const row = body instanceof Uint8Array ? decodeJournalRow(body) : undefined;
      if (row !== undefined) use(Number(segment), row);
      after = Number(number);
    }
    if (rows.length < ROWS_AT_ONCE) return after;
  }
}
