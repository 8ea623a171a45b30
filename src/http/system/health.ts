import type { Authenticate } from '#auth/authenticate.ts';
import { canCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { healthSchema, type HealthState } from './json.ts';
import * as notes from './notes.ts';

type HealthRoutesDeps = {
  readonly healthStatus: () => HealthState;
  /** For callers with `system:read`: database, last backup, disk, clock, addresses, … in the form of the API. */
  readonly healthDetails: () => JsonObject | Promise<JsonObject>;
  readonly authenticate: Authenticate;
  readonly isClaimed: () => boolean;
};

/** The health of the hub. */
export function healthRoutes(deps: HealthRoutesDeps): readonly Route[] {
  /** A bad token counts as none here: a watchdog with an outdated token still needs the status. */
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
      summary: 'Show whether the hub is well and, with the right system:read, why',
      tag: 'Hub',
      note: notes.getHealth,
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
