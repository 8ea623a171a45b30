import type { Caller, SessionCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { HubError } from '#base/hub-error.ts';
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

/** For what no API token may do, whatever its scopes. */
export function sessionNeeded(): HubError {
  return new HubError('FORBIDDEN', 'This needs a login: an API token cannot do it.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="insufficient_scope"' },
  });
}

/** For what a token that is limited to rooms or devices may not do: it is about the whole home. */
export function homeNeeded(): HubError {
  return new HubError('FORBIDDEN', 'This API token is limited to rooms or devices, and this is about the whole home.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="insufficient_scope"' },
  });
}

/** RFC 6750 section 3.1: the caller is known and has not this right; `of` says for what it is needed. */
export function insufficientScope(scope: Scope, of = ''): HubError {
  return new HubError('FORBIDDEN', `This needs the right ${scope}${of}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="hearthd", error="insufficient_scope", scope="${scope}"` },
  });
}
