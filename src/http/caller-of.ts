import type { Caller } from '#auth/caller.ts';
import type { RouteRequest } from './route.ts';

/** The caller of a route whose `access` is not `public`: there is one, or the router is at fault. */
export function callerOf(request: Pick<RouteRequest<unknown, unknown>, 'caller'>): Caller {
  if (request.caller === undefined) throw new Error('a route that needs a caller was answered without one');
  return request.caller;
}
