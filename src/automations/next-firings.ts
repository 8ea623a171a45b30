import type { TimeZone } from '#base/time/time-zone.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { SunTrigger, TimeTrigger } from '#core/automation/document/trigger.ts';
import type { CivilTime } from './civil-time.ts';

export type Firing = {
  readonly atMs: number;
  readonly trigger: string;
  /**
   * `gap`: the clock jumps forward to this moment, where times fall that it leaves out. `overlap`: the clock shows this
   * time twice, and this is the first.
   */
  readonly dst: 'none' | 'gap' | 'overlap';
};

/** A clock is moved by at most two hours at once, but for a day at the date line. */
const MOST_JUMP_MS = 3 * 3_600_000;

/** The first times of the clock after a moment at which an automation would start. */
export function nextFirings(
  { triggers }: Pick<Definition, 'triggers'>,
  { civil, zone }: { readonly civil: Pick<CivilTime, 'next'>; readonly zone: TimeZone },
  { afterMs, count }: { readonly afterMs: number; readonly count: number },
): readonly Firing[] {
  const civilTriggers = triggers.filter(
    (trigger): trigger is TimeTrigger | SunTrigger => trigger.type === 'time' || trigger.type === 'sun',
  );
  const coming = civilTriggers.map((trigger) => ({ trigger, atMs: civil.next(trigger, afterMs) }));
  const found: Firing[] = [];
  while (found.length < count) {
    let first: (typeof coming)[number] | undefined;
    for (const one of coming) if (one.atMs !== undefined && one.atMs < (first?.atMs ?? Infinity)) first = one;
    if (first?.atMs === undefined) return found;
    found.push({ atMs: first.atMs, trigger: first.trigger.id, dst: changeAt(zone, first.atMs) });
    first.atMs = civil.next(first.trigger, first.atMs);
  }
  return found;
}

function changeAt(zone: TimeZone, atMs: number): Firing['dst'] {
  const offsetMs = zone.offsetMs(atMs);
  if (zone.offsetMs(atMs - 1) < offsetMs) return 'gap';
  const changeMs = zone.changeWithin(atMs, atMs + MOST_JUMP_MS);
  if (changeMs === undefined) return 'none';
  const againMs = atMs + offsetMs - zone.offsetMs(changeMs);
  return againMs > atMs && againMs >= changeMs ? 'overlap' : 'none';
}
