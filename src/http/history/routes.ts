import { HubError } from '#base/hub-error.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Bucket } from '#core/history/bucket-edges.ts';
import { type Detail, readHistory } from '#core/history/history-query.ts';
import type { HistoryStore, SampleRange, SampleSlice } from '#core/history/history-store.ts';
import { seriesKindOf } from '#core/history/recorded-feature.ts';
import { seriesOf } from '#core/history/recorder.ts';
import type { SeriesKind } from '#core/history/sample.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#http/routing/route.ts';
import { historySchema, historySeriesJson, momentJson } from './json.ts';
import * as notes from './notes.ts';
import {
  cursorText,
  featureHistoryQuerySchema,
  historyQuerySchema,
  type RangeQuery,
  readCursor,
  readRange,
} from './query.ts';
import { createQueryQueue, type QueryQueue } from './query-queue.ts';
import { seriesRoute } from './series.ts';

export type HistoryRoutesDeps = {
  readonly history: HistoryStore;
  readonly timeZone: () => TimeZone;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const RIGHT = 'history:read';
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

type Wanted = { readonly device: Device; readonly feature: Feature; readonly kind: SeriesKind };

/** What features were in the past. */
export function historyRoutes(deps: HistoryRoutesDeps): readonly Route[] {
  const queue = createQueryQueue();
  return [
    defineRoute({
      id: 'getFeatureHistory',
      method: 'GET',
      path: '/api/v1/device/:selector/feature/:key/history',
      summary: 'Show the history of one feature',
      tag: 'History',
      note: notes.getFeatureHistory,
      access: RIGHT,
      query: featureHistoryQuerySchema,
      answers: { 200: historySchema },
      handle: (request) => {
        const { selector = '', key = '' } = request.params;
        return answerHistory(deps, queue, { request, wanted: [findSeries(deps, request, `${selector}/${key}`)] });
      },
    }),
    defineRoute({
      id: 'getHistory',
      method: 'GET',
      path: '/api/v1/history',
      summary: 'Show the history of several features',
      tag: 'History',
      note: notes.getHistory,
      access: RIGHT,
      query: historyQuerySchema,
      answers: { 200: historySchema },
      handle: (request) => {
        const wanted = request.query.series.map((name) => findSeries(deps, request, name));
        return answerHistory(deps, queue, { request, wanted });
      },
    }),
    seriesRoute(deps, queue),
  ];
}

function findSeries({ registry }: HistoryRoutesDeps, request: RouteRequest<unknown, unknown>, name: string): Wanted {
  const slash = name.indexOf('/');
  const findDevice = findDeviceIn(visibilityFor(callerOf(request), RIGHT), registry.findDevice);
  const device = slash < 0 ? undefined : findDevice(name.slice(0, slash));
  if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
  const feature = device.features.find(({ key }) => key === name.slice(slash + 1));
  if (feature === undefined) throw new HubError('NOT_FOUND', 'This device has no such feature.');
  const kind = seriesKindOf(feature);
  if (kind === null) throw new HubError('NOT_SUPPORTED', 'Nothing is recorded of this feature.');
  return { device, feature, kind };
}

type Asked = { readonly request: RouteRequest<RangeQuery, unknown>; readonly wanted: readonly Wanted[] };

async function answerHistory(
  deps: HistoryRoutesDeps,
  queue: QueryQueue,
  { request, wanted }: Asked,
): Promise<RouteAnswer> {
  const { query } = request;
  if (query.points !== undefined && query.resolution !== undefined) {
    throw new HubError('INVALID_QUERY', 'A history has either points or a resolution, not both.');
  }
  const resolution = query.resolution ?? 'points';
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (cursor !== undefined && resolution !== 'raw')
    throw new HubError('INVALID_QUERY', 'Only raw samples have a cursor.');
  const range = readRange(query, deps.nowMs());
  const { fromMs, toMs = range.toMs } = {
    fromMs: range.fromMs,
    ...(cursor && { toMs: Math.min(cursor.toMs, range.toMs) }),
  };
  const zone = deps.timeZone();
  const moment = momentJson(query.times);
  const store = readFor(request, deps.history);
  const series: unknown[] = [];
  let rowsLeft = MAX_ROWS;
  let next: string | null = null;
  await queue(async () => {
    for (let index = cursor?.index ?? 0; index < wanted.length && next === null; index += 1) {
      const one = wanted[index];
      if (one === undefined) break;
      const afterMs = index === cursor?.index ? cursor.afterMs : null;
      const detail = detailOf(query, { zone, afterMs, limit: rowsLeft, lengthMs: toMs - fromMs, count: wanted.length });
      const name = seriesOf(one.device, one.feature.key);
      const found = await readHistory(store, { series: name, kind: one.kind, fromMs, toMs, detail });
      const json = historySeriesJson({ ...one, resolution }, found, moment);
      rowsLeft -= json.rows.length;
      series.push(json);
      if (found.nextMs !== null) next = cursorText({ index, afterMs: found.nextMs, toMs });
    }
  });
  const json = { from: moment(fromMs), to: moment(toMs), time_zone: zone.name, next, series };
  return { status: 200, json };
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

type Limits = {
  /** How many series are asked for. */
  readonly count: number;
  readonly zone: TimeZone;
  readonly afterMs: number | null;
  readonly limit: number;
  readonly lengthMs: number;
};

function detailOf({ points = 500, resolution }: RangeQuery, { zone, afterMs, limit, lengthMs, count }: Limits): Detail {
  if (resolution === undefined) return { type: 'points', points };
  if (resolution === 'raw') return { type: 'raw', afterMs, limit: Math.max(1, limit) };
  if ((count * lengthMs) / SHORTEST_MS[resolution] > MAX_ROWS) {
    throw new HubError('HISTORY_RANGE', `This would be more than ${MAX_ROWS} buckets in all.`);
  }
  return { type: 'buckets', bucket: resolution, zone };
}
