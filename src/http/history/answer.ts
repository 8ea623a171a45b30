import { HubError } from '#base/hub-error.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { Bucket } from '#core/past/history/bucket-edges.ts';
import type { AnswerHistory, AskedSeries, HistoryQuestion } from '#core/past/answer/question.ts';
import { nextLink } from '#http/answer/linked-page.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { isNotModified } from '#http/answer/entity-tag.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { RouteRequest } from '#http/routing/route.ts';
import type { SeenSeries } from '#http/series/named-series.ts';
import { isClosedRange, MEDIA_TYPE_OF, type RangeQuery, readCursor, readRange } from './query.ts';
import type { QueryQueue } from './query-queue.ts';
import type { UnsentAnswers } from './unsent.ts';

export type HistoryAnswerDeps = {
  readonly answerHistory: AnswerHistory;
  readonly timeZone: () => TimeZone;
  /** Hub time. */
  readonly nowMs: () => number;
};

/** Rows of one answer, of all its series together. */
const MAX_ROWS = 50_000;
const DEFAULT_POINTS = 500;
/** The shortest that a bucket of this kind lasts. */
const SHORTEST_MS: Record<Bucket, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 1_800_000,
  '1d': 22 * 3_600_000,
  '1w': 6 * 86_400_000,
  '1mo': 27 * 86_400_000,
};
const VARY = 'Origin, Accept-Encoding';

type Asked = { readonly request: RouteRequest<RangeQuery, unknown>; readonly wanted: readonly SeenSeries[] };

/** Where queries wait for their turn, and answers for their clients. */
type HistoryPlaces = { readonly queue: QueryQueue; readonly unsent: UnsentAnswers };

export async function answerHistory(
  deps: HistoryAnswerDeps,
  { queue, unsent }: HistoryPlaces,
  asked: Asked,
): Promise<RouteAnswer> {
  const { request } = asked;
  const { query } = request;
  const question = questionOf(deps, asked);
  const isClosed = isClosedRange(query, deps.nowMs());
  const person = callerOf(request).user.id;
  unsent.refuseIfFull(person);
  const { bytes, coding, tag, next } = await queue(person, async () => {
    // It may have waited: by now, the caller may see less.
    authorizeFor(asked);
    return deps.answerHistory(question, request.signal());
  });
  authorizeFor(asked);
  const headers: Record<string, string> = { 'Content-Type': MEDIA_TYPE_OF[question.format], Vary: VARY };
  if (next !== null) headers['Link'] = nextLink(request.target, next);
  if (question.format !== 'json') headers['Content-Disposition'] = `attachment; filename="history.${question.format}"`;
  if (isClosed) {
    // Late samples, imports and deletions change the past, so the tag is that of the content.
    const etag = tag.replace(/"$/, coding === null ? '"' : `-${coding}"`);
    const known = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: VARY };
    if (isNotModified(request.header('if-none-match'), etag)) return { status: 304, headers: known };
    Object.assign(headers, known);
  }
  if (coding !== null) headers['Content-Encoding'] = coding;
  headers['Content-Length'] = String(bytes.length);
  return { status: 200, bytes: unsent.send(bytes, { person, signal: request.signal }), headers };
}

function authorizeFor({ request, wanted }: Asked): void {
  const caller = request.authorize();
  if (wanted.some(({ isSeenBy }) => !isSeenBy(caller))) throw new HubError('NOT_FOUND', 'There is no such series.');
}

function questionOf({ nowMs, timeZone }: HistoryAnswerDeps, { request, wanted }: Asked): HistoryQuestion {
  const { query } = request;
  if (query.points !== undefined && query.resolution !== undefined) {
    throw new HubError('INVALID_QUERY', 'A history has either points or a resolution, not both.');
  }
  const resolution = query.resolution ?? 'points';
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor);
  if (cursor !== null && resolution !== 'raw') throw new HubError('INVALID_QUERY', 'Only raw samples have a cursor.');
  const { fromMs, toMs: endMs } = readRange(query, nowMs());
  const toMs = cursor === null ? endMs : Math.min(cursor.toMs, endMs);
  const isBuckets = resolution !== 'raw' && resolution !== 'points';
  if (isBuckets && (wanted.length * (toMs - fromMs)) / SHORTEST_MS[resolution] > MAX_ROWS) {
    throw new HubError('HISTORY_RANGE', `This would be more than ${MAX_ROWS} buckets in all.`);
  }
  return {
    format: query.format ?? 'json',
    times: query.times ?? 'iso',
    resolution,
    points: query.points ?? DEFAULT_POINTS,
    maxRows: MAX_ROWS,
    fromMs,
    toMs,
    cursor,
    timeZone: timeZone().name,
    coding: chooseCoding(request.header('accept-encoding')) ?? null,
    series: wanted.map(askedOf),
  };
}

/** Only what can be sent to another thread. */
function askedOf({ name, shown, device, key, kind, unit }: SeenSeries): AskedSeries {
  return { name, shown, device: device && { id: device.id, selector: device.selector }, key, kind, unit };
}
