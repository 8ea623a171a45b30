import type { Runtime } from '#base/time/runtime.ts';
import { isOfDisk } from '#storage/engine/storage-failure.ts';
import type { Journal } from '#storage/journal/journal.ts';
import { encodeBlocks } from '#storage/samples/block-codec.ts';
import type { Catalog, Extent } from './catalog.ts';
import { lastBlock, sealedRow, sealIntoMonth, type SealedSeries } from './month-file.ts';
import type { MonthShelf } from '#storage/shelf/month-shelf.ts';
import { monthAt, type Month, type SampleChunk, type Samples } from '#storage/samples/segment.ts';

type SealingDeps = Pick<Runtime, 'log' | 'startTimer'> & {
  readonly journal: Journal;
  readonly shelf: MonthShelf;
  readonly catalog: Catalog;
};

export type Sealing = ReturnType<typeof createSealing>;

const PAUSE_MS = 5;
/** About 10 ms here, and 50 ms on a slow computer. */
const SLICE_SAMPLES = 8_192;

type Job = {
  readonly steps: Generator<undefined, void>;
  readonly onEnd: (failure?: { readonly cause: unknown }) => void;
};

export function createSealing(deps: SealingDeps) {
  const half: HalfDone = new Map();
  let job: Job | undefined;
  let stopTimer: (() => void) | undefined;
  const disarm = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  /** Returns whether that was the last step. */
  const step = ({ steps, onEnd }: Job): boolean => {
    try {
      if (steps.next().done !== true) return false;
    } catch (cause) {
      job = undefined;
      onEnd({ cause });
      throw cause;
    }
    job = undefined;
    onEnd();
    return true;
  };
  const runToEnd = (whole: Job): void => {
    for (let isOver = false; !isOver;) isOver = step(whole);
  };
  const goOn = (): void => {
    stopTimer = undefined;
    if (job === undefined) return;
    try {
      if (!step(job)) stopTimer = deps.startTimer(PAUSE_MS, goOn);
    } catch (cause) {
      // `onEnd` got it.
      if (!isOfDisk(cause)) throw cause;
    }
  };
  return {
    /**
     * Begins, unless it is under way, and goes on in slices, between the calls of others. The journal must be flushed. Calls
     * back at the end, with the failure if there was one.
     */
    start: (onEnd: (failure?: { readonly cause: unknown }) => void): void => {
      if (job !== undefined) return;
      job = { steps: sealInSteps(deps, half), onEnd };
      // At once, because everything that waits is flushed now.
      goOn();
    },
    /** Moves everything now. The journal must be flushed. */
    finish: (): void => {
      disarm();
      if (job !== undefined) runToEnd(job);
      runToEnd({ steps: sealInSteps(deps, half), onEnd: () => undefined });
    },
    /** Whether a block of a month is of a seal that is half done: its samples still wait in the journal, and are read there. */
    isHalfDone: (month: Month, block: number): boolean => block > (half.get(month) ?? Infinity),
    stop: (): void => {
      disarm();
      job?.steps.return();
      job = undefined;
    },
  };
}

/** Each month that has what the journal has too, with its last block before that. */
type HalfDone = Map<Month, number>;

/**
 * First the blocks are committed together with the row up to which they come, then the rows are deleted, both in the last
 * step. A power cut between leaves both, and the next start leaves out of the journal what the months have. After a failure
 * the same samples are sealed again, and a month that has them already takes none. Pauses at each `yield`: until the end
 * readers find all samples in the journal, and what comes in between waits for the next time.
 */
function* sealInSteps({ journal, shelf, catalog, log }: SealingDeps, half: HalfDone): Generator<undefined, void> {
  if (journal.samples.count() === 0) return;
  journal.mergeIntoDatabase();
  const row = journal.beginSeal(() => monthsOf(journal));
  const parts = partsByMonth(journal);
  const sealed: { readonly month: Month; readonly series: (SealedSeries & { readonly number: number })[] }[] = [];
  let samples = 0;
  for (const [month, ofMonth] of parts) {
    const series: (typeof sealed)[number]['series'] = [];
    sealed.push({ month, series });
    for (const part of ofMonth) {
      const { name, kind, unit } = journal.series.byNumber(part.number) ?? { name: '', kind: null, unit: null };
      const blocks = encodeBlocks(part.samples);
      series.push({ number: part.number, name, kind, unit, segment: part.chunk.segment, blocks });
      samples += part.samples.ticks.length;
      if (samples < SLICE_SAMPLES) continue;
      samples = 0;
      yield;
    }
  }
  for (const { month, series } of sealed) {
    shelf.write(month, (file) => {
      // Before it is written: a commit that fails may still be found on disk.
      if (sealedRow(file, journal.id) < row) half.set(month, lastBlock(file));
      sealIntoMonth(file, { journalId: journal.id, row, series, shiftOf: journal.shiftOf });
    });
  }
  const extents = sealed.flatMap(({ month, series }) => series.flatMap((each) => extentsOf(month, each)));
  journal.finishSeal(row, () => catalog.add(extents));
  half.clear();
  log.debug('history was sealed', { months: [...parts.keys()] });
}

type Part = { readonly number: number; readonly chunk: SampleChunk; readonly samples: Samples };

function partsByMonth(journal: Journal): Map<Month, Part[]> {
  const parts = new Map<Month, Part[]>();
  for (const [number, chunk] of journal.samples.frozen()) {
    const shiftMs = journal.shiftOf(chunk.segment.epoch);
    for (const [month, samples] of splitByMonth(chunk.read(), shiftMs)) {
      const part = { number, chunk, samples };
      const others = parts.get(month);
      if (others === undefined) parts.set(month, [part]);
      else others.push(part);
    }
  }
  return parts;
}

/** The months that get what waits. */
function monthsOf({ samples, shiftOf }: Journal): Month[] {
  const months = new Set<Month>();
  for (const series of samples.series()) {
    for (const { segment, read } of samples.chunksOf(series)) {
      for (const [month] of splitByMonth(read(), shiftOf(segment.epoch))) months.add(month);
    }
  }
  return [...months];
}

function splitByMonth({ ticks, values }: Samples, shiftMs: number): [Month, Samples][] {
  const parts: [Month, Samples][] = [];
  for (let from = 0; from < ticks.length;) {
    const { month, endTick } = monthAt(ticks[from] ?? 0, shiftMs);
    const end = ticks.findIndex((tick, index) => index > from && tick >= endTick);
    const to = end < 0 ? ticks.length : end;
    parts.push([month, { ticks: ticks.slice(from, to), values: values.slice(from, to) }]);
    from = to;
  }
  return parts;
}

function extentsOf(month: Month, { number, segment, blocks }: SealedSeries & { readonly number: number }): Extent[] {
  return blocks.map(({ firstTick, lastTick, count, data }) => ({
    series: number,
    month,
    epoch: segment.epoch,
    firstTick,
    lastTick,
    count,
    bytes: data.length,
  }));
}
