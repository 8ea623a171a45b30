import type { Active } from '#core/automation-run/engine.ts';
import { acceptedCause, DIRECT } from '#core/cause/cause.ts';
import { closeBreaker, trip, type TripCause } from '#core/automation-run/guard/breaker.ts';
import { endRun } from './run-end.ts';
import { arm, disarm, keep, type Turn } from '#core/automation-run/turn.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

/** Stops an automation that runs in circles, for a time that grows with each time. */
export function tripAutomation(turn: Turn, active: Active, why: TripCause): void {
  const { engine, nowMs } = turn;
  const { id } = active.automation;
  if (active.breaker.tripped !== null) return;
  const forMs = trip(active.breaker, nowMs, why);
  turn.effects.push({ kind: 'trip', automation: id, forMs, chain: active.chain, ...why });
  armBreaker(turn, active);
  keep(turn, breakerKey(active), { value: { ...active.breaker }, isLong: true });
  const cause = [...active.runs].map((run) => engine.runs.get(run)?.state.cause).find((one) => one !== undefined);
  for (const run of active.runs) {
    const running = engine.runs.get(run);
    if (running !== undefined) endRun(turn, running, { outcome: 'stopped', reason: because(why.reason) });
  }
  const depth = cause?.depth ?? 0;
  turn.ahead.push({
    happening: { kind: 'automation', automation: id, outcome: 'tripped' },
    cause: acceptedCause(null, cause ?? { ...DIRECT, automation: id, depth }),
  });
}

/** It may run again: its time is over, or a person says so. */
export function untrip(turn: Turn, active: Active): void {
  if (active.breaker.tripped === null) return;
  closeBreaker(active.breaker, turn.nowMs);
  disarm(turn, breakerKey(active));
  keep(turn, breakerKey(active), { value: { ...active.breaker } });
  turn.effects.push({ kind: 'untrip', automation: active.automation.id });
}

export function armBreaker(turn: Turn, active: Active): void {
  const { tripped } = active.breaker;
  if (tripped === null) return;
  const purpose = { kind: 'breaker', automation: active.automation.id } as const;
  arm(turn, breakerKey(active), { due: { hubMs: tripped.untilMs }, purpose });
}

/** The timer of a breaker and its entry have one key. */
export function breakerKey({ automation }: Active): string {
  return `breaker/${automation.id}`;
}
