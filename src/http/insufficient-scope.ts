import type { Scope } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';

/** RFC 6750 section 3.1: the caller is known and has not this right; `of` says for what it is needed. */
export function insufficientScope(scope: Scope, of = ''): HubError {
  return new HubError('FORBIDDEN', `This needs the right ${scope}${of}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="hearthd", error="insufficient_scope", scope="${scope}"` },
  });
}
