import { HubError } from '#base/hub-error.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import type { Device } from '#core/device/device.ts';
import { seriesKindOf } from '#core/history/recorded-feature.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { answerHistory, type HistoryAnswerDeps, type Wanted } from './answer.ts';
import { exportRoute } from './export.ts';
import { importRoute, type ImportRouteDeps } from './import.ts';
import { historySchema } from './json.ts';
import * as notes from './notes.ts';
import { featureHistoryQuerySchema, historyQuerySchema } from './query.ts';
import { createQueryQueue } from './query-queue.ts';
import { seriesRoute } from './series.ts';
import { timelineRoute, type TimelineRouteDeps } from './timeline.ts';
import { createUnsentAnswers } from './unsent.ts';

export type HistoryRoutesDeps = HistoryAnswerDeps &
  ImportRouteDeps &
  TimelineRouteDeps & {
    readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  };

const RIGHT = 'history:read';

/** What features were in the past. */
export function historyRoutes(deps: HistoryRoutesDeps): readonly Route[] {
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
        return answerHistory(deps, places, { request, wanted: [findSeries(deps, request, `${selector}/${key}`)] });
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
      handle: (request) => {
        const wanted = request.query.series.map((name) => findSeries(deps, request, name));
        return answerHistory(deps, places, { request, wanted });
      },
    }),
    seriesRoute(deps, queue),
    exportRoute(deps),
    importRoute(deps),
    timelineRoute(deps, queue),
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
