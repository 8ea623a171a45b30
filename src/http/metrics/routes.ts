import { type Caller, callerId } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Device } from '#core/device/device.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { type HomeMetricsDeps, renderHomeMetrics } from './home-metrics.ts';
import { type HubVitals, renderHubMetrics } from './hub-metrics.ts';
import * as notes from './notes.ts';

type MetricsRoutesDeps = Pick<HomeMetricsDeps, 'findRoom' | 'monotonicMs'> & {
  readonly registry: { readonly devices: () => readonly Device[] };
  readonly hubVitals: () => HubVitals;
  readonly startTimer: StartTimer;
};

const RIGHT = 'metrics:read';
const MAX_LINES = 10_000;
/** All requests within this time get the same text. */
const SHARED_MS = 1_000;

/** The present values of the home for Prometheus. */
export function metricsRoutes(deps: MetricsRoutesDeps): readonly Route[] {
  const textFor = createSharedTexts(deps);
  return [
    defineRoute({
      id: 'getMetrics',
      method: 'GET',
      path: '/api/v1/metrics',
      summary: 'Show the present values as metrics for Prometheus',
      tag: 'History',
      note: notes.getMetrics,
      access: RIGHT,
      answers: { 200: null },
      handle: async (request) => {
        const bytes = await textFor(callerOf(request));
        // The caller's rights may have changed while it waited.
        request.authorize();
        return { status: 200, bytes, headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } };
      },
    }),
  ];
}

/** One text for all callers that see the whole home, and one for each that sees a part of it. */
function createSharedTexts(deps: MetricsRoutesDeps): (caller: Caller) => Promise<Buffer> {
  const shared = new Map<string, Promise<Buffer>>();
  // One after the other: the slices of several would add up to a long turn.
  const turn = createTurnQueue();
  return (caller) => {
    const { isWhole } = visibilityFor(caller, RIGHT);
    const key = isWhole ? '' : callerId(caller);
    const known = shared.get(key);
    if (known !== undefined) return known;
    const text = turn(() => renderText(deps, caller));
    shared.set(key, text);
    const forget = (): boolean => shared.delete(key);
    text.then(() => deps.startTimer(SHARED_MS, forget), forget);
    return text;
  };
}

async function renderText(
  { registry, hubVitals, findRoom, monotonicMs }: MetricsRoutesDeps,
  caller: Caller,
): Promise<Buffer> {
  const { isWhole, seesDevice } = visibilityFor(caller, RIGHT);
  const hub = isWhole ? renderHubMetrics(hubVitals()) : { chunks: [], lines: 0 };
  const home = { devices: registry.devices, findRoom, monotonicMs };
  return Buffer.concat([
    ...hub.chunks,
    ...(await renderHomeMetrics(home, { seesDevice, maxLines: MAX_LINES - hub.lines })),
  ]);
}
