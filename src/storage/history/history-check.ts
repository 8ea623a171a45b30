import type { HoursMade, MonthPart, MonthState } from '#core/past/hour/history-check.ts';
import { listSpans } from '#storage/hours/hours-file.ts';
import { read, write } from '#storage/tables/operation.ts';
import { decodeBlock } from '#storage/samples/block-codec.ts';
import type { History } from './history.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';

/** About 5 ms here, and 20 ms on a slow computer. */
const PART_SAMPLES = 16_384;
const PART_BLOCKS = 16;
const ALWAYS = { fromMs: -Infinity, toMs: Infinity };
const LOST = 'lost-';

/** The operations of `HistoryCheckStore`. They read files as every query does: a damaged one is set aside. */
export function createCheckOperations({ history }: { readonly history: History }) {
  const { journal, shelf, years, catalog } = history;
  const { late } = journal;
  return {
    listMonths: read((): readonly MonthState[] => {
      const files = shelf.list();
      const known = catalog.months();
      const samplesOf = (month: string): number => catalog.ofMonth(month).reduce((sum, { count }) => sum + count, 0);
      return [
        ...known.map((month): MonthState => {
          const isLost = month.startsWith(LOST);
          const state = isLost ? 'lost' : files.includes(month) ? 'there' : 'missing';
          return {
            month: isLost ? month.slice(LOST.length, LOST.length + 'YYYY-MM'.length) : month,
            state,
            samples: samplesOf(month),
          };
        }),
        ...files
          .filter((month) => !known.includes(month))
          .map((month): MonthState => ({ month, state: 'unknown', samples: 0 })),
      ].toSorted((left, right) => (left.month < right.month ? -1 : 1));
    }),
    checkMonth: read((month: string, after: number): MonthPart | null => {
      return shelf.read(month, (file) => checkBlocks(file, after)) ?? null;
    }),
    readMade: read((): HoursMade => {
      const spans = years.list().flatMap((year) => years.read(year, (file) => listSpans(file, ALWAYS)) ?? []);
      return { spans, late: late.spans() };
    }),
    redoHours: write((fromMs: number): void => {
      late.note(fromMs);
      journal.write(() => undefined);
    }),
  };
}

function checkBlocks(file: Database, after: number): MonthPart {
  const rows = file.all(
    `SELECT block.number AS number, name, first_tick, last_tick, count, codec, data
     FROM block LEFT JOIN series ON series.number = block.series WHERE block.number > ? ORDER BY block.number LIMIT ?`,
    [after, PART_BLOCKS],
  );
  let samples = 0;
  let blocks = 0;
  let last = after;
  const bad: string[] = [];
  for (const row of rows) {
    if (samples >= PART_SAMPLES) return { blocks, samples, bad, next: last };
    blocks += 1;
    samples += Number(row['count']);
    last = Number(row['number']);
    if (!isSound(row)) bad.push(row['name'] === null ? '' : (JSON.parse(String(row['name'])) as string));
  }
  return { blocks, samples, bad, next: rows.length < PART_BLOCKS ? null : last };
}

/** Its checksum is right, and it has what stands beside it. */
function isSound(row: SqlRow): boolean {
  const { data, name } = row;
  if (!(data instanceof Uint8Array) || name === null) return false;
  const [codec, firstTick, count] = [Number(row['codec']), Number(row['first_tick']), Number(row['count'])];
  const decoded = decodeBlock({ codec, firstTick, count, data });
  return decoded !== undefined && decoded.ticks[0] === firstTick && decoded.ticks.at(-1) === Number(row['last_tick']);
}
