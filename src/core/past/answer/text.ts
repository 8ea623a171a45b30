import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { timeText } from '#base/time/time-text.ts';
import { cellFromValue, csvLine } from '#core/past/archive/csv-text.ts';
import type { Rows } from '#core/past/history/history-query.ts';
import type { TieredHistory } from '#core/past/hour/hour-query.ts';
import { type AnsweredSeries, COLUMNS, historySeriesJson, type MomentJson, tableOf } from './table.ts';

export const FORMATS = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** The frame is the part of an answer beside its series. */
type AnswerFrame = {
  readonly moment: MomentJson;
  readonly fromMs: number;
  readonly toMs: number;
  readonly timeZone: string;
  /** The kinds of rows that the answer will have: one table of CSV has the columns of all of them. */
  readonly rowTypes: readonly Rows['type'][];
};

/**
 * Writes an answer piece by piece. Making a row takes microseconds and an answer has up to 250,000: other calls run in
 * between.
 */
export function createAnswerText(format: Format, frame: AnswerFrame) {
  const sink = createSink();
  const form = FORMS[format](frame);
  sink.add(form.head);
  let count = 0;
  return {
    /** Resolves with the number of rows. */
    addSeries: async (name: AnsweredSeries, history: TieredHistory): Promise<number> => {
      const { head, row, foot } = form.series(name, history, count === 0);
      count += 1;
      sink.add(head);
      let rows = 0;
      for (const cells of tableOf(history.rows, frame.moment)) {
        sink.add(row(cells, rows === 0));
        rows += 1;
        const pause = sink.pause();
        if (pause !== undefined) await pause;
      }
      sink.add(foot);
      return rows;
    },
    end: (next: string | null): Uint8Array<ArrayBuffer> => {
      sink.add(form.foot(next));
      return sink.end();
    },
  };
}

const CHUNK_CHARACTERS = 65_536;

/** Texts become bytes in chunks, so that they are not kept twice. */
function createSink() {
  const chunks: Buffer[] = [];
  let text = '';
  const flush = (): void => {
    chunks.push(Buffer.from(text));
    text = '';
  };
  return {
    add: (piece: string): void => {
      text += piece;
    },
    /** After so many characters, which take a millisecond or two, a promise to await before going on: others have a turn. */
    pause: (): Promise<void> | undefined => {
      if (text.length < CHUNK_CHARACTERS) return undefined;
      flush();
      return turnOfOthers();
    },
    /** In memory of its own, which may move to another thread. */
    end: (): Uint8Array<ArrayBuffer> => {
      flush();
      const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      return bytes;
    },
  };
}

type Form = {
  readonly head: string;
  readonly series: (
    name: AnsweredSeries,
    history: TieredHistory,
    isFirst: boolean,
  ) => {
    readonly head: string;
    readonly row: (cells: readonly unknown[], isFirst: boolean) => string;
    readonly foot: string;
  };
  readonly foot: (next: string | null) => string;
};

const FORMS: Readonly<Record<Format, (frame: AnswerFrame) => Form>> = {
  json: jsonForm,
  csv: csvForm,
  ndjson: linesForm,
};

function jsonForm({ moment, fromMs, toMs, timeZone }: AnswerFrame): Form {
  const frame = JSON.stringify({ from: timeText(fromMs), to: timeText(toMs), time_zone: timeZone });
  return {
    head: `${frame.slice(0, -1)},"series":[`,
    series: (name, history, isFirst) => {
      const one = JSON.stringify({ ...historySeriesJson(name, history, moment), columns: COLUMNS[history.rows.type] });
      return {
        head: `${isFirst ? '' : ','}${one.slice(0, -1)},"rows":[`,
        row: (cells, isFirstRow) => (isFirstRow ? '' : ',') + JSON.stringify(cells),
        foot: ']}',
      };
    },
    foot: (next) => `],"next":${JSON.stringify(next)}}`,
  };
}

/** One table for all series, with an empty cell where a kind of rows lacks a column. */
function csvForm({ rowTypes }: AnswerFrame): Form {
  const columns = [...new Set(rowTypes.flatMap((type): readonly string[] => COLUMNS[type]))];
  return {
    head: csvLine(['series', ...columns]),
    series: ({ shown }, { rows }) => {
      const places = COLUMNS[rows.type].map((column) => columns.indexOf(column));
      const mean = rows.type === 'gauge' ? COLUMNS.gauge.indexOf('mean') : -1;
      const digits = rows.type === 'gauge' ? digitsOf(rows.buckets) : 0;
      return {
        head: '',
        row: (cells) => {
          const line = Array.from({ length: columns.length + 1 }, () => '');
          line[0] = shown;
          // The first cell is a time that the hub made.
          for (const [index, cell] of cells.entries()) {
            const shown = index === mean && typeof cell === 'number' ? Number(cell.toFixed(digits)) : cell;
            line[(places[index] ?? 0) + 1] = index === 0 ? String(cell) : cellOf(shown);
          }
          return csvLine(line);
        },
        foot: '',
      };
    },
    foot: () => '',
  };
}

/** Values that tell how many digits a sensor sends: of a long answer some are enough. */
const LOOKED_AT = 1_000;
/** `toFixed` can write no more. */
const MAX_DIGITS = 20;

/** Digits after the point of what the sensor itself sent, for means that it did not. */
function digitsOf(buckets: readonly Readonly<Record<'min' | 'max' | 'last', number | null>>[]): number {
  const step = Math.ceil(buckets.length / LOOKED_AT);
  let most = 0;
  for (let at = 0; at < buckets.length; at += step) {
    const bucket = buckets[at];
    for (const value of [bucket?.min, bucket?.max, bucket?.last]) {
      if (typeof value !== 'number' || Number.isInteger(value)) continue;
      // Very small numbers have an exponent in place of digits.
      most = Math.max(most, /\.(\d+)$/.exec(String(value))?.[1]?.length ?? MAX_DIGITS);
    }
  }
  return Math.min(most, MAX_DIGITS);
}

function cellOf(cell: unknown): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return JSON.stringify(cell);
  return cellFromValue(cell as string | number | boolean);
}

function linesForm(): Form {
  return {
    head: '',
    series: ({ shown }, { rows }) => {
      const head = JSON.stringify({ series: shown }).slice(0, -1);
      const columns = COLUMNS[rows.type];
      return {
        head: '',
        row: (cells) =>
          `${head}${columns.map((column, index) => `,"${column}":${JSON.stringify(cells[index])}`).join('')}}\n`,
        foot: '',
      };
    },
    foot: () => '',
  };
}
