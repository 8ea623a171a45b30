import type { SampleValue } from '#core/past/history/sample.ts';

/** A line of CSV with its end (RFC 4180). Cells that need quotes get them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Each text fits it in one way only: of two ways, a cell of digits would try all pairs. */
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** A spreadsheet would run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * The cell of a value. A text that a spreadsheet would run, or that reads as a number, a truth or nothing, gets an
 * apostrophe, which spreadsheets take for "this is text"; so does one that begins with an apostrophe.
 */
export function cellFromValue(value: SampleValue): string {
  if (typeof value !== 'string') return String(value);
  const isMisread = value === '' || value === 'true' || value === 'false' || NUMBER.test(value);
  return isMisread || FORMULA.test(value) || value.startsWith("'") ? `'${value}` : value;
}

/** A text for a table that only people read, whatever stands between its cells: it is never run, and never two cells. */
export function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The value of a cell; `undefined` for an empty cell and for a number that none can hold. */
export function valueFromCell(cell: string): SampleValue | undefined {
  if (cell === '') return undefined;
  if (cell.startsWith("'")) return cell.slice(1);
  if (cell === 'true' || cell === 'false') return cell === 'true';
  if (!NUMBER.test(cell)) return cell;
  const number = Number(cell);
  return Number.isFinite(number) ? number : undefined;
}
