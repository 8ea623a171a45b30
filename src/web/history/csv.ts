import type { HistoryAnswer } from '#web/client/api.ts';

/** Reads a part of the raw samples of some features, from the beginning or from a cursor. */
export type ReadPart = (keys: readonly string[], cursor: string | null) => Promise<HistoryAnswer>;

/** What the hub takes in one question. */
export const SERIES_MOST = 50;

/**
 * All raw samples as a file. Each part goes to the browser's own storage before the next one is read, so that a long
 * history does not fill the memory of the page.
 */
export async function csvFile(keys: readonly string[], read: ReadPart): Promise<Blob> {
  const parts = [new Blob(['time,feature,value,unit,gap\r\n'])];
  for (let start = 0; start < keys.length; start += SERIES_MOST) {
    let cursor: string | null = null;
    do {
      const answer: HistoryAnswer = await read(keys.slice(start, start + SERIES_MOST), cursor);
      parts.push(new Blob([csvLines(answer, cursor !== null)]));
      cursor = answer.next;
    } while (cursor !== null);
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** The lines of one part. `goesOn`: its first series began in the part before, which has what held at the beginning. */
export function csvLines({ series }: Pick<HistoryAnswer, 'series'>, goesOn = false): string {
  return series
    .flatMap(({ key, unit, rows, before, gaps }, index) => {
      const first = before === null || (index === 0 && goesOn) ? [] : [before];
      const values = [...first, ...rows].map(([at, value]) => ({ at: String(at), value, gap: '' }));
      const unknown = gaps.map(({ from, reason }) => ({ at: String(from), value: '', gap: reason }));
      return [...values, ...unknown]
        .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
        .map(({ at, value, gap }) => [at, key, value, unit ?? '', gap].map(cellOf).join(','));
    })
    .map((line) => `${line}\r\n`)
    .join('');
}

/** A spreadsheet runs what begins like a formula, and a text comes from a device: it gets an apostrophe. */
function cellOf(value: unknown): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
