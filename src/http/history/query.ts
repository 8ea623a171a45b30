import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import { BUCKETS } from '#core/past/history/bucket-edges.ts';
import type { HistoryCursor } from '#core/past/answer/question.ts';
import { described, wordOf } from '#http/note/described.ts';
import { type Format, FORMATS } from '#core/past/answer/text.ts';

/** One question is about so many series at most. */
export const MAX_SERIES = 50;

export const MEDIA_TYPE_OF: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

const moment = z.string().check(z.maxLength(40));
const rangeShape = {
  from: described(
    'Where the range begins: RFC 3339, or before now as `-90m`, `-24h`, `-30d`. 24 hours before `to` if absent.',
    z.optional(moment),
  ),
  to: described('Where it ends; now if absent. Later than now is now.', z.optional(moment)),
  points: described(
    'The most points of each series: the first, least, greatest and last of each part, so that a chart of this width shows the line of all samples. Parts of 12 hours and more are made of hours: their values are exact, and the times of their points are to the hour. 500 if neither this nor `resolution` is given.',
    z.optional(z.int().check(z.gte(10), z.lte(5000))),
  ),
  resolution: described(
    '`raw` for every sample, or buckets that begin in the time zone of the hub.',
    z.optional(wordOf('HistoryResolution', ['raw', ...BUCKETS])),
  ),
  cursor: described(
    'Where the answer goes on: `next` of the one before.',
    z.optional(z.string().check(z.maxLength(200))),
  ),
  format: described(
    '`csv` and `ndjson` have the same rows without what stands beside them: one table with a header, or a JSON object for each row. The `Link` header has the rest.',
    z.optional(wordOf('HistoryFormat', FORMATS)),
  ),
  times: described(
    '`ms`: the times of rows, and of `before`, as milliseconds since 1970.',
    z.optional(z.enum(['iso', 'ms'])),
  ),
};
export const featureHistoryQuerySchema = z.strictObject(rangeShape);
export const historyQuerySchema = z.strictObject({
  series: described(
    `Which series, each a device and a feature: \`kitchen-sensor/temperature\`. At most ${MAX_SERIES}.`,
    z.array(z.string().check(z.minLength(3), z.maxLength(300))).check(z.minLength(1), z.maxLength(MAX_SERIES)),
  ),
  ...rangeShape,
});
export type RangeQuery = z.infer<typeof featureHistoryQuerySchema>;

type HistoryRange = { readonly fromMs: number; readonly toMs: number };

/** Whether the same question is about the same time whenever it is asked, and that time is over. */
export function isClosedRange({ from, to }: RangeQuery, nowMs: number): boolean {
  const isFixed = (moment: string | undefined): boolean => moment !== undefined && !moment.startsWith('-');
  return isFixed(from) && isFixed(to) && Date.parse(to ?? '') <= nowMs;
}

const DAY_MS = 86_400_000;
/** Longer than anybody keeps. */
const MAX_RANGE_MS = 10 * 366 * DAY_MS;

/** Throws HISTORY_RANGE for a range that begins after its end or is longer than ten years. */
export function readRange({ from, to }: RangeQuery, nowMs: number): HistoryRange {
  const toMs = Math.min(nowMs, to === undefined ? nowMs : readMoment(to, 'to', nowMs));
  const fromMs = from === undefined ? toMs - DAY_MS : readMoment(from, 'from', nowMs);
  if (fromMs >= toMs) throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
  if (toMs - fromMs > MAX_RANGE_MS) throw new HubError('HISTORY_RANGE', 'The range is longer than ten years.');
  return { fromMs, toMs };
}

export function readCursor(text: string): HistoryCursor {
  const parts = /^(\d{1,2})\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  if (parts === null) throw new HubError('INVALID_QUERY', 'This cursor is none of the hub.');
  return { index: Number(parts[1]), afterMs: Number(parts[2]), toMs: Number(parts[3]) };
}
