import type { Audit } from '#auth/audit/audit.ts';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createForwardedGuard } from './forwarded-guard.ts';
import { createHostGuard } from './host-guard.ts';
import { refuseMalformed } from './malformed-guard.ts';
import { createOriginGuard, type OriginRule } from './origin-guard.ts';
import type { Guard } from './request-facts.ts';

type GuardChainDeps = {
  readonly rule: OriginRule;
  readonly audit: Pick<Audit, 'record'>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/**
 * The guards of a request in their order; the first one that refuses it answers it, before any routing. Peers are
 * refused earlier, with their connection (`peer-guard.ts`).
 */
export function createGuardChain({ rule, audit, log, clock }: GuardChainDeps): readonly Guard[] {
  /** For guards whose refusals the audit log keeps, with the peer. */
  const noted =
    (guard: Guard): Guard =>
    (facts) => {
      const error = guard(facts);
      if (error === undefined) return undefined;
      void audit.record({ type: 'request.refused', peer: facts.peer, detail: error.code.toLowerCase() });
      return error;
    };
  return [
    noted(createHostGuard(rule)),
    noted(createForwardedGuard({ log, clock })),
    noted(createOriginGuard(rule)),
    refuseMalformed,
  ];
}
