import type { TimeZone } from '#base/time/time-zone.ts';
import type { HistoryStore, SampleRange } from '#core/past/history/history-store.ts';
import { isGap, type Sample, type SampleValue } from '#core/past/history/sample.ts';
import type { ExportPlan } from './archive-export.ts';
import { textCell } from './csv-text.ts';

type TableDeps = {
  readonly history: Pick<HistoryStore, 'readSlice' | 'findBefore'>;
  /** The title of its column; `undefined` if the reader may not see it any more. Throws where the export must end. */
  readonly shownAs: (name: string) => string | undefined;
  /** A press holds for its moment only. */
  readonly isMoment: (name: string) => boolean;
  /** Throws if the last piece may not be given any more. */
  readonly authorize: () => void;
};

export type TablePlan = Pick<ExportPlan, 'fromMs' | 'toMs'> & {
  /** In the order of the columns. */
  readonly names: readonly string[];
  readonly zone: TimeZone;
  /** A tag of BCP 47. It decides the decimal sign, and by that what stands between two cells. */
  readonly language: string;
};

const CHUNK_CHARACTERS = 65_536;
/** Without it, spreadsheets read a text in the code page of their country. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table for spreadsheets, in pieces: a row for each moment at which anything changed, with all that holds there. It keeps
 * one slice of each series, however long the time is.
 */
export async function* exportTable(deps: TableDeps, plan: TablePlan): AsyncGenerator<string, void> {
  const { names, fromMs, toMs, zone, language } = plan;
  const sign = decimalSignOf(language);
  const line = (cells: readonly string[]): string => `${cells.join(sign === ',' ? ';' : ',')}\r\n`;
  let text = BYTE_ORDER_MARK + line(['time', ...names.map((name) => textCell(deps.shownAs(name) ?? ''))]);
  const columns: Column[] = [];
  for (const series of names) columns.push(await openColumn(deps, { series, fromMs, toMs }));
  const rowAt = async (atMs: number): Promise<string> => {
    for (const column of columns) await column.moveTo(atMs);
    return line([localText(atMs, zone), ...columns.map(({ value }) => cellOf(value(), sign))]);
  };
  if (columns.some(({ value }) => value() !== undefined)) text += await rowAt(fromMs);
  for (;;) {
    const atMs = columns.reduce((least, { nextMs }) => Math.min(least, nextMs()), Infinity);
    if (atMs === Infinity) break;
    text += await rowAt(atMs);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
    // The reader may have taken hours for the piece.
    for (const column of columns) column.closeIfUnseen();
  }
  deps.authorize();
  yield text;
}

type Column = Awaited<ReturnType<typeof openColumn>>;

async function openColumn({ history, shownAs, isMoment }: TableDeps, range: SampleRange) {
  const { series, fromMs } = range;
  const samples = samplesOf({ history, shownAs }, range);
  const isOfMoment = isMoment(series);
  const read = async (): Promise<Sample | undefined> => (await samples.next()).value ?? undefined;
  const before = isOfMoment ? null : await history.findBefore(series, fromMs);
  let held = before?.value;
  let next = await read();
  const close = (): void => {
    held = undefined;
    next = undefined;
  };
  return {
    /** `Infinity` after the last one. */
    nextMs: () => next?.atMs ?? Infinity,
    /** `undefined` where nobody knows it. */
    value: () => (held === undefined || isGap(held) ? undefined : held),
    /** Takes in what came at this moment, which no column has passed. */
    moveTo: async (atMs: number): Promise<void> => {
      if (isOfMoment) held = undefined;
      while (next?.atMs === atMs) {
        held = next.value;
        next = await read();
      }
    },
    closeIfUnseen: (): void => {
      if (shownAs(series) === undefined) close();
    },
  };
}

async function* samplesOf(
  { history, shownAs }: Pick<TableDeps, 'history' | 'shownAs'>,
  range: SampleRange,
): AsyncGenerator<Sample, undefined> {
  for (let after: number | null = null; shownAs(range.series) !== undefined;) {
    const { timesMs, values, gaps, next } = await history.readSlice(range, after);
    for (const [index, one] of values.entries()) {
      const value = one ?? gaps.get(index);
      if (value !== undefined) yield { atMs: timesMs[index] ?? 0, value };
    }
    if (next === null) return;
    after = next;
  }
}

/** Throws RangeError for what is no tag of a language. */
export function decimalSignOf(language: string): string {
  const parts = new Intl.NumberFormat(language, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** Truths are numbers, which every language of a spreadsheet reads, adds up and draws. */
function cellOf(value: SampleValue | undefined, sign: string): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return textCell(value);
  return String(Number(value)).replace('.', sign);
}

/** `2026-11-22 11:04:10`: spreadsheets of every country read it as a time. */
function localText(atMs: number, zone: TimeZone): string {
  return new Date(atMs + zone.offsetMs(atMs)).toISOString().slice(0, 19).replace('T', ' ');
}
