import type { ContentCoding } from '#base/content/compress.ts';
import type { NamedSeries } from '#core/past/archive/series-finder.ts';
import type { Bucket } from '#core/past/history/bucket-edges.ts';
import type { AnsweredSeries } from './table.ts';
import type { Format } from './text.ts';

/** A question about the past, as it is sent to the thread that has the samples. */
export type HistoryQuestion = {
  readonly format: Format;
  readonly times: 'iso' | 'ms';
  readonly resolution: 'points' | 'raw' | Bucket;
  /** The most points of each series. */
  readonly points: number;
  /** Raw rows of all series together. */
  readonly maxRows: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cursor: HistoryCursor | null;
  readonly timeZone: string;
  /** `null` for the plain form. */
  readonly coding: ContentCoding | null;
  readonly series: readonly AskedSeries[];
};

export type AskedSeries = Omit<AnsweredSeries, 'resolution' | 'isThinned'> &
  Pick<NamedSeries, 'name'> & {
    /** What was before is not shown. */
    readonly shownFromMs?: number;
  };

export type HistoryCursor = { readonly index: number; readonly afterMs: number; readonly toMs: number };

/** Where a raw answer stopped, and the end of its range, which must not move between its parts. */
export function cursorText({ index, afterMs, toMs }: HistoryCursor): string {
  return [index, afterMs, toMs].join('.');
}

/** An answer that is ready to be sent. */
export type HistoryAnswer = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The coding of the bytes: short answers gain nothing from one. */
  readonly coding: ContentCoding | null;
  /** The tag of the plain form, with its quotes. */
  readonly tag: string;
  /** The cursor of the rest; `null` if this is all. */
  readonly next: string | null;
};

/**
 * Answers questions. What takes time is done where the samples are: a question about a year must not hold up other calls
 * longer than one about an hour. With `signal` aborted nobody waits for the answer, and it has no meaning.
 */
export type AnswerHistory = (question: HistoryQuestion, signal: AbortSignal) => Promise<HistoryAnswer>;
