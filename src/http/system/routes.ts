import type { JsonObject } from '#base/json.ts';
import type { Route, RouteAnswer } from '#http/routing/route.ts';
import { defineRoute, mergePatchBody } from '#http/routing/route.ts';
import { hubSchema, hubUpdateSchema, systemInfoSchema } from './json.ts';
import * as notes from './notes.ts';

export type HubIdentity = { readonly id: string; readonly name: string };

export type HubRoutesDeps = {
  readonly hub: () => HubIdentity;
  /** Resolves once the name is on disk. */
  readonly renameHub: (name: string) => Promise<void>;
};

/** The identity of the hub. */
export function hubRoutes({ hub, renameHub }: HubRoutesDeps): readonly Route[] {
  const show = (): RouteAnswer => {
    const { id, name } = hub();
    return { status: 200, json: { id, name } };
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
      summary: 'Rename the hub',
      tag: 'Hub',
      note: notes.updateHub,
      access: 'hub:manage',
      body: mergePatchBody(hubUpdateSchema),
      answers: { 200: hubSchema },
      audit: ({ body }) => (body.name === undefined ? undefined : { type: 'hub.renamed' }),
      handle: async ({ body }) => {
        if (body.name !== undefined) await renameHub(body.name);
        return show();
      },
    }),
  ];
}

export type SystemRoutesDeps = {
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
