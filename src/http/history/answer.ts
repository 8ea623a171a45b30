import { visibilityFor } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Bucket } from '#core/history/bucket-edges.ts';
import type { Detail } from '#core/history/history-query.ts';
import type { HistoryStore, SampleRange, SampleSlice } from '#core/history/history-store.ts';
import { seriesOf } from '#core/history/recorder.ts';
import type { SeriesKind } from '#core/history/sample.ts';
import { readTieredHistory } from '#core/hour/hour-query.ts';
import type { HourStore } from '#core/hour/hour-store.ts';
import { wasThinned } from '#core/history/thinning.ts';
import { chooseCoding, compress } from '#http/answer/content-coding.ts';
import { contentTag, isNotModified } from '#http/answer/entity-tag.ts';
import type { RouteAnswer, RouteRequest } from '#http/routing/route.ts';
import { momentJson } from './json.ts';
import { cursorText, type HistoryCursor, isClosedRange, type RangeQuery, readCursor, readRange } from './query.ts';
import type { QueryQueue } from './query-queue.ts';
import { createAnswerText, type Format, MEDIA_TYPE_OF } from './text.ts';
import type { UnsentAnswers } from './unsent.ts';

export type HistoryAnswerDeps = {
  readonly history: HistoryStore;
  /** What outlives the samples. */
  readonly hourStore: HourStore;
  readonly timeZone: () => TimeZone;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
};

/** A series that a caller may read. */
export type Wanted = { readonly device: Device; readonly feature: Feature; readonly kind: SeriesKind };

/** Rows of one answer, of all its series together. */
const MAX_ROWS = 50_000;
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
/** Shorter answers gain nothing from being compressed. */
const MIN_COMPRESSED_BYTES = 1_024;
const VARY = 'Origin, Accept-Encoding';

export type Asked = { readonly request: RouteRequest<RangeQuery, unknown>; readonly wanted: readonly Wanted[] };

/** Where queries wait for their turn, and answers for their clients. */
export type HistoryPlaces = { readonly queue: QueryQueue; readonly unsent: UnsentAnswers };

export async function answerHistory(
  deps: HistoryAnswerDeps,
  { queue, unsent }: HistoryPlaces,
  asked: Asked,
): Promise<RouteAnswer> {
  const { request, wanted } = asked;
  const { query } = request;
  const plan = planOf(deps, asked);
  const isClosed = isClosedRange(query, deps.nowMs());
  unsent.refuseIfFull();
  const { bytes, next } = await queue(() => readAnswer(deps, { request, wanted }, plan));
  // The query may have waited: by now, the caller may see less.
  const { seesDevice } = visibilityFor(request.authorize(), 'history:read');
  if (wanted.some(({ device }) => !seesDevice(device))) throw new HubError('NOT_FOUND', 'There is no such device.');
  const coding = bytes.length < MIN_COMPRESSED_BYTES ? undefined : chooseCoding(request.header('accept-encoding'));
  const headers: Record<string, string> = { 'Content-Type': MEDIA_TYPE_OF[plan.format], Vary: VARY };
  if (next !== null) headers['Link'] = nextLink(request.target, next);
  if (plan.format !== 'json') headers['Content-Disposition'] = `attachment; filename="history.${plan.format}"`;
  if (isClosed) {
    // Late samples, imports and deletions change the past, so the tag is that of the content.
    const etag = contentTag(bytes).replace(/"$/, coding === undefined ? '"' : `-${coding}"`);
    const known = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: VARY };
    if (isNotModified(request.header('if-none-match'), etag)) return { status: 304, headers: known };
    Object.assign(headers, known);
  }
  const body = coding === undefined ? bytes : await compress(bytes, coding);
  if (coding !== undefined) headers['Content-Encoding'] = coding;
  headers['Content-Length'] = String(body.length);
  return { status: 200, bytes: unsent.send(body, request.signal), headers };
}

type Plan = {
  readonly format: Format;
  readonly resolution: 'points' | 'raw' | Bucket;
  readonly cursor: HistoryCursor | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: TimeZone;
};

function planOf({ nowMs, timeZone }: HistoryAnswerDeps, { request: { query }, wanted }: Asked): Plan {
  if (query.points !== undefined && query.resolution !== undefined) {
    throw new HubError('INVALID_QUERY', 'A history has either points or a resolution, not both.');
  }
  const resolution = query.resolution ?? 'points';
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (cursor !== undefined && resolution !== 'raw')
    throw new HubError('INVALID_QUERY', 'Only raw samples have a cursor.');
  const { fromMs, toMs: endMs } = readRange(query, nowMs());
  const toMs = cursor === undefined ? endMs : Math.min(cursor.toMs, endMs);
  const isBuckets = resolution !== 'raw' && resolution !== 'points';
  if (isBuckets && (wanted.length * (toMs - fromMs)) / SHORTEST_MS[resolution] > MAX_ROWS) {
    throw new HubError('HISTORY_RANGE', `This would be more than ${MAX_ROWS} buckets in all.`);
  }
  return { format: query.format ?? 'json', resolution, cursor, fromMs, toMs, zone: timeZone() };
}

async function readAnswer(
  { history, hourStore, monotonicMs }: HistoryAnswerDeps,
  { request, wanted }: Asked,
  { format, resolution, cursor, fromMs, toMs, zone }: Plan,
): Promise<{ readonly bytes: Buffer; readonly next: string | null }> {
  const isBuckets = resolution !== 'raw' && resolution !== 'points';
  const text = createAnswerText(
    format,
    {
      moment: momentJson(request.query.times),
      fromMs,
      toMs,
      timeZone: zone.name,
      rowTypes: wanted.map(({ kind }) => (isBuckets ? kind : 'values')),
    },
    monotonicMs,
  );
  const store = readFor(request, history);
  let rowsLeft = MAX_ROWS;
  let next: string | null = null;
  for (const [index, one] of wanted.entries()) {
    if (index < (cursor?.index ?? 0)) continue;
    if (next !== null || request.signal().aborted) break;
    const afterMs = index === cursor?.index ? cursor.afterMs : null;
    const detail: Detail = isBuckets
      ? { type: 'buckets', bucket: resolution, zone }
      : resolution === 'raw'
        ? { type: 'raw', afterMs, limit: Math.max(1, rowsLeft) }
        : { type: 'points', points: request.query.points ?? 500, zone };
    const series = seriesOf(one.device, one.feature.key);
    const found = await readTieredHistory(
      { history: store, hours: hourStore },
      { series, kind: one.kind, fromMs, toMs, detail },
    );
    const isThinned = await wasThinned(store, { series, fromMs, toMs });
    rowsLeft -= await text.addSeries({ ...one, resolution, isThinned }, found);
    if (found.nextMs !== null) next = cursorText({ index, afterMs: found.nextMs, toMs });
  }
  return { bytes: text.end(next), next };
}

const NOTHING: SampleSlice = { timesMs: new Float64Array(), values: [], gaps: new Map(), next: null };

/** Reads as long as the caller may, and as long as somebody waits for the answer. */
function readFor({ authorize, signal }: Asked['request'], { findBefore, readSlice }: HistoryStore) {
  return {
    findBefore,
    readSlice: async (range: SampleRange, afterMs: number | null): Promise<SampleSlice> => {
      authorize();
      return signal().aborted ? NOTHING : readSlice(range, afterMs);
    },
  };
}

function nextLink(target: string, cursor: string): string {
  const [path, query] = target.split('?', 2);
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return `<${path}?${next.toString()}>; rel="next"`;
}
