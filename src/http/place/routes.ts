import { type FaultWords, faultWords } from '#words/faults.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { LocationRecord } from '#core/place/location-record.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute, jsonBody } from '#http/routing/route.ts';
import { clockJson, clockSchema, clockWishSchema, locationJson, locationSchema, locationWishSchema } from './json.ts';
import * as notes from './notes.ts';

type PlaceRoutesDeps = {
  readonly locationRecord: Pick<LocationRecord, 'location' | 'set'>;
  readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'source' | 'tell'>;
};

const PATH = '/api/v1/hub/location';
/** Without the place itself: the audit log is in exports and backups, and more people read it. */
const AUDIT = { type: 'hub.changed', detail: 'location' } as const;
const EARLIEST_MS = Date.UTC(2026, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Where and when the hub is. */
export function placeRoutes({ locationRecord, hubClock }: PlaceRoutesDeps): readonly Route[] {
  const show = (): RouteAnswer => {
    const location = locationRecord.location();
    if (location === undefined) throw new HubError('NOT_FOUND', 'Nobody has said where the home is.');
    return { status: 200, json: locationJson(location) };
  };
  return [
    defineRoute({
      id: 'getHubLocation',
      method: 'GET',
      path: PATH,
      summary: 'Show where the home is',
      tag: 'Hub',
      note: notes.getHubLocation,
      access: 'hub:manage',
      answers: { 200: locationSchema },
      handle: show,
    }),
    defineRoute({
      id: 'setHubLocation',
      method: 'PUT',
      path: PATH,
      summary: 'Say where the home is',
      tag: 'Hub',
      note: notes.setHubLocation,
      access: 'hub:manage',
      body: jsonBody(locationWishSchema),
      answers: { 200: locationSchema },
      audit: () => AUDIT,
      handle: async ({ body: { latitude, longitude, elevation_m: elevationM = null }, authorize }) => {
        await locationRecord.set({ latitude, longitude, elevationM }, authorize);
        return show();
      },
    }),
    defineRoute({
      id: 'removeHubLocation',
      method: 'DELETE',
      path: PATH,
      summary: 'Forget where the home is',
      tag: 'Hub',
      note: notes.removeHubLocation,
      access: 'hub:manage',
      answers: { 204: null },
      audit: () => AUDIT,
      handle: async ({ authorize }) => {
        await locationRecord.set(null, authorize);
        return { status: 204 };
      },
    }),
    clockRoute(hubClock),
  ];
}

function clockRoute(hubClock: PlaceRoutesDeps['hubClock']): Route {
  return defineRoute({
    id: 'reportHubClock',
    method: 'POST',
    path: '/api/v1/hub/clock',
    summary: 'Say what time it is',
    tag: 'Hub',
    note: notes.reportHubClock,
    access: 'hub:manage',
    body: jsonBody(clockWishSchema),
    answers: { 200: clockSchema },
    audit: () => ({ type: 'hub.changed', detail: 'clock' }),
    handle: async ({ body, authorize }) => {
      authorize();
      const refuse = (...words: FaultWords): HubError =>
        validationFailed([fieldError('/now', 'OUT_OF_RANGE', ...words)]);
      const nowMs = Date.parse(body.now);
      if (nowMs < EARLIEST_MS || nowMs >= LATEST_MS) throw refuse(...faultWords('clock_range'));
      const outcome = await hubClock.tell(nowMs);
      if (outcome === 'synced') throw new HubError('CLOCK_SYNCED', 'A time server has set the clock of this machine.');
      if (outcome === 'past') throw refuse(...faultWords('clock_past'));
      return { status: 200, json: clockJson(hubClock) };
    },
  });
}
