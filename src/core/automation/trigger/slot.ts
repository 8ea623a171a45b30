import type { JsonValue } from '#base/json.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import { GRACE_S, type Trigger } from '#core/automation/document/trigger.ts';
import type { RunScope, TriggerFacts, Truth, View } from '#core/automation/view.ts';
import type { Member, NearMiss, NearMissReason, Slot, TriggerMemory, TriggerVerdict } from './happening.ts';

const NEW_SLOT: Slot = { lookAtMs: null, armed: null, held: null, firedAtMs: null, points: [] };
/** A trigger that watches one thing has its slot under this name. */
export const ONLY = '';

export type SlotVerdict = {
  readonly slot: Slot;
  readonly fired: TriggerFacts | null;
  readonly reason: NearMissReason | null;
};

export function unchanged(slot: Slot): SlotVerdict {
  return { slot, fired: null, reason: null };
}

export function slotName({ device, key }: Member): string {
  return `${device} ${key}`;
}

/** The feature of a slot's name; keys have no spaces before them, and ids none at all. */
export function memberOf(name: string): Member {
  const space = name.indexOf(' ');
  return { device: name.slice(0, space) as Member['device'], key: name.slice(space + 1) };
}

/** Facts of a trigger that fires; what is not given is not known of it. */
export function factsOf({ id, type }: Trigger, atMs: number, part: Partial<TriggerFacts> = {}): TriggerFacts {
  const nothing = { device: null, key: null, from: null, value: null, quality: null, action: null, body: null };
  return { id, type, ...nothing, atMs, lateMs: 0, cause: null, ...part };
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** Operands of a trigger see the home and no run. */
export function outsideRuns(view: View): RunScope {
  return { view, trigger: null, variables: NOTHING, timedOut: NOTHING };
}

/** How long something must be so before the trigger fires. */
type Hold = { readonly forMs: number; readonly graceMs: number };

export function holdOf(trigger: { readonly for_s?: number; readonly grace_s?: number }): Hold {
  return { forMs: (trigger.for_s ?? 0) * 1000, graceMs: (trigger.grace_s ?? GRACE_S) * 1000 };
}

/** It begins to be so, at `sinceMs`: fires at once, or after its time. */
export function begin(slot: Slot, facts: TriggerFacts, { forMs }: Hold): SlotVerdict {
  if (forMs === 0) return { slot, fired: facts, reason: null };
  const held = { sinceMs: facts.atMs, unknownSinceMs: null, facts };
  return { slot: { ...slot, held, lookAtMs: facts.atMs + forMs }, fired: null, reason: null };
}

/**
 * Goes on with what began, now that it is so, is not, or nobody knows. What is unknown for longer than the grace ends
 * it; what is known again in time went on meanwhile.
 */
export function goOn(slot: Slot, still: Truth, { hold, nowMs }: { hold: Hold; nowMs: number }): SlotVerdict {
  const { held } = slot;
  if (held === null) return unchanged(slot);
  const { sinceMs, unknownSinceMs, facts } = held;
  const ended: Slot = { ...slot, held: null, lookAtMs: null };
  const cancelled = (by: 'value' | 'unknown'): SlotVerdict => ({
    slot: ended,
    fired: null,
    reason: { why: 'for_cancelled', afterMs: nowMs - sinceMs, ofMs: hold.forMs, by },
  });
  if (still === false) return cancelled('value');
  if (still === 'unknown') {
    const since = unknownSinceMs ?? nowMs;
    const untilMs = since + hold.graceMs;
    if (nowMs >= untilMs) return cancelled('unknown');
    return unchanged(changed(slot, { held: { ...held, unknownSinceMs: since }, lookAtMs: untilMs }));
  }
  const dueMs = sinceMs + hold.forMs;
  if (nowMs >= dueMs) return { slot: ended, fired: { ...facts, atMs: nowMs }, reason: null };
  return unchanged(changed(slot, { held: { ...held, unknownSinceMs: null }, lookAtMs: dueMs }));
}

/** The same slot if nothing of it is new. */
export function changed(slot: Slot, { held = slot.held, ...part }: Partial<Slot>): Slot {
  const isSameHeld =
    held === slot.held ||
    (held !== null &&
      slot.held !== null &&
      held.sinceMs === slot.held.sinceMs &&
      held.unknownSinceMs === slot.held.unknownSinceMs &&
      held.facts === slot.held.facts);
  const isSame = isSameHeld && Object.entries(part).every(([name, value]) => slot[name as keyof Slot] === value);
  return isSame ? slot : { ...slot, ...part, held };
}

/**
 * Fires at the change from not so to so, for what cannot be seen in one change. The first truth that is known only
 * arms it, and unknown leaves all as it is.
 */
export function cross(
  slot: Slot,
  truth: Truth,
  { facts, hold }: { readonly facts: TriggerFacts; readonly hold: Hold },
): SlotVerdict {
  if (truth === true && slot.armed === true) return begin({ ...slot, armed: false }, facts, hold);
  const armed = truth === 'unknown' ? slot.armed : !truth;
  return goOn(changed(slot, { armed }), truth, { hold, nowMs: facts.atMs });
}

/**
 * Looks at slots one after the other until one fires; the others get another look at once, so that no firing is lost.
 * Without a firing, the first that nearly did counts.
 */
export function lookAt(
  { id }: Trigger,
  names: readonly string[],
  context: {
    readonly memory: TriggerMemory;
    readonly nowMs: number;
    readonly look: (slot: Slot, name: string) => SlotVerdict;
  },
): TriggerVerdict {
  let { memory } = context;
  let fired: TriggerFacts | null = null;
  let nearMiss: NearMiss | null = null;
  for (const name of names) {
    const before = memory[name] ?? NEW_SLOT;
    const verdict: SlotVerdict =
      fired === null ? context.look(before, name) : unchanged(changed(before, { lookAtMs: context.nowMs }));
    fired ??= verdict.fired;
    nearMiss ??= verdict.reason === null ? null : nearMissOf(id, name, verdict.reason);
    if (verdict.slot !== before) memory = { ...memory, [name]: verdict.slot };
  }
  return { memory, fired, nearMiss: fired === null ? nearMiss : null };
}

function nearMissOf(trigger: string, name: string, reason: NearMissReason): NearMiss {
  const { device, key } = memberOf(name);
  return name === ONLY ? { trigger, device: null, key: null, reason } : { trigger, device, key, reason };
}

/** Whether a value is the one, or one of those, that a trigger names; nothing and `"*"` fit any. */
export function fits(value: JsonValue, match: JsonValue | undefined): boolean {
  return match === undefined || match === '*' || isAmong(value, match);
}
