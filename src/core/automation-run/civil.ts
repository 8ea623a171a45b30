import { RUN_LATE_S, type SunTrigger, type TimeTrigger, type Trigger } from '#core/automation/document/trigger.ts';
import type { Active, TimerId } from './engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { LATE_MS } from '#core/automation-run/course/resume.ts';
import { arm, disarm, keep, type Turn } from './turn.ts';

type CivilTrigger = TimeTrigger | SunTrigger;

/** So many times of a trigger are remembered, so that a clock that goes back fires none of them twice. */
const MARKS_KEPT = 8;

export function isCivil(trigger: Trigger): trigger is CivilTrigger {
  return trigger.type === 'time' || trigger.type === 'sun';
}

export function civilTimer({ automation }: Active, at: number): TimerId {
  return `civil/${automation.id}/${at}`;
}

export function markKey(active: Active, trigger: string): string {
  return `mark/${active.automation.id}/${trigger}`;
}

/** Asks for the next time of each civil trigger, or for none while it cannot be known or would start nothing. */
export function armCivil(turn: Turn, active: Active): void {
  const { now } = turn.view;
  for (const [at, { trigger }] of active.program.triggers.entries()) {
    if (!isCivil(trigger)) continue;
    const isIdle = active.automation.state === 'disabled' || active.automation.state === 'suspended';
    const isBlind = now.wallMs === undefined && trigger.when_clock_unset !== 'go_by_last';
    if (isBlind && !isIdle) missNearly(turn, active, { trigger, reason: { why: 'clock_unset' } });
    if (isIdle || isBlind) disarm(turn, civilTimer(active, at));
    else armNext(turn, active, { at, trigger, afterWallMs: lastDealtWith(active, trigger, now.wallMs) });
  }
}

/** The greatest mark that is not in the future, which a clock that was wrong may have left; else when it was signed. */
function lastDealtWith({ marks, automation }: Active, { id }: CivilTrigger, wallMs: number | undefined): number {
  const known = marks.get(id) ?? [];
  const past = known.filter((mark) => wallMs === undefined || mark <= wallMs);
  if (past.length > 0) return Math.max(...past);
  const begin = known.length > 0 ? wallMs : automation.signedAtMs;
  return Math.min(begin ?? automation.signedAtMs, wallMs ?? Infinity);
}

type Next = { readonly at: number; readonly trigger: CivilTrigger; readonly afterWallMs: number };

function armNext(turn: Turn, active: Active, { at, trigger, afterWallMs }: Next): void {
  const purpose = { kind: 'civil', owner: ownerOf.automation(active.automation.id), at } as const;
  arm(turn, civilTimer(active, at), { due: { civil: trigger, afterWallMs }, purpose });
}

/** Remembers that this time was dealt with; `false` if it was before. */
export function mark(turn: Turn, active: Active, { trigger, wallMs }: { trigger: string; wallMs: number }): boolean {
  const known = active.marks.get(trigger) ?? [];
  if (known.includes(wallMs)) return false;
  const marks = [...known, wallMs].slice(-MARKS_KEPT);
  active.marks.set(trigger, marks);
  keep(turn, markKey(active, trigger), { value: marks, isLong: true, isGuard: true });
  return true;
}

/** Whether a time that came starts its automation. Asks for the next one in any case. */
export function isInTime(
  turn: Turn,
  active: Active,
  { at, wallMs, lateMs }: { readonly at: number; readonly wallMs: number; readonly lateMs: number },
): boolean {
  const trigger = active.program.triggers[at]?.trigger;
  if (trigger === undefined || !isCivil(trigger)) return false;
  const isNew = mark(turn, active, { trigger: trigger.id, wallMs });
  armNext(turn, active, { at, trigger, afterWallMs: wallMs });
  if (!isNew) return false;
  const { missed = { run_late_s: RUN_LATE_S } } = trigger;
  const mostMs = missed === 'always' ? Infinity : missed === 'skip' ? LATE_MS : missed.run_late_s * 1_000;
  if (lateMs <= Math.max(LATE_MS, mostMs)) return true;
  missNearly(turn, active, { trigger, reason: { why: 'missed', lateMs } });
  return false;
}

type Miss = { readonly why: 'clock_unset' } | { readonly why: 'missed'; readonly lateMs: number };

function missNearly(
  turn: Turn,
  { automation }: Active,
  { trigger, reason }: { trigger: CivilTrigger; reason: Miss },
): void {
  const miss = { automation: automation.id, trigger: trigger.id, device: null, key: null, reason, atMs: turn.nowMs };
  turn.effects.push({ kind: 'near_miss', miss });
}
