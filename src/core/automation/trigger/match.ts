import type { JsonValue } from '#base/json.ts';
import { isAmong, presenceIs } from '#core/automation/condition/sight.ts';
import type {
  AvailabilityTrigger,
  ModeTrigger,
  OccurrenceTrigger,
  PresenceTrigger,
  Trigger,
  VariableTrigger,
} from '#core/automation/document/trigger.ts';
import type { TriggerFacts, Truth, View } from '#core/automation/view.ts';
import { matchFeature, namesOf } from './feature-match.ts';
import type { Happening, MatchTrigger, TriggerVerdict } from './happening.ts';
import { begin, cross, factsOf, fits, goOn, holdOf, lookAt, memberOf, ONLY, slotName, unchanged } from './slot.ts';
import { matchThreshold } from './threshold-match.ts';

/** A trigger, made ready to be matched. */
export function compileTrigger(trigger: Trigger): MatchTrigger {
  switch (trigger.type) {
    case 'feature':
      return matchFeature(trigger);
    case 'threshold':
      return matchThreshold(trigger);
    case 'mode':
    case 'variable':
      return matchValue(trigger);
    case 'presence':
      return matchPresence(trigger);
    case 'availability':
      return 'integration' in trigger ? matchIntegration(trigger) : matchAvailability(trigger);
    case 'occurrence':
      return once(trigger, ({ happening }) => occurred(trigger, happening));
    case 'hub':
      return once(trigger, ({ happening }) => {
        if (happening.kind !== 'hub' || happening.on !== trigger.on) return undefined;
        return trigger.integration === undefined || trigger.integration === happening.integration ? {} : undefined;
      });
    case 'automation':
      return once(trigger, ({ happening }) =>
        happening.kind === 'automation' &&
        happening.automation === trigger.automation &&
        happening.outcome === trigger.outcome
          ? { value: happening.outcome }
          : undefined,
      );
    case 'hook':
      return once(trigger, ({ happening }) => (happening.kind === 'hook' ? { body: happening.body } : undefined));
    default:
      return once(trigger, ({ happening }) => {
        if (happening.kind !== 'time') return undefined;
        return { atMs: happening.atMs, lateMs: happening.lateMs };
      });
  }
}

/** Fires at once, or not at all. */
function once(
  trigger: Trigger,
  find: (context: { readonly happening: Happening }) => Partial<TriggerFacts> | undefined,
): MatchTrigger {
  return (happening, { memory, view }): TriggerVerdict => {
    const facts = find({ happening });
    return { memory, fired: facts === undefined ? null : factsOf(trigger, view.now.hubMs, facts), nearMiss: null };
  };
}

function occurred({ action, count, raw }: OccurrenceTrigger, happening: Happening): Partial<TriggerFacts> | undefined {
  if (happening.kind !== 'occurrence') return undefined;
  const { device, key, occurrence } = happening;
  const isMeant =
    fits(occurrence.action, action) &&
    (count === undefined || count === (occurrence.count ?? 1)) &&
    (raw === undefined || raw === occurrence.raw);
  return isMeant ? { device, key, action: occurrence.action, value: occurrence.action } : undefined;
}

/** The value of a mode or variable. */
function matchValue(trigger: ModeTrigger | VariableTrigger): MatchTrigger {
  const hold = holdOf(trigger);
  const present = (view: View): JsonValue | undefined =>
    trigger.type === 'mode' ? view.mode(trigger.mode) : view.variable(trigger.variable);
  return (happening, { memory, view }) => {
    const nowMs = view.now.hubMs;
    return lookAt(trigger, [ONLY], {
      memory,
      nowMs,
      look: (slot) => {
        const value = present(view);
        const isSame: Truth =
          slot.held === null || value === undefined ? 'unknown' : isAmong(value, slot.held.facts.value);
        const still = () => goOn(slot, isSame, { hold, nowMs });
        if (happening.kind === 'begin' && happening.isWait && hold.forMs > 0 && trigger.from === undefined) {
          if (value === undefined || trigger.to === undefined || !fits(value, trigger.to)) return unchanged(slot);
          return begin(slot, factsOf(trigger, nowMs, { value }), hold);
        }
        if (happening.kind !== 'mode' && happening.kind !== 'variable') return still();
        const { from, to, cause } = happening;
        if (isAmong(from, to)) return still();
        const isTo = fits(to, trigger.to);
        if (isTo && fits(from, trigger.from))
          return begin(slot, factsOf(trigger, nowMs, { from, value: to, cause }), hold);
        // The view may be ahead: of two changes in one moment it shows the second at both.
        const ended = goOn(slot, false, { hold, nowMs });
        return isTo && ended.reason === null ? { ...ended, reason: { why: 'from_was', value: from } } : ended;
      },
    });
  };
}

function matchPresence(trigger: PresenceTrigger): MatchTrigger {
  return matchLevel(trigger, () => [ONLY], { truthOf: ({ view }) => presenceIs(view, trigger.person, trigger.to) });
}

/** Counts a device that is asleep as online, because it answers when it wakes. */
function matchAvailability(trigger: AvailabilityTrigger): MatchTrigger {
  const names: NamesOf = (happening, { names: known, members }) => {
    if (happening.kind === 'begin') return members().map(slotName);
    if (happening.kind === 'availability') return [slotName({ device: happening.device, key: '' })];
    return namesOf(happening, known);
  };
  const seen = (view: View, name: string) => view.availability(memberOf(name).device);
  return matchLevel(trigger, names, {
    truthOf: ({ view, name }) => {
      const state = seen(view, name)?.state;
      if (state === undefined || state === 'unknown') return 'unknown';
      return (state === 'offline') === (trigger.to === 'offline');
    },
    sinceMs: (view, name) => seen(view, name)?.sinceMs,
  });
}

/** The view has no integrations: what was reported last still holds. */
function matchIntegration(trigger: AvailabilityTrigger): MatchTrigger {
  return matchLevel(trigger, () => [ONLY], {
    truthOf: ({ happening, isHeld }) => {
      if (happening.kind === 'integration') return happening.to === trigger.to;
      return isHeld ? true : 'unknown';
    },
  });
}

type NamesOf = (
  happening: Happening,
  context: { readonly names: readonly string[]; readonly members: Parameters<MatchTrigger>[1]['members'] },
) => readonly string[];

type Level = {
  readonly truthOf: (context: { view: View; name: string; happening: Happening; isHeld: boolean }) => Truth;
  /** Since when it has been as it is, where the view knows. */
  readonly sinceMs?: (view: View, name: string) => number | undefined;
};

/** Fires when something comes true that was not so before. */
function matchLevel(
  trigger: PresenceTrigger | AvailabilityTrigger,
  namesOfSlots: NamesOf,
  { truthOf, sinceMs }: Level,
): MatchTrigger {
  const hold = holdOf(trigger);
  return (happening, { memory, view, members }) => {
    const nowMs = view.now.hubMs;
    const names = namesOfSlots(happening, { names: Object.keys(memory), members });
    return lookAt(trigger, names, {
      memory,
      nowMs,
      look: (slot, name) => {
        const truth = truthOf({ view, name, happening, isHeld: slot.held !== null });
        const device = name === ONLY ? null : memberOf(name).device;
        const cause = happening.kind === 'presence' ? (happening.cause ?? null) : null;
        const facts = factsOf(trigger, nowMs, { device, value: trigger.to, cause });
        const isEarly = happening.kind === 'begin' && happening.isWait && hold.forMs > 0 && truth === true;
        if (!isEarly) return cross(slot, truth, { facts, hold });
        return begin({ ...slot, armed: false }, { ...facts, atMs: sinceMs?.(view, name) ?? nowMs }, hold);
      },
    });
  };
}
