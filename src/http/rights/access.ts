import { type Caller, callerId, canCaller, type SessionCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { HubError } from '#base/hub-error.ts';
import { type Cause, type CauseCaller, DIRECT } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';

type Asking = { readonly caller: Caller | undefined };

/** The same request with the caller as of now, for checks by the current rights. */
export function asOfNow<Request extends Asking & { readonly authorize: () => Caller }>(request: Request): Request {
  return { ...request, caller: request.authorize() };
}

/** The caller of a route whose `access` is not `public`; without one the router has a fault. */
export function callerOf(request: Asking): Caller {
  if (request.caller === undefined) throw new Error('a route that needs a caller was answered without one');
  return request.caller;
}

/** The caller, as what it commands, makes or changes remembers it. */
export function issuerOf(caller: Caller): Issuer {
  return { type: caller.kind, id: callerId(caller), userId: caller.user.id };
}

/** The cause of what a caller starts by its name: their rights are asked again for what it starts. */
export function causeOf(caller: Caller): Cause {
  const by: CauseCaller =
    caller.kind === 'api_token' ? { type: 'api_token', id: callerId(caller) } : { type: 'user', id: caller.user.id };
  return { ...DIRECT, callers: [by] };
}

/** The caller of a route whose `access` is `session`. */
export function sessionOf(request: Asking): SessionCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'session') throw new Error('a route that needs a session was answered without one');
  return caller;
}

/** Whether the caller may let the hub speak to its own machine, and see why another one cannot be reached. */
export function ownsHub(caller: Caller): boolean {
  return canCaller(caller, 'system:manage');
}

/** Whether the caller may know where the home is, which each coming time of the sun would tell. */
export function seesLocation(caller: Caller): boolean {
  return canCaller(caller, 'hub:manage');
}

/** The refusal of calls that no API token may make, whatever its scopes. */
export function sessionNeeded(): HubError {
  return new HubError('FORBIDDEN', 'This needs a login: an API token cannot do it.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="insufficient_scope"' },
  });
}

/** The refusal of calls about the whole home to a caller that has the right only for a part, or for its own. */
export function homeNeeded(): HubError {
  return new HubError(
    'FORBIDDEN',
    'This person or API token has the right only for a part of the home, or for its own, but the call is about the whole home.',
    {
      headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="insufficient_scope"' },
    },
  );
}

/** The refusal of calls about one provider to an API token of another. */
export function ownProviderNeeded(): HubError {
  return new HubError('FORBIDDEN', 'This API token may speak only for its own provider, which has another name.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd", error="insufficient_scope"' },
  });
}

/** RFC 6750 section 3.1: the caller is known but lacks this right; `of` says what needs it. */
export function insufficientScope(scope: Scope, of = ''): HubError {
  return new HubError('FORBIDDEN', `This needs the right ${scope}${of}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="hearthd", error="insufficient_scope", scope="${scope}"` },
  });
}
