import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import type { Caller } from '#auth/caller.ts';
import type { HistoryStore, SeriesSummary } from '#core/past/history/history-store.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { deviceReferenceSchema } from '#http/device/json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import type { RemovedSeriesFinder, SeenSeries, SeenSeriesFinder } from '#http/series/named-series.ts';
import * as notes from './notes.ts';
import type { QueryQueue } from './query-queue.ts';
import { faultWords } from '#words/faults.ts';

type SeriesRouteDeps = {
  readonly history: Pick<HistoryStore, 'listSeries'>;
  readonly series: SeenSeriesFinder;
  readonly removed: RemovedSeriesFinder;
};

const PATH = '/api/v1/history/series';
const RIGHT = 'history:read';

const querySchema = z.strictObject({
  limit: described(
    'How many series are on a page; by default all are on one.',
    z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  ),
  removed: described(
    'Only what is kept of devices, features, modes and variables that are gone; the device is shown by its id.',
    z.optional(z.boolean()),
  ),
  cursor: described('`next` of the answer before.', z.optional(z.string().check(z.maxLength(2000)))),
});
type SeriesQuery = z.infer<typeof querySchema>;

const recordedSeriesSchema = named(
  'RecordedSeries',
  z.object({
    series: described(
      'As `GET /api/v1/history` takes it: the selector of the device and the key, or such as `mode/home`.',
      z.string(),
    ),
    device: described('`null` of a mode, a variable or a person.', z.nullable(deviceReferenceSchema)),
    key: z.string(),
    kind: described(
      '`gauge` and `counter` are numbers, a `state` is a word, an `event` only happens.',
      wordOf('SeriesKind', ['gauge', 'counter', 'state', 'event']),
    ),
    unit: z.nullable(z.string()),
    first: described('Time of the first sample.', timeSchema),
    last: described('Time of the newest sample.', timeSchema),
    samples: described('Changes, and beginnings of gaps.', z.int()),
    bytes: described('What they take on disk; those of the last hours are not counted yet.', z.int()),
  }),
);

const recordedSeriesListSchema = named(
  'RecordedSeriesList',
  z.object({
    series: described('In the order in which their devices came to the hub.', z.array(recordedSeriesSchema)),
    next: described('The `cursor` of the next page; `null` if there is none.', z.nullable(z.string())),
  }),
);

/** Which features have a history. */
export function seriesRoute(deps: SeriesRouteDeps, queue: QueryQueue): Route {
  return defineRoute({
    id: 'listHistorySeries',
    method: 'GET',
    path: PATH,
    summary: 'List the features that have a history',
    tag: 'History',
    note: notes.listHistorySeries,
    access: RIGHT,
    query: querySchema,
    answers: { 200: recordedSeriesListSchema },
    handle: (request) => queue(callerOf(request).user.id, () => listSeries(deps, request)),
  });
}

async function listSeries(
  { history, series, removed }: SeriesRouteDeps,
  request: RouteRequest<SeriesQuery, unknown>,
): Promise<RouteAnswer> {
  const { limit = Infinity, cursor, removed: isRemoved = false } = request.query;
  const find = (summary: SeriesSummary) => (isRemoved ? removed.fromSummary(summary) : series.findStored(summary.name));
  const parts: string[] = [];
  let count = 0;
  let last: string | undefined;
  let after = cursor === undefined ? null : readCursor(cursor);
  do {
    const page = await history.listSeries(after);
    // The caller's rights may have changed while the storage read.
    const caller = request.authorize();
    if (request.signal().aborted) break;
    for (const summary of page.series) {
      const json = seriesJson(summary, find(summary), caller);
      if (json === undefined) continue;
      if (count === limit && last !== undefined) return answer(parts, cursorAt(last));
      parts.push(JSON.stringify(json));
      count += 1;
      last = summary.name;
    }
    after = page.next;
  } while (after !== null);
  return answer(parts, null);
}

function answer(parts: readonly string[], next: string | null): RouteAnswer {
  const bytes = Buffer.from(`{"series":[${parts.join(',')}],"next":${JSON.stringify(next)}}`);
  return { status: 200, bytes, headers: { 'Content-Type': 'application/json' } };
}

/** `undefined` for what a caller cannot ask for: of another device, of one that is gone, and of no feature. */
function seriesJson(
  { firstMs, lastMs, count, bytes }: SeriesSummary,
  series: SeenSeries | undefined,
  caller: Caller,
): z.infer<typeof recordedSeriesSchema> | undefined {
  if (series?.isSeenBy(caller) !== true) return undefined;
  const { shown, device, key, kind, unit } = series;
  const [first, last] = [timeJson(firstMs), timeJson(lastMs)];
  return { series: shown, device, key, kind, unit, first, last, samples: count, bytes };
}

/** A cursor names the last series of a page, so that series that come and go do not shift the pages. */
function cursorAt(name: string): string {
  return Buffer.from(name).toString('base64url');
}

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^(?:[0-9a-f-]{36}|[a-z]+)\/./s.test(name)) return name;
  throw new HubError('INVALID_QUERY', 'This hub did not make the cursor.', {
    errors: [fieldError('?cursor', 'INVALID_VALUE', ...faultWords('unknown_cursor'))],
  });
}
