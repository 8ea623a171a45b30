import { z } from 'zod/mini';
import type { Authenticate } from '#auth/authenticate.ts';
import { canCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { INTEGRATION_STATES } from '#core/event/event.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { timeSchema } from '#http/answer/time-json.ts';

/** `degraded`: it answers, but something of it needs a person. */
export const HEALTH_STATES = ['ok', 'degraded'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export type HealthRoutesDeps = {
  readonly healthStatus: () => HealthState;
  /** For callers with `system:read`: database, last backup, disk, clock, addresses, … in the contract's spelling. */
  readonly healthDetails: () => JsonObject | Promise<JsonObject>;
  readonly authenticate: Authenticate;
  readonly isClaimed: () => boolean;
};

/** Beside the status only with `system:read`. */
export const recoverySchema = z.looseObject({ reason: z.string(), from: z.nullable(z.string()) });
export const healthSchema = z.looseObject({
  status: z.enum(HEALTH_STATES),
  database: z.optional(
    z.looseObject({
      status: z.string(),
      read_only: z.boolean(),
      /** What was done about a broken database at the last start. */
      recovered: z.nullable(recoverySchema),
      backup_failure: z.nullable(z.string()),
    }),
  ),
  last_backup: z.optional(z.nullable(timeSchema)),
  disk: z.optional(z.looseObject({ free_bytes: z.nullable(z.number()), written_today_bytes: z.nullable(z.number()) })),
  /** The time of day of the machine, the hub's own idea of it, and whether either can be trusted. */
  clock: z.optional(z.looseObject({ now: timeSchema, hub_time: timeSchema, synced: z.boolean(), detail: z.string() })),
  /** Base addresses under which the API is served at the moment. */
  addresses: z.optional(z.array(z.string())),
  /** The name under which mDNS finds it at the moment, and another host that has one of its names. */
  advertised: z.optional(
    z.looseObject({
      host: z.nullable(z.string()),
      conflict: z.nullable(z.looseObject({ name: z.string(), holder: z.string() })),
    }),
  ),
  event_clients: z.optional(z.int()),
  integrations: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        state: z.enum(INTEGRATION_STATES),
        error: z.optional(z.nullable(z.object({ code: z.string(), message: z.string() }))),
        devices: z.int(),
      }),
    ),
  ),
});

/** How the hub is. */
export function healthRoutes(deps: HealthRoutesDeps): readonly Route[] {
  /** A watchdog with an outdated token still wants to know the status: here a bad token counts as none. */
  const maySeeDetails = async (authorization: string | undefined, peer: string): Promise<boolean> => {
    if (authorization === undefined || !deps.isClaimed()) return false;
    try {
      return canCaller(await deps.authenticate([authorization], peer), 'system:read');
    } catch (cause) {
      if (cause instanceof HubError) return false;
      throw cause;
    }
  };
  return [
    defineRoute({
      id: 'getHealth',
      method: 'GET',
      path: '/api/v1/health',
      summary: 'Show whether the hub is well; with the right system:read also why',
      access: 'public',
      whileUnclaimed: true,
      answers: { 200: healthSchema },
      handle: async ({ header, peer }) => {
        const status = deps.healthStatus();
        if (!(await maySeeDetails(header('authorization'), peer))) return { status: 200, json: { status } };
        return { status: 200, json: { status, ...(await deps.healthDetails()) } };
      },
    }),
  ];
}
