import { LIMITS } from '#web/client/vocabulary.ts';

/** Reads what the hub exports of some features. */
type ReadExport = (keys: readonly string[]) => Promise<Blob>;

/** The hub takes so many series in one question. */
export const { series: SERIES_MOST } = LIMITS;
/** The line that each export begins with. */
const HEADER = 'series,at,value,gap\r\n';

/** All samples of these features as one file. The browser keeps what it gets on disk, so a long history fills no memory. */
export async function csvFile(keys: readonly string[], read: ReadExport): Promise<Blob> {
  const parts: Blob[] = [];
  for (let start = 0; start < keys.length; start += SERIES_MOST) {
    const part = await read(keys.slice(start, start + SERIES_MOST));
    parts.push(start === 0 ? part : part.slice(HEADER.length));
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
