import type { DeletionRange, HistoryLimits, HistoryUsage, MonthUse } from '#core/past/history/history-store.ts';
import { deleteHours } from '#storage/hours/hours-file.ts';
import { lastSamples } from './carried-samples.ts';
import type { Extent } from './catalog.ts';
import type { History } from './history.ts';
import { encodeBlocks } from '#storage/samples/block-codec.ts';
import { addBlocks, listBlocks, listDescriptions, listExtents, loadMonthSegments, readBlock } from './month-file.ts';
import type { GapMark } from '#core/past/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';
import { monthAt, TICK_MS, type Month, type Segment } from '#storage/samples/segment.ts';

type Parts = Pick<History, 'journal' | 'shelf' | 'catalog' | 'carried'>;
type AllParts = Parts & Pick<History, 'years' | 'deletions' | 'findBefore' | 'seal' | 'pack'>;

/** Hides these stretches of series for ever, in one commit. */
export function deleteSamples({ journal, deletions, findBefore }: AllParts, ranges: readonly DeletionRange[]): void {
  for (const { fromMs, retires } of ranges) if (retires === undefined) journal.late.note(fromMs);
  deletions.add(
    ranges.flatMap((range) => {
      if (range.retires === 'samples' && !journal.late.isMade(range.toMs)) return [];
      if (journal.series.find(range.series) === undefined) return [];
      // No sample has to be there: hours may be left of times whose samples are gone.
      const last = range.isEnd === true ? null : findBefore(range.series, range.toMs + 1);
      return [{ ...range, held: last === null ? null : last.value }];
    }),
    journal.write,
  );
}

/** Few enough that other calls run in between. */
const ERASED_AT_ONCE = 10;

/** Overwrites a part of what was deleted, and returns whether there is more. The journal must be flushed. */
export function eraseDeleted(parts: AllParts): boolean {
  const { journal, deletions, seal, pack } = parts;
  const pending = deletions.pending();
  const isWaiting = pending.some(({ series }) => {
    const number = journal.series.find(series)?.number;
    return number !== undefined && journal.samples.chunksOf(number).length > 0;
  });
  // The blocks of a seal that is half done are known by their numbers.
  if (isWaiting || (pending.length > 0 && journal.isInSeal())) seal();
  for (const deletion of pending.slice(0, ERASED_AT_ONCE)) {
    if (!eraseOnce(parts, deletion, deletions.monthsDone(deletion))) deletions.noteErased(deletion);
  }
  const isEnd = deletions.pending().length === 0;
  if (isEnd && pending.length > 0) pack();
  return !isEnd;
}

/** Erases samples of a series in one month, the oldest that has any, and returns whether there is another one. */
function eraseOnce(
  { journal, shelf, years, catalog, carried }: Parts & Pick<History, 'years'>,
  { series: name, fromMs, toMs, retires }: DeletionRange,
  done: Set<Month>,
): boolean {
  const series = journal.series.find(name);
  if (series === undefined) return false;
  if (done.size === 0) {
    const keptMs = (carried.chunkOf(series.number)?.firstTick ?? Infinity) * TICK_MS;
    if (retires === undefined) journal.late.note(fromMs);
    journal.write(() => {
      if (keptMs >= fromMs && keptMs < toMs) carried.remove(series.number);
    });
    if (retires !== 'samples') deleteHours(years, name, { fromMs, toMs });
  }
  const msOf = (epoch: string, tick: number): number => tick * TICK_MS + journal.shiftOf(epoch);
  const isTouched = ({ epoch, firstTick, lastTick }: Extent): boolean =>
    msOf(epoch, lastTick) >= fromMs && msOf(epoch, firstTick) < toMs;
  const touched = catalog.ofSeries(series.number).filter(isTouched);
  // A month that keeps samples before and after the range looks as if it still had some in it.
  const [month, ...others] = new Set(touched.map((extent) => extent.month).filter((each) => !done.has(each)));
  if (month === undefined) return false;
  done.add(month);
  const isFile = shelf.list().includes(month);
  if (isFile) {
    shelf.write(month, (file) =>
      deleteFromMonth(file, name, ({ epoch }, tick) => {
        const ms = msOf(epoch, tick);
        return ms >= fromMs && ms < toMs;
      }),
    );
  }
  shelf.dropCopy(month);
  const left = isFile ? shelf.read(month, listExtents) : [];
  journal.write(() => {
    const ofSeries = (left ?? []).filter((extent) => extent.name === name);
    catalog.replaceSeries(
      { month, series: series.number },
      ofSeries.map((extent) => ({ ...extent, month, series: series.number })),
      (epoch) => Math.ceil((toMs - journal.shiftOf(epoch)) / TICK_MS),
    );
  });
  return others.length > 0;
}

/** Removes whole months: those that are too old, then the oldest ones until the rest is small enough. Returns their names. */
export function forgetMonths(
  { journal, shelf, catalog, carried, isHalfDone }: Parts & Pick<History, 'isHalfDone'>,
  { keepFromMs, maxBytes, isTrial }: HistoryLimits,
): readonly Month[] {
  const endOf = (month: Month): number =>
    Math.max(...catalog.ofMonth(month).map(({ epoch, lastTick }) => lastTick * TICK_MS + journal.shiftOf(epoch)));
  const months = catalog.months().map((month) => ({ month, endMs: endOf(month), bytes: shelf.bytesOf(month) }));
  const byAge = months.toSorted((left, right) => left.endMs - right.endMs);
  let bytes = months.reduce((sum, each) => sum + each.bytes, 0);
  const removed: Month[] = [];
  for (const { month, endMs, bytes: size } of byAge) {
    const isNewest = month === byAge.at(-1)?.month;
    if (endMs >= keepFromMs && (bytes <= maxBytes || isNewest)) continue;
    bytes -= size;
    removed.push(month);
    if (isTrial === true) continue;
    // A power cut after it leaves a file that the next start takes in again.
    const last =
      shelf.read(month, (file) => lastSamples(file, journal.shiftOf, ({ number }) => !isHalfDone(month, number))) ?? [];
    const carry = last.flatMap((sample) => ({ ...sample, series: journal.series.find(sample.name)?.number }));
    journal.write(() => {
      for (const { series, atMs, value } of carry) if (series !== undefined) carried.put(series, { atMs, value });
      if (size > 0) journal.late.noteRemovedTo(Math.max(endMs, monthEndMs(month)));
      catalog.forgetMonth(month);
    });
    if (size > 0) shelf.remove(month);
  }
  return removed;
}

function monthEndMs(month: Month): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number);
}

export function readUsage({ journal, shelf, years, catalog }: Parts & Pick<History, 'years'>): HistoryUsage {
  const months = shelf
    .list()
    .map((month) => ({ month, bytes: shelf.bytesOf(month), isClosed: catalog.isClosed(month) }));
  // Both name the folder if the hub may not look into it.
  const unusable = new Map([...shelf.unusable(), ...years.unusable()].map((one) => [one.file, one]));
  return {
    months,
    bytes: months.reduce((sum, { bytes }) => sum + bytes, 0),
    waitingSamples: journal.samples.count(),
    lastSampleMs: journal.lastSampleMs(),
    pausedSinceMs: journal.pausedSinceMs(),
    unusable: [...unusable.values()],
  };
}

/** The bytes in the file of a month, in all and of each device; `database` knows where the devices are from. */
export function readMonthUse(
  { shelf, catalog }: Pick<Parts, 'shelf' | 'catalog'>,
  database: Database,
  atMs: number,
): MonthUse {
  const { month } = monthAt(atMs / TICK_MS, 0);
  const ofOwners = catalog.bytesByOwner(month);
  const ofDevices = new Map<string, number>();
  const ofIntegrations = new Map<string, number>();
  for (const { id, integration } of database.all('SELECT id, integration FROM device')) {
    const bytes = ofOwners.get(String(id)) ?? 0;
    if (bytes === 0) continue;
    ofDevices.set(String(id), bytes);
    ofIntegrations.set(String(integration), (ofIntegrations.get(String(integration)) ?? 0) + bytes);
  }
  return { bytes: shelf.read(month, usedBytes) ?? 0, ofDevices, ofIntegrations };
}

/** Without the pages that a deletion emptied, which what comes next uses again. */
function usedBytes(file: Database): number {
  const numberOf = (name: string): number => Number(file.get(`PRAGMA ${name}`)?.[name] ?? 0);
  return (numberOf('page_count') - numberOf('freelist_count')) * numberOf('page_size');
}

/** Deletes the samples of a series in these ticks, and overwrites what they took. */
function deleteFromMonth(file: Database, name: string, isDeleted: (segment: Segment, tick: number) => boolean): void {
  const segments = loadMonthSegments(file);
  const description = listDescriptions(file).find((series) => series.name === name);
  if (description === undefined) return;
  file.all('PRAGMA secure_delete=ON');
  file.transaction(() => {
    for (const block of listBlocks(file, name)) {
      const segment = segments.get(block.segment);
      if (segment === undefined) continue;
      const { ticks, values } = readBlock(file, block);
      const kept = [...ticks.keys()].filter((index) => !isDeleted(segment, ticks[index] ?? 0));
      if (kept.length === ticks.length) continue;
      file.run('DELETE FROM block WHERE number = ?', [block.number]);
      const left = {
        ticks: kept.map((index) => ticks[index] ?? 0),
        values: kept.map((index) => values[index] ?? LOST),
      };
      addBlocks(file, { ...description, segment, blocks: encodeBlocks(left) });
    }
  });
}

const LOST: GapMark = { gap: 'lost' };
