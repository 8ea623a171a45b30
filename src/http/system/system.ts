import { z } from 'zod/mini';
import type { JsonObject } from '#base/json.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { timeSchema } from '#http/answer/time-json.ts';

export type SystemRoutesDeps = {
  /** In the contract's spelling. */
  readonly systemInfo: () => Promise<JsonObject>;
};

export const systemInfoSchema = z.looseObject({
  version: z.string(),
  uptime_seconds: z.int(),
  memory_bytes: z.int(),
  machine: z.looseObject({
    hostname: z.string(),
    model: z.nullable(z.string()),
    architecture: z.string(),
    operating_system: z.nullable(z.string()),
    kernel: z.string(),
    node: z.string(),
    processors: z.int(),
    memory_bytes: z.int(),
    uptime_seconds: z.int(),
  }),
  /** Base addresses under which the API is served at the moment. */
  addresses: z.array(z.string()),
  clock: z.looseObject({ now: timeSchema, synced: z.boolean() }),
  disk: z.looseObject({ free_bytes: z.nullable(z.int()), total_bytes: z.nullable(z.int()) }),
});

/** What runs here, and on what. */
export function systemRoutes({ systemInfo }: SystemRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getSystemInfo',
      method: 'GET',
      path: '/api/v1/system/info',
      summary: 'Show the version of the hub and the machine on which it runs',
      access: 'system:read',
      answers: { 200: systemInfoSchema },
      handle: async () => ({ status: 200, json: await systemInfo() }),
    }),
  ];
}
