import { HubError } from '#base/hub-error.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { createLabels } from '#core/past/archive/series-labels.ts';
import type { SeriesFinderDeps } from '#core/past/archive/series-finder.ts';
import type { Device } from '#core/device/device.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  createRemovedSeriesFinder,
  createSeenSeriesFinder,
  type RemovedSeriesFinder,
  type SeenSeries,
  type SeenSeriesFinder,
} from '#http/series/named-series.ts';
import { answerHistory, type HistoryAnswerDeps } from './answer.ts';
import { exportRoute } from './export.ts';
import { importRoute, type ImportRouteDeps } from './import.ts';
import { historySchema } from './json.ts';
import * as notes from './notes.ts';
import { featureHistoryQuerySchema, historyQuerySchema } from './query.ts';
import { createQueryQueue } from './query-queue.ts';
import { seriesRoute } from './series.ts';
import { timelineRoute, type TimelineRouteDeps } from './timeline.ts';
import { createUnsentAnswers } from './unsent.ts';

type HistoryRoutesDeps = HistoryAnswerDeps &
  SeriesFinderDeps &
  Omit<ImportRouteDeps, 'series'> &
  Omit<TimelineRouteDeps, 'series'> & {
    readonly history: Pick<HistoryStore, 'findSeries'>;
    readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  };

const RIGHT = 'history:read';

/** Makes the calls about what features were in the past. */
export function historyRoutes(ports: HistoryRoutesDeps): readonly Route[] {
  const labelsOf = createLabels({ ...ports.registry, findRoom: ports.findRoom });
  const removed = createRemovedSeriesFinder(ports);
  const deps = { ...ports, series: createSeenSeriesFinder(ports), removed, labelsOf };
  const queue = createQueryQueue();
  const places = { queue, unsent: createUnsentAnswers() };
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
      answers: { 200: historySchema, 304: null },
      handle: (request) => {
        const { selector = '', key = '' } = request.params;
        return answerHistory(deps, places, { request, wanted: [findSeries(deps, request, { device: selector, key })] });
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
      answers: { 200: historySchema, 304: null },
      handle: async (request) => {
        const wanted = await Promise.all(request.query.series.map((shown) => findShown(deps, request, shown)));
        return answerHistory(deps, places, { request, wanted });
      },
    }),
    seriesRoute(deps, queue),
    exportRoute(deps),
    importRoute(deps),
    timelineRoute(deps, queue),
  ];
}

type Deps = Pick<HistoryRoutesDeps, 'registry'> & {
  readonly series: SeenSeriesFinder;
  readonly removed: RemovedSeriesFinder;
};
type Asking = Pick<RouteRequest<unknown, unknown>, 'caller'>;

async function findShown(deps: Deps, request: Asking, shown: string): Promise<SeenSeries> {
  const found = deps.series.find(shown);
  if (found?.isSeenBy(callerOf(request)) === true) return found;
  const gone = found === undefined ? await deps.removed.find(shown) : undefined;
  if (gone?.isSeenBy(callerOf(request)) === true) return gone;
  const slash = shown.indexOf('/');
  return findSeries(deps, request, { device: slash < 0 ? '' : shown.slice(0, slash), key: shown.slice(slash + 1) });
}

/** The series of a feature. Says what is wrong with a name that is none. */
function findSeries(
  { registry, series }: Deps,
  request: Asking,
  { device: name, key }: { readonly device: string; readonly key: string },
): SeenSeries {
  const device = findDeviceIn(visibilityFor(callerOf(request), RIGHT), registry.findDevice)(name);
  if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
  if (device.features.every((feature) => feature.key !== key)) {
    throw new HubError('NOT_FOUND', 'This device has no such feature.');
  }
  const found = series.find(`${device.id}/${key}`);
  if (found === undefined) throw new HubError('NOT_SUPPORTED', 'Nothing is recorded of this feature.');
  return found;
}
