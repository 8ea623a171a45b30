import type { CompiledTrigger } from '#core/automation-run/program/program.ts';
import type { Happening, TriggerMemory, TriggerVerdict } from '#core/automation/trigger/happening.ts';
import type { TimerId } from '#core/automation-run/engine.ts';
import type { Owner } from '#core/automation-run/state/owner.ts';
import { lookTimer } from './run-end.ts';
import { arm, disarm, type Turn } from '#core/automation-run/turn.ts';

/** A trigger of an owner, with what it remembers. */
export type Place = {
  readonly owner: Owner;
  readonly timer: TimerId;
  readonly at: number;
  readonly memory: TriggerMemory;
};

/** Whether the trigger fires, with its timers as its memory asks for them. */
export function look(
  turn: Turn,
  { trigger, match }: CompiledTrigger,
  { owner, timer, at, memory, happening }: Place & { readonly happening: Happening },
): TriggerVerdict {
  const { index } = turn.engine;
  const verdict = match(happening, { memory, view: turn.view, members: () => index.members(trigger) });
  if (verdict.memory !== memory) armLooks(turn, { owner, timer, at, old: memory, memory: verdict.memory });
  return verdict;
}

/** Arms what the memory asks for where that differs from the old one. */
export function armLooks(turn: Turn, { owner, timer, at, old, memory }: Place & { readonly old: TriggerMemory }): void {
  for (const slot of Object.keys(old)) {
    if (typeof old[slot]?.lookAtMs === 'number' && typeof memory[slot]?.lookAtMs !== 'number') {
      disarm(turn, lookTimer(timer, at, slot));
    }
  }
  for (const [slot, { lookAtMs }] of Object.entries(memory)) {
    if (lookAtMs === null || lookAtMs === old[slot]?.lookAtMs) continue;
    const purpose = { kind: 'look', owner, at, slot } as const;
    arm(turn, lookTimer(timer, at, slot), { due: { hubMs: lookAtMs }, purpose });
  }
}

/** Forgets the timers of a memory. */
export function disarmLooks(turn: Turn, { timer, at, memory }: Omit<Place, 'owner'>): void {
  for (const slot of Object.keys(memory)) disarm(turn, lookTimer(timer, at, slot));
}
