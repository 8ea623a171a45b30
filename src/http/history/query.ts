import { z } from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { BUCKETS } from '#core/history/bucket-edges.ts';
import { described } from '#http/reference/described.ts';
import { FORMATS } from './text.ts';

const moment = z.string().check(z.maxLength(40));
const rangeShape = {
  from: described(
    'Where the range begins: RFC 3339, or before now as `-90m`, `-24h`, `-30d`. 24 hours before `to` if absent.',
    z.optional(moment),
  ),
  to: described('Where it ends; now if absent. Later than now is now.', z.optional(moment)),
  points: described(
    'The most points of each series: the first, least, greatest and last of each part, so that a chart of this width shows the line of all samples. 500 if neither this nor `resolution` is given.',
    z.optional(z.int().check(z.gte(10), z.lte(5000))),
  ),
  resolution: described(
    '`raw` for every sample, or buckets that begin in the time zone of the hub.',
    z.optional(z.enum(['raw', ...BUCKETS])),
  ),
  cursor: described(
    'Where the answer goes on: `next` of the one before.',
    z.optional(z.string().check(z.maxLength(200))),
  ),
  format: described(
    '`csv` and `ndjson` have the same rows without what stands beside them: one table with a header, or a JSON object for each row. The `Link` header has the rest.',
    z.optional(z.enum(FORMATS)),
  ),
  times: described('`ms`: times as milliseconds since 1970.', z.optional(z.enum(['iso', 'ms']))),
};
export const featureHistoryQuerySchema = z.strictObject(rangeShape);
export const historyQuerySchema = z.strictObject({
  series: described(
    'Which series, each a device and a feature: `kitchen-sensor/temperature`. At most 50.',
    z.array(z.string().check(z.minLength(3), z.maxLength(300))).check(z.minLength(1), z.maxLength(50)),
  ),
  ...rangeShape,
});
export type RangeQuery = z.infer<typeof featureHistoryQuerySchema>;

export type HistoryRange = { readonly fromMs: number; readonly toMs: number };

/** Whether the same question is about the same time whenever it is asked, and that time is over. */
export function isClosedRange({ from, to }: RangeQuery, nowMs: number): boolean {
  const isFixed = (moment: string | undefined): boolean => moment !== undefined && !moment.startsWith('-');
  return isFixed(from) && isFixed(to) && Date.parse(to ?? '') <= nowMs;
}

const DAY_MS = 86_400_000;
const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS } as const;
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

/** Hub time of a moment that is given as a time or as a time before now. Throws INVALID_QUERY. */
export function readMoment(text: string, name: 'from' | 'to', nowMs: number): number {
  const ago = /^-(\d{1,6})([smhd])$/.exec(text);
  if (ago !== null) return nowMs - Number(ago[1]) * UNITS_MS[ago[2] as keyof typeof UNITS_MS];
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  const atMs = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
    errors: [fieldError(`?${name}`, 'INVALID_FORMAT', 'must be a time as 2026-11-22T10:00:00Z or -24h')],
  });
}

export type HistoryCursor = { readonly index: number; readonly afterMs: number; readonly toMs: number };

/** Where a raw answer stopped, and the end of its range, which must not move between its parts. */
export function cursorText({ index, afterMs, toMs }: HistoryCursor): string {
  return [index, afterMs, toMs].join('.');
}

export function readCursor(text: string): HistoryCursor {
  const parts = /^(\d{1,2})\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  if (parts === null) throw new HubError('INVALID_QUERY', 'This cursor is none of the hub.');
  return { index: Number(parts[1]), afterMs: Number(parts[2]), toMs: Number(parts[3]) };
}
