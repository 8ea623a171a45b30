import { z } from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { visibilityFor } from '#auth/visibility.ts';
import type { Device } from '#core/device/device.ts';
import type { HistoryStore, SeriesSummary } from '#core/history/history-store.ts';
import { seriesKindOf } from '#core/history/recorded-feature.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { deviceReferenceSchema } from '#http/event/json.ts';
import { described } from '#http/reference/described.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#http/routing/route.ts';
import * as notes from './notes.ts';
import type { QueryQueue } from './query-queue.ts';

export type SeriesRouteDeps = {
  readonly history: Pick<HistoryStore, 'listSeries'>;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const PATH = '/api/v1/history/series';
const RIGHT = 'history:read';

const querySchema = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  cursor: described('From the `Link` of the previous page.', z.optional(z.string().check(z.maxLength(2000)))),
});
type SeriesQuery = z.infer<typeof querySchema>;

export const recordedSeriesSchema = z.object({
  series: described('As `GET /api/v1/history` takes it: the selector of the device and the key.', z.string()),
  device: deviceReferenceSchema,
  key: z.string(),
  kind: z.enum(['gauge', 'counter', 'state', 'event']),
  unit: z.nullable(z.string()),
  first: described('Time of the first sample.', timeSchema),
  last: timeSchema,
  samples: described('Changes, and beginnings of gaps.', z.int()),
  bytes: described('What they take on disk; those of the last hours are not counted yet.', z.int()),
});

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
    answers: { 200: z.array(recordedSeriesSchema) },
    handle: (request) => queue(() => listSeries(deps, request)),
  });
}

async function listSeries(
  { history, registry }: SeriesRouteDeps,
  request: RouteRequest<SeriesQuery, unknown>,
): Promise<RouteAnswer> {
  const { limit = Infinity, cursor } = request.query;
  const parts: string[] = [];
  let count = 0;
  let last: string | undefined;
  let after = cursor === undefined ? null : readCursor(cursor);
  do {
    const page = await history.listSeries(after);
    // The caller's rights may have changed while the storage read.
    const { seesDevice } = visibilityFor(request.authorize(), RIGHT);
    if (request.signal().aborted) break;
    for (const summary of page.series) {
      const json = seriesJson(summary, registry.findDevice, seesDevice);
      if (json === undefined) continue;
      if (count === limit && last !== undefined) return answer(parts, nextLink(limit, last));
      parts.push(JSON.stringify(json));
      count += 1;
      last = summary.name;
    }
    after = page.next;
  } while (after !== null);
  return answer(parts, {});
}

function answer(parts: readonly string[], headers: Readonly<Record<string, string>>): RouteAnswer {
  const bytes = Buffer.from(`[${parts.join(',')}]`);
  return { status: 200, bytes, headers: { ...headers, 'Content-Type': 'application/json' } };
}

/** `undefined` for what a caller cannot ask for: of another device, of one that is gone, and of no feature. */
function seriesJson(
  { name, firstMs, lastMs, count, bytes }: SeriesSummary,
  findDevice: SeriesRouteDeps['registry']['findDevice'],
  seesDevice: (device: Device) => boolean,
): z.infer<typeof recordedSeriesSchema> | undefined {
  const slash = name.indexOf('/');
  const id = name.slice(0, slash);
  const device = findDevice(id);
  // Series of no device have names that may be the selector of one.
  if (device === undefined || device.id !== id || !seesDevice(device)) return undefined;
  const feature = device.features.find(({ key }) => key === name.slice(slash + 1));
  const kind = feature === undefined ? null : seriesKindOf(feature);
  if (feature === undefined || kind === null) return undefined;
  return {
    series: `${device.selector}/${feature.key}`,
    device: { id: device.id, selector: device.selector },
    key: feature.key,
    kind,
    unit: feature.unit,
    first: timeJson(firstMs),
    last: timeJson(lastMs),
    samples: count,
    bytes,
  };
}

/** A cursor names the last series of a page, so that series that come and go do not shift the pages. */
function nextLink(limit: number, name: string): Record<string, string> {
  const next = new URLSearchParams({ limit: String(limit), cursor: Buffer.from(name).toString('base64url') });
  return { Link: `<${PATH}?${next.toString()}>; rel="next"` };
}

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^[0-9a-f-]{36}\/./s.test(name)) return name;
  throw new HubError('INVALID_QUERY', 'This hub did not make the cursor.', {
    errors: [fieldError('?cursor', 'INVALID_VALUE', 'is not a cursor of this hub')],
  });
}
