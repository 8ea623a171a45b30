import { armCivil } from './civil.ts';
import { shiftMemory, shiftRun } from '#core/automation-run/state/run-state.ts';
import { arm, type Turn } from './turn.ts';
import { shiftTrace } from '#core/automation-run/trace/packed-trace.ts';
import { armCivilWaits } from '#core/automation-run/course/wait.ts';

/** The clock was set. Durations go on as they were; times of the clock are worked out anew. */
export function shiftClock(turn: Turn, byMs: number): void {
  const { engine } = turn;
  if (byMs !== 0) shiftTimes(turn, byMs);
  for (const id of [...engine.automations.keys()].toSorted()) {
    const active = engine.automations.get(id);
    if (active !== undefined) armCivil(turn, active);
  }
  for (const id of [...engine.runs.keys()].toSorted()) {
    const running = engine.runs.get(id);
    for (const thread of running?.state.threads ?? []) if (running !== undefined) armCivilWaits(turn, running, thread);
  }
}

function shiftTimes(turn: Turn, byMs: number): void {
  const { engine } = turn;
  for (const [id, running] of engine.runs) {
    const { state, trace } = running;
    engine.runs.set(id, { ...running, state: shiftRun(state, byMs), trace: shiftTrace(trace, byMs) });
    turn.touched.add(id);
  }
  for (const [id, trace] of engine.ended) engine.ended.set(id, shiftTrace(trace, byMs));
  for (const active of engine.automations.values()) {
    for (const [trigger, memory] of active.memories) active.memories.set(trigger, shiftMemory(memory, byMs));
    const { breaker } = active;
    breaker.refilledMs += byMs;
    breaker.lastTripMs += byMs;
    if (breaker.tripped !== null) breaker.tripped = { ...breaker.tripped, untilMs: breaker.tripped.untilMs + byMs };
  }
  for (const [feature, hand] of engine.hands) engine.hands.set(feature, { ...hand, atMs: hand.atMs + byMs });
  engine.flapping.clear();
  engine.homeModeChangedMs += byMs;
  for (const [timer, { atMs, purpose }] of engine.timers) {
    if (atMs !== null) arm(turn, timer, { due: { hubMs: atMs + byMs }, purpose });
  }
}
