import { LIMITS } from '#web/client/vocabulary.ts';
import { history as historyWords } from '#web/strings/en/history.ts';

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

/** Begins the first line of a table, which the hub gives the names of series. */
const TIME = 'time';

/** A table of the hub with titles that people read, in place of the names of its series. */
export async function withTitles(table: Blob, titles: readonly string[]): Promise<Blob> {
  const [line = ''] = (await table.slice(0, MAX_HEADER).text()).split('\r\n', 1);
  const head = [historyWords.tableTime, ...titles].map(safeCell).join(line.charAt(TIME.length) || ',');
  const mark = '\uFEFF';
  // As bytes, both begin with the mark.
  const rest = table.slice(new Blob([mark, line]).size);
  return new Blob([mark, head, rest], { type: 'text/csv;charset=utf-8' });
}

/** For the longest names of as many series as the hub takes. */
const MAX_HEADER = 65_536;

/** A spreadsheet would run a text that begins so as a formula, and anybody may name a device. */
function safeCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
