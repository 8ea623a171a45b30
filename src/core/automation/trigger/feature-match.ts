import { isSameJson } from '#base/json.ts';
import { isMovedBy, moverOf, seeFeature } from '#core/automation/condition/sight.ts';
import type { FeatureTrigger } from '#core/automation/document/trigger.ts';
import type { Truth, View } from '#core/automation/view.ts';
import type { Happening, MatchTrigger, Member, Slot } from './happening.ts';
import {
  begin,
  changed,
  cross,
  factsOf,
  fits,
  goOn,
  holdOf,
  lookAt,
  memberOf,
  ONLY,
  slotName,
  unchanged,
} from './slot.ts';

type ValueChange = Extract<Happening, { readonly kind: 'value' }>;

/** Fires at a change of a value, and at no other news of it: not at its quality, nor at what was only sent. */
export function matchFeature(trigger: FeatureTrigger): MatchTrigger {
  if (trigger.all === true) return matchAll(trigger);
  const hold = holdOf(trigger);
  return (happening, { memory, view, members }) => {
    const nowMs = view.now.hubMs;
    if (happening.kind === 'value') {
      const name = slotName(happening);
      return lookAt(trigger, [name], { memory, nowMs, look: (slot) => noteChange(trigger, happening, { slot, view }) });
    }
    if (happening.kind === 'begin' && happening.isWait && hold.forMs > 0 && trigger.from === undefined) {
      const names = members().map(slotName);
      return lookAt(trigger, names, {
        memory,
        nowMs,
        look: (slot, name) => waitFrom(trigger, memberOf(name), { slot, view }),
      });
    }
    const names = namesOf(happening, Object.keys(memory));
    const look = (slot: Slot, name: string) =>
      goOn(slot, isStill(trigger, slot, { member: memberOf(name), view }), { hold, nowMs });
    return lookAt(trigger, names, { memory, nowMs, look });
  };
}

/** The slots that something else than a change of their value is about. */
export function namesOf(happening: Happening, names: readonly string[]): readonly string[] {
  if (happening.kind === 'look') return names.filter((name) => name === happening.slot);
  if (happening.kind !== 'availability') return [];
  return names.filter((name) => memberOf(name).device === happening.device);
}

type Seen = NonNullable<ValueChange['news']>;
type Given = { readonly slot: Slot; readonly view: View };

function noteChange(trigger: FeatureTrigger, happening: ValueChange, { slot, view }: Given) {
  const hold = holdOf(trigger);
  const nowMs = view.now.hubMs;
  const still = (): ReturnType<typeof goOn> =>
    goOn(slot, isStill(trigger, slot, { member: happening, view }), { hold, nowMs });
  const seen = seenAt(happening, view);
  if (seen === undefined || (seen.quality === 'assumed' && trigger.assumed !== true)) return still();
  const from = trigger.assumed === true ? happening.shown : happening.from;
  const { value, quality, cause } = seen;
  if (quality === 'none' || (from !== undefined && isSameJson(from, value))) return still();
  // A value that is there for the first time is no change: the device has joined, or speaks at last.
  const isFirst = from === undefined;
  const isTo = fits(value, trigger.to);
  const isWanted = isTo && !isFirst && fits(from, trigger.from) && isMovedBy(trigger.by, happening.key, cause);
  if (isWanted && seeFeature(view, happening).unknown === null) {
    const { device, key } = happening;
    return begin(slot, factsOf(trigger, nowMs, { device, key, from, value, quality, cause }), hold);
  }
  const ended = still();
  if (ended.reason !== null || !isTo) return ended;
  return { ...ended, reason: whyNot(trigger, { from, key: happening.key, seen }) };
}

/**
 * Finds the state right after the change. The cause is that of the view, which knows also who set a value that is
 * confirmed now.
 */
export function seenAt({ device, key, news }: ValueChange, view: View): Seen | undefined {
  const seen = view.value(device, key);
  if (seen === undefined || news === undefined) return seen;
  const { value, quality } = news;
  return isSameJson(value, seen.value) ? { value, quality, cause: seen.cause } : news;
}

function whyNot(
  trigger: FeatureTrigger,
  {
    from,
    key,
    seen,
  }: {
    readonly from: ValueChange['from'];
    readonly key: string;
    readonly seen: Seen;
  },
) {
  if (from === undefined) return { why: 'first_value' } as const;
  if (!fits(from, trigger.from)) return { why: 'from_was', value: from } as const;
  if (!isMovedBy(trigger.by, key, seen.cause)) return { why: 'moved_by', by: moverOf(key, seen.cause) } as const;
  return { why: 'unknown' } as const;
}

/** A wait counts the time for which the value has been so. A device that is away may come back in time, as ever. */
function waitFrom(trigger: FeatureTrigger, member: Member, { slot, view }: Given) {
  const { state, unknown } = seeFeature(view, member);
  if (state === undefined || state.quality === 'none') return unchanged(slot);
  if (trigger.to === undefined || !fits(state.value, trigger.to)) return unchanged(slot);
  if (state.quality === 'assumed' && trigger.assumed !== true) return unchanged(slot);
  const { value, quality, cause, changedAtMs } = state;
  const nowMs = view.now.hubMs;
  const hold = holdOf(trigger);
  const { slot: started } = begin(
    slot,
    factsOf(trigger, changedAtMs ?? nowMs, { ...member, value, quality, cause }),
    hold,
  );
  return unknown === null ? unchanged(started) : goOn(started, 'unknown', { hold, nowMs });
}

/** Whether the value is still the one with which it began. */
function isStill(
  trigger: FeatureTrigger,
  { held }: Slot,
  { member, view }: { readonly member: Member; readonly view: View },
): Truth {
  const { state, unknown } = seeFeature(view, member);
  if (held === null || state === undefined || unknown !== null) return 'unknown';
  // What was only sent may not come true.
  if (state.quality === 'assumed' && trigger.assumed !== true) return 'unknown';
  return isSameJson(state.value, held.facts.value);
}

/** All devices that fit have the value. */
function matchAll(trigger: FeatureTrigger): MatchTrigger {
  const hold = holdOf(trigger);
  return (happening, { memory, view, members }) => {
    const nowMs = view.now.hubMs;
    const truth = areAll(trigger, members(), view);
    const value = trigger.to ?? null;
    const part =
      happening.kind === 'value'
        ? {
            device: happening.device,
            key: happening.key,
            cause: view.value(happening.device, happening.key)?.cause ?? null,
          }
        : {};
    const facts = factsOf(trigger, nowMs, { ...part, value });
    const isEarly = happening.kind === 'begin' && happening.isWait && hold.forMs > 0 && truth === true;
    const look = (slot: Slot) => {
      if (!isEarly) return cross(slot, truth, { facts, hold });
      const sinceMs = latestChange(members(), view) ?? nowMs;
      return unchanged(begin(changed(slot, { armed: false }), { ...facts, atMs: sinceMs }, hold).slot);
    };
    const verdict = lookAt(trigger, [ONLY], { memory, nowMs, look });
    const isNear = verdict.fired === null && verdict.nearMiss === null && happening.kind === 'value' && truth !== true;
    const changedTo = happening.kind === 'value' ? view.value(happening.device, happening.key)?.value : undefined;
    if (!isNear || changedTo === undefined || !fits(changedTo, trigger.to)) return verdict;
    const { device, key } = happening;
    return { ...verdict, nearMiss: { trigger: trigger.id, device, key, reason: { why: 'not_all' } } };
  };
}

function areAll(trigger: FeatureTrigger, members: readonly Member[], view: View): Truth {
  let result: Truth = members.length === 0 ? 'unknown' : true;
  for (const member of members) {
    const { state, unknown } = seeFeature(view, member);
    const isKnown =
      state !== undefined && unknown === null && (state.quality !== 'assumed' || trigger.assumed === true);
    if (isKnown && !fits(state.value, trigger.to)) return false;
    if (!isKnown) result = 'unknown';
  }
  return result;
}

function latestChange(members: readonly Member[], view: View): number | undefined {
  const times = members.map(({ device, key }) => view.value(device, key)?.changedAtMs ?? null);
  return times.includes(null) ? undefined : Math.max(...times.map((time) => time ?? 0));
}
