import type { Log } from '#base/log.ts';
import type { Journal } from '#storage/journal/journal.ts';
import { encodeBlocks } from './block-codec.ts';
import type { Catalog, Extent } from './catalog.ts';
import { sealIntoMonth, type SealedSeries } from './month-file.ts';
import type { MonthShelf } from './month-shelf.ts';
import type { SampleChunk, Samples } from './sample-chunk.ts';
import { monthAt, type Month } from './segment.ts';

export type SealingDeps = {
  readonly journal: Journal;
  readonly shelf: MonthShelf;
  readonly catalog: Catalog;
  readonly log: Log;
};

/**
 * Moves everything that waits in the journal into the files of months. The journal must be flushed. First the blocks are
 * committed together with the row up to which they come, then the rows are deleted. A power cut between leaves both, and the
 * next start leaves out of the journal what the months have. After a failure the same samples are sealed again, and a month
 * that has them already takes none.
 */
export function sealJournal({ journal, shelf, catalog, log }: SealingDeps): void {
  if (journal.samples.count() === 0) return;
  journal.mergeIntoDatabase();
  const row = journal.beginSeal(() => monthsOf(journal));
  const parts = partsByMonth(journal);
  const extents: Extent[] = [];
  for (const [month, ofMonth] of parts) {
    const series = ofMonth.map(({ number, chunk, samples }): SealedSeries & { number: number } => {
      const { name, kind, unit } = journal.series.byNumber(number) ?? { name: '', kind: null, unit: null };
      return { number, name, kind, unit, segment: chunk.segment, blocks: encodeBlocks(samples) };
    });
    shelf.write(month, (file) => sealIntoMonth(file, { journalId: journal.id, row, series, shiftOf: journal.shiftOf }));
    extents.push(...series.flatMap((sealed) => extentsOf(month, sealed)));
  }
  journal.finishSeal(row, () => catalog.add(extents));
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
