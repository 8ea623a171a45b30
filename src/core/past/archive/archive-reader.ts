import { isGapReason, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import { valueFromCell } from './csv-text.ts';
import { ARCHIVE_COLUMNS, type ArchiveFormat, UNCERTAIN } from './sample-text.ts';

/** A line of an archive, of which nothing is known of the home yet. */
export type ArchiveRow = {
  /** Number of the line in which it begins, from 1 on. */
  readonly line: number;
  readonly series: string;
  readonly atMs: number;
  readonly value: SampleValue | GapMark;
};

export type LineFault = { readonly line: number; readonly message: string };

type ArchiveReader = {
  readonly push: (text: string) => void;
  /** Reads the last line, which needs no end. */
  readonly end: () => void;
};

type Take = { readonly row: (row: ArchiveRow) => void; readonly fault: (fault: LineFault) => void };

/** No line of an export is as long: names and texts have limits. */
const MAX_LINE = 32_768;

/** Reads an archive in pieces that may end anywhere. It keeps no more than a line. */
export function createArchiveReader(format: ArchiveFormat, take: Take): ArchiveReader {
  return format === 'csv' ? createCsvReader(take) : createLinesReader(take);
}

function createLinesReader(take: Take): ArchiveReader {
  let text = '';
  let line = 0;
  let isTooLong = false;
  const read = (): void => {
    line += 1;
    if (isTooLong) take.fault({ line, message: 'is too long' });
    else if (text.trim() !== '') readObject(text, line, take);
    text = '';
    isTooLong = false;
  };
  return {
    push: (piece) => {
      let start = 0;
      for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
        text += piece.slice(start, end);
        isTooLong ||= text.length > MAX_LINE;
        start = end + 1;
        read();
      }
      text += piece.slice(start);
      isTooLong ||= text.length > MAX_LINE;
      if (isTooLong) text = '';
    },
    end: () => {
      if (text !== '' || isTooLong) read();
    },
  };
}

function readObject(text: string, line: number, take: Take): void {
  const fields = parseObject(text);
  if (fields === undefined) return take.fault({ line, message: 'is no JSON object' });
  // The last line of an export.
  if (fields['end'] === true) return;
  const { series, at, value, gap, from_uncertain: isUncertain } = fields;
  readRow(
    { line, series, at, value, gap: isUncertain === true && typeof gap === 'string' ? gap + UNCERTAIN : gap },
    take,
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** RFC 4180, with or without carriage returns. */
function createCsvReader(take: Take): ArchiveReader {
  let columns: readonly string[] | undefined;
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let first = 1;
  let length = 0;
  /** `closed`: after the second quote, which a third one makes a quote of the text. */
  let state: 'plain' | 'quoted' | 'closed' = 'plain';
  let isQuoted = false;

  const record = (): void => {
    const isEmpty = cells.length === 0 && cell === '' && !isQuoted;
    cells.push(cell);
    const found = cells;
    const isTooLong = length > MAX_LINE;
    cells = [];
    cell = '';
    isQuoted = false;
    state = 'plain';
    length = 0;
    const at = first;
    first = line;
    if (isEmpty) return;
    if (isTooLong) return take.fault({ line: at, message: 'is too long, or a quote in it has no end' });
    if (columns !== undefined) return readCells({ columns, cells: found, line: at }, take);
    columns = found;
    const missing = ARCHIVE_COLUMNS.slice(0, 3).find((name) => !found.includes(name));
    if (missing !== undefined) take.fault({ line: at, message: `must be a header that names the column ${missing}` });
  };
  const next = (one: string): void => {
    length += 1;
    if (one === '\n') line += 1;
    if (length > MAX_LINE) {
      // Nothing is kept of what can be no line; it ends where a line may end.
      cell = '';
      if (one === '\n') record();
      return;
    }
    if (state === 'quoted') {
      if (one === '"') state = 'closed';
      else cell += one;
    } else if (one === '"' && (state === 'closed' || cell === '')) {
      if (state === 'closed') cell += one;
      isQuoted = true;
      state = 'quoted';
    } else if (one === ',') {
      cells.push(cell);
      cell = '';
      state = 'plain';
    } else if (one === '\n') {
      if (state === 'plain' && cell.endsWith('\r')) cell = cell.slice(0, -1);
      record();
    } else if (state === 'plain' || one !== '\r') cell += one;
  };
  return {
    push: (text) => {
      // A spreadsheet may put a byte order mark before the header.
      const isStart = columns === undefined && length === 0 && line === 1;
      for (const one of isStart ? text.replace(/^\uFEFF/, '') : text) next(one);
    },
    end: () => {
      if (length > 0 && state === 'quoted') length = MAX_LINE + 1;
      record();
    },
  };
}

type CsvRecord = { readonly columns: readonly string[]; readonly cells: readonly string[]; readonly line: number };

function readCells({ columns, cells, line }: CsvRecord, take: Take): void {
  if (cells.length !== columns.length) {
    return take.fault({ line, message: `must have ${columns.length} cells and has ${cells.length}` });
  }
  const cellOf = (name: string): string | undefined => cells[columns.indexOf(name)];
  const text = cellOf('value') ?? '';
  const value = valueFromCell(text);
  if (text !== '' && value === undefined) return take.fault({ line, message: 'has a number that is too large' });
  const gap = cellOf('gap');
  readRow({ line, series: cellOf('series'), at: cellOf('at'), value, gap: gap === '' ? undefined : gap }, take);
}

type RawRow = Record<'series' | 'at' | 'value' | 'gap', unknown> & { readonly line: number };

function readRow({ line, series, at, value, gap }: RawRow, take: Take): void {
  const fault = (message: string): void => take.fault({ line, message });
  if (typeof series !== 'string' || series === '') return fault('names no series');
  const atMs = readTime(at);
  if (atMs === undefined) return fault('has no time as 2026-11-22T10:00:00Z, or in milliseconds since 1970');
  if ((value === undefined) === (gap === undefined)) return fault('must have either a value or a gap');
  if (gap !== undefined) {
    const mark = readGap(gap);
    return mark === undefined ? fault('has a gap of no known reason') : take.row({ line, series, atMs, value: mark });
  }
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') {
    return take.row({ line, series, atMs, value });
  }
  return fault('has a value that is neither a number, nor a text, nor true or false');
}

function readTime(at: unknown): number | undefined {
  const text = typeof at === 'number' ? String(at) : at;
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isFinite(atMs) ? atMs : undefined;
}

function readGap(gap: unknown): GapMark | undefined {
  if (typeof gap !== 'string') return undefined;
  const isUncertain = gap.endsWith(UNCERTAIN);
  const reason = isUncertain ? gap.slice(0, -UNCERTAIN.length) : gap;
  if (!isGapReason(reason)) return undefined;
  return isUncertain ? { gap: reason, isUncertain: true } : { gap: reason };
}
