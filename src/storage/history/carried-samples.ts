import type { Sample } from '#core/past/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';
import { listBlocks, listDescriptions, loadMonthSegments, readBlock, type MonthBlock } from './month-file.ts';
import { TICK_MS, type SampleChunk } from '#storage/samples/segment.ts';

/** The last sample of each series that went with its month: a value that never changes has no other. */
export type CarriedSamples = ReturnType<typeof openCarriedSamples>;

/** Their times are hub time, which no shift corrects. */
const EPOCH = 'carried';

export function openCarriedSamples(file: Database) {
  return {
    chunkOf: (series: number): SampleChunk | undefined => {
      const row = file.get('SELECT at_ms, value FROM carried WHERE series = ?', [series]);
      if (row === undefined) return undefined;
      const tick = Number(row['at_ms']) / TICK_MS;
      const value = JSON.parse(String(row['value'])) as Sample['value'];
      return {
        segment: { number: 0, epoch: EPOCH, base: 0, firstTick: tick },
        firstTick: tick,
        lastTick: tick,
        count: 1,
        read: () => ({ ticks: [tick], values: [value] }),
      };
    },
    series: (): readonly number[] => file.all('SELECT series FROM carried').map((row) => Number(row['series'])),
    /** Keeps a sample, inside the caller's transaction, unless a later one of its series is kept. */
    put: (series: number, { atMs, value }: Sample): void => {
      file.run(
        `INSERT INTO carried (series, at_ms, value) VALUES (?, ?, ?)
         ON CONFLICT (series) DO UPDATE SET at_ms = excluded.at_ms, value = excluded.value
         WHERE excluded.at_ms >= at_ms`,
        [series, atMs, JSON.stringify(value)],
      );
    },
    /** Inside the caller's transaction. */
    remove: (series: number): void => void file.run('DELETE FROM carried WHERE series = ?', [series]),
  };
}

/** The last sample of each series in a month's file, but for the blocks that `isWanted` leaves out. */
export function lastSamples(
  file: Database,
  shiftOf: (epoch: string) => number,
  isWanted: (block: MonthBlock) => boolean,
): (Sample & { readonly name: string })[] {
  const segments = loadMonthSegments(file);
  return listDescriptions(file).flatMap(({ name }) => {
    const blocks = listBlocks(file, name).flatMap((block) => {
      const segment = segments.get(block.segment);
      return segment === undefined || !isWanted(block) ? [] : [{ block, shiftMs: shiftOf(segment.epoch) }];
    });
    const endOf = ({ block, shiftMs }: (typeof blocks)[number]): number => block.lastTick * TICK_MS + shiftMs;
    const [last] = blocks.toSorted((left, right) => endOf(right) - endOf(left));
    if (last === undefined) return [];
    const { ticks, values } = readBlock(file, last.block);
    const value = values.at(-1);
    return value === undefined ? [] : [{ name, atMs: (ticks.at(-1) ?? 0) * TICK_MS + last.shiftMs, value }];
  });
}
