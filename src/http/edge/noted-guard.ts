import type { Audit } from '#auth/audit/audit.ts';
import type { Guard } from './request-facts.ts';

/** The same guard, whose refusals are noted in the audit log. */
export function createNotedGuard(guard: Guard, audit: Audit): Guard {
  return (facts) => {
    const error = guard(facts);
    if (error === undefined) return undefined;
    void audit.record({ type: 'request.refused', peer: facts.peer, detail: error.code.toLowerCase() });
    return error;
  };
}
