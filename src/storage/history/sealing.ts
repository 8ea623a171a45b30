import type { Log } from '#base/log.ts';
import type { Journal } from '#storage/journal/journal.ts';
import { encodeBlocks } from './block-codec.ts';
import type { Catalog, Extent } from './catalog.ts';
import { sealIntoMonth, type SealedSeries } from './month-file.ts';
import type { MonthShelf } from './month-shelf.ts';
import type { SampleChunk, Samples } from './sample-chunk.ts';
import { monthOf, type Month } from './segment.ts';

export type SealingDeps = {
  readonly journal: Journal;
  readonly shelf: MonthShelf;
  readonly catalog: Catalog;
  readonly log: Log;
};

/**
 * Moves everything that waits in the journal into the files of months. The journal must be flushed. First the blocks are
 * committed together with the row up to which they come, then the rows are deleted. A power cut between leaves both, and the
 * next start leaves out of the journal what the months have.
 */
export function sealJournal({ journal, shelf, catalog, log }: SealingDeps): void {
  if (journal.samples.count() === 0) return;
  journal.mergeIntoDatabase();
  const parts = partsByMonth(journal);
  const row = journal.beginSeal([...parts.keys()]);
  const extents: Extent[] = [];
  for (const [month, ofMonth] of parts) {
    const series = ofMonth.map(({ number, chunk, samples }): SealedSeries & { number: number } => {
      const { name, kind, unit } = journal.series.byNumber(number) ?? { name: '', kind: null, unit: null };
      return { number, name, kind, unit, segment: chunk.segment, blocks: encodeBlocks(samples) };
    });
    shelf.write(month, (file) => sealIntoMonth(file, { journalId: journal.id, row, series, shiftOf: journal.shiftOf }));
    extents.push(...series.flatMap((sealed) => extentsOf(month, sealed)));
  }
  const samples = journal.samples.count();
  journal.finishSeal(row, () => catalog.add(extents));
  log.debug('history was sealed', { samples, months: parts.size });
}

type Part = { readonly number: number; readonly chunk: SampleChunk; readonly samples: Samples };

function partsByMonth(journal: Journal): Map<Month, Part[]> {
  const parts = new Map<Month, Part[]>();
  for (const number of journal.samples.series()) {
    for (const chunk of journal.samples.chunksOf(number)) {
      const shiftMs = journal.shiftOf(chunk.segment.epoch);
      for (const [month, samples] of splitByMonth(chunk.read(), shiftMs)) {
        const part = { number, chunk, samples };
        const others = parts.get(month);
        if (others === undefined) parts.set(month, [part]);
        else others.push(part);
      }
    }
  }
  return parts;
}

function splitByMonth({ ticks, values }: Samples, shiftMs: number): [Month, Samples][] {
  const parts: [Month, { ticks: number[]; values: Samples['values'][number][] }][] = [];
  for (const [index, tick] of ticks.entries()) {
    const month = monthOf(tick, shiftMs);
    let part = parts.at(-1);
    if (part?.[0] !== month) parts.push((part = [month, { ticks: [], values: [] }]));
    const value = values[index];
    if (value === undefined) continue;
    part[1].ticks.push(tick);
    part[1].values.push(value);
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
