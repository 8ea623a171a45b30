import { fieldError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { isTimeZone } from '#base/time/time-zone.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requireTag, tagOf } from '#http/answer/entity-tag.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute, mergePatchBody } from '#http/routing/route.ts';
import { clockJson, type ShownClock } from '#http/place/json.ts';
import { hubSchema, hubUpdateSchema, systemInfoSchema } from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

type HubRoutesDeps = {
  readonly hubIdentity: Pick<HubIdentity, 'identity' | 'timeZone' | 'language' | 'update'>;
  readonly hubClock: ShownClock;
};

/** The identity of the hub. */
export function hubRoutes({ hubIdentity: hub, hubClock }: HubRoutesDeps): readonly Route[] {
  const settable = () => ({ name: hub.identity().name, time_zone: hub.timeZone().name, language: hub.language() });
  const show = (): RouteAnswer => {
    const json = { id: hub.identity().id, ...settable(), clock: clockJson(hubClock) };
    return { status: 200, json, headers: { ETag: tagOf(settable()) } };
  };
  return [
    defineRoute({
      id: 'getHub',
      method: 'GET',
      path: '/api/v1/hub',
      summary: 'Show the hub’s id and name',
      tag: 'Hub',
      note: notes.getHub,
      access: 'any',
      answers: { 200: hubSchema },
      handle: show,
    }),
    defineRoute({
      id: 'updateHub',
      method: 'PATCH',
      path: '/api/v1/hub',
      summary: 'Change the hub’s name, time zone or language',
      tag: 'Hub',
      note: notes.updateHub,
      access: 'hub:manage',
      body: mergePatchBody(hubUpdateSchema),
      answers: { 200: hubSchema },
      audit: ({ body }) => {
        if (body.time_zone !== undefined || body.language !== undefined) return changedFields('hub.changed', body);
        return body.name === undefined ? undefined : { type: 'hub.renamed' };
      },
      handle: async ({ body: { name, time_zone: timeZone, language }, header, authorize }) => {
        if (timeZone !== undefined && !isTimeZone(timeZone)) {
          throw validationFailed([fieldError('/time_zone', 'INVALID_VALUE', ...faultWords('time_zone'))]);
        }
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(timeZone === undefined ? {} : { timeZone }),
          ...(language === undefined ? {} : { language }),
        };
        await hub.update(change, () => {
          authorize();
          requireTag(header('if-match'), tagOf(settable()));
        });
        return show();
      },
    }),
  ];
}

type SystemRoutesDeps = {
  /** In the form of the API. */
  readonly systemInfo: () => Promise<JsonObject>;
};

/** The version of the hub and its machine. */
export function systemRoutes({ systemInfo }: SystemRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getSystemInfo',
      method: 'GET',
      path: '/api/v1/system/info',
      summary: 'Show the version of the hub and its machine',
      tag: 'Hub',
      note: notes.getSystemInfo,
      access: 'system:read',
      answers: { 200: systemInfoSchema },
      handle: async () => ({ status: 200, json: await systemInfo() }),
    }),
  ];
}
