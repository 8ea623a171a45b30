import type { Scope } from '#auth/scope.ts';
import { HubError } from '#base/hub-error.ts';

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
