import type { JsonObject } from '#base/json.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { systemInfoSchema } from './json.ts';
import * as notes from './notes.ts';

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
