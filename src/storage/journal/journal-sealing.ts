import type { LastStretch, SampleIntake } from '#storage/samples/sample-intake.ts';
import type { Month, Segment } from '#storage/samples/segment.ts';
import type { LateHours } from './late-hours.ts';
import type { WaitingSamples } from '#storage/samples/waiting-samples.ts';
import type { Database } from '#storage/engine/database.ts';
import { insertSegment, noteLastTick, putAbout, readAbout } from './journal-tables.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { SeriesNames, SeriesRow } from './series-names.ts';

/** Samples move into the files of months with these parts of the journal. */
export type JournalSealing = {
  /** The series of this name; one without a description gets this one. */
  readonly takeSeries: (row: Omit<SeriesRow, 'number'>) => SeriesRow;
  /** Takes over segments of a journal that was lost, so that later ones come after them. */
  readonly adoptSegments: (stretches: readonly LastStretch[]) => void;
  /** Writes new series and segments together with what else `write` does to the file. */
  readonly write: (write: () => void) => void;
  /** The months that were getting what waited when the last run ended. */
  readonly monthsInSeal: () => readonly Month[];
  /** Notes that these months get all that waits, and returns the row up to which it is in the journal. */
  readonly beginSeal: (months: () => readonly Month[]) => number;
  /** Whether a seal began that the disk did not let end. */
  readonly isInSeal: () => boolean;
  /** Deletes the rows that were sealed, and writes the traces that wait, together with what else `write` does to the file. */
  readonly finishSeal: (row: number, write: () => void) => void;
};

type SealingDeps = {
  readonly file: Database;
  readonly series: SeriesNames;
  readonly late: Pick<LateHours, 'write' | 'noteWritten'>;
  readonly runs: Pick<KeptRuns, 'write' | 'clear'>;
  readonly segments: Map<number, Segment>;
  readonly samples: WaitingSamples;
  readonly intake: SampleIntake;
  readonly lastRow: () => number;
};

/** Months that are getting what waits: after a power cut they may have it already. */
const SEALING = 'sealing';
/** The last row that was sealed: later ones have higher numbers. */
const LAST_ROW = 'sealed_to';

export function monthsInSeal(file: Database): readonly Month[] {
  return JSON.parse(readAbout(file, SEALING) ?? '[]') as readonly Month[];
}

export function rowSealedTo(file: Database): number {
  return Number(readAbout(file, LAST_ROW) ?? 0);
}

export function createJournalSealing(deps: SealingDeps): JournalSealing {
  const { file, series, late, runs, segments, samples, intake, lastRow } = deps;
  let unfinished: number | undefined;
  let adopted: LastStretch[] = [];
  return {
    takeSeries: ({ name, kind, unit }) => {
      const known = series.take(name);
      if (known.kind === null && kind !== null) series.describe([{ name, kind, unit }]);
      return known;
    },
    adoptSegments: (stretches) => {
      for (const { segment, lastTick } of stretches) {
        // A segment over the end of a month is in both.
        const known = segments.get(segment.number) ?? segment;
        segments.set(known.number, known);
        adopted.push({ segment: known, lastTick });
        intake.adopt({ segment: known, lastTick });
      }
    },
    write: (write) => {
      file.transaction(() => {
        series.write();
        for (const segment of intake.begun()) insertSegment(file, segment);
        for (const { segment, lastTick } of adopted) {
          insertSegment(file, segment);
          noteLastTick(file, segment, lastTick);
        }
        late.write();
        write();
      });
      adopted = [];
      intake.noteWritten();
      series.noteWritten();
      late.noteWritten();
    },
    monthsInSeal: () => monthsInSeal(file),
    beginSeal: (months) => {
      if (unfinished !== undefined) return unfinished;
      // A seal that the last run began may have reached months of which nothing waits here any more.
      putAbout(file, SEALING, JSON.stringify([...new Set([...monthsInSeal(file), ...months()])]));
      samples.freeze();
      unfinished = lastRow();
      return unfinished;
    },
    isInSeal: () => unfinished !== undefined,
    finishSeal: (row, write) => {
      const { segment, lastTick } = intake.last() ?? {};
      file.transaction(() => {
        file.run('DELETE FROM flushed WHERE number <= ?', [row]);
        putAbout(file, LAST_ROW, String(row));
        putAbout(file, SEALING, '[]');
        if (segment !== undefined && lastTick !== undefined) noteLastTick(file, segment, lastTick);
        runs.write();
        write();
      });
      runs.clear();
      samples.dropFrozen();
      unfinished = undefined;
    },
  };
}
