import type { Caller, SessionCaller } from '#auth/caller.ts';
import type { RouteRequest } from '#http/routing/route.ts';

type Asking = Pick<RouteRequest<unknown, unknown>, 'caller'>;

/** The same request with the caller of this moment: whatever is checked of it is checked by the rights of now. */
export function asOfNow<Request extends Pick<RouteRequest<unknown, unknown>, 'caller' | 'authorize'>>(
  request: Request,
): Request {
  return { ...request, caller: request.authorize() };
}

/** The caller of a route whose `access` is not `public`: there is one, or the router is at fault. */
export function callerOf(request: Asking): Caller {
  if (request.caller === undefined) throw new Error('a route that needs a caller was answered without one');
  return request.caller;
}

/** The caller of a route whose `access` is `session`. */
export function sessionOf(request: Asking): SessionCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'session') throw new Error('a route that needs a session was answered without one');
  return caller;
}
