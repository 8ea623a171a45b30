import type { JsonValue } from '#base/json.ts';
import { compileOperand } from '#core/automation/condition/condition.ts';
import { seeFeature } from '#core/automation/condition/sight.ts';
import type { ThresholdTrigger } from '#core/automation/document/trigger.ts';
import type { SeenValue, TriggerFacts, View } from '#core/automation/view.ts';
import { namesOf, seenAt } from './feature-match.ts';
import type { Happening, MatchTrigger, Member, NearMissReason, Point, Slot } from './happening.ts';
import {
  begin,
  changed,
  factsOf,
  goOn,
  holdOf,
  lookAt,
  memberOf,
  outsideRuns,
  slotName,
  type SlotVerdict,
  unchanged,
} from './slot.ts';
import { isVocabularyWord, VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import type { Unit } from '#core/feature/value-type.ts';

/** A slope keeps so many values. One that rises longer without a pause loses its second oldest. */
const MAX_POINTS = 256;

type Given = { readonly slot: Slot; readonly view: View; readonly member: Member; readonly happening: Happening };

/**
 * A switch with two points: it goes on when the value comes above (or below, or between), and off when the value is
 * back by the hysteresis. It fires when it has been on for `for_s`, and again each `again_after_s` while it stays on.
 */
export function matchThreshold(trigger: ThresholdTrigger): MatchTrigger {
  const look = trigger.change === undefined ? lookAtLimit(trigger) : lookAtSlope(trigger, trigger.change);
  return (happening, { memory, view, members }) => {
    const isBegin = happening.kind === 'begin';
    const names = isBegin
      ? members().map(slotName)
      : happening.kind === 'value'
        ? [slotName(happening)]
        : namesOf(happening, Object.keys(memory));
    return lookAt(trigger, names, {
      memory,
      nowMs: view.now.hubMs,
      look: (slot, name) => look({ slot, view, member: memberIn(happening) ?? memberOf(name), happening }),
    });
  };
}

/** A name would have to be taken apart. */
function memberIn(happening: Happening): Member | undefined {
  return happening.kind === 'value' ? { device: happening.device, key: happening.key } : undefined;
}

/** Keys are texts to be taken apart, and a meter reports every few seconds. */
function createHysteresis({ hysteresis }: ThresholdTrigger): (key: string, limit: unknown) => number {
  let last: { readonly key: string; readonly limit: unknown; readonly hysteresis: number } | undefined;
  return (key, limit) => {
    if (hysteresis !== undefined) return hysteresis;
    if (last?.key !== key || last.limit !== limit) last = { key, limit, hysteresis: usualHysteresis(key, limit) };
    return last.hysteresis;
  };
}

type Known = {
  readonly seen: Pick<SeenValue, 'quality' | 'cause'>;
  readonly number: number;
  readonly changedAtMs: number | null;
};

/** The number that the device reported, right after its change where this is one; `undefined`: nobody knows it. */
function numberOf({ view, member, happening }: Given): Known | undefined {
  const { state, unknown } = seeFeature(view, member);
  if (state === undefined || unknown !== null) return undefined;
  const seen = (happening.kind === 'value' ? seenAt(happening, view) : undefined) ?? state;
  if (typeof seen.value !== 'number' || NOT_REPORTED.has(seen.quality)) return undefined;
  return { seen, number: seen.value, changedAtMs: state.changedAtMs };
}
/** A change to one of these is no report of a number. */
const NOT_REPORTED: ReadonlySet<SeenValue['quality']> = new Set(['none', 'stale', 'assumed']);

function lookAtLimit(trigger: ThresholdTrigger): (given: Given) => SlotVerdict {
  const hold = holdOf(trigger);
  const [above, below] = [trigger.above, trigger.below].map((limit) =>
    limit === undefined ? undefined : compileOperand(limit),
  );
  const hysteresisOf = createHysteresis(trigger);
  const againMs = trigger.again_after_s === undefined ? undefined : trigger.again_after_s * 1000;

  return (given) => {
    const { slot, view, member, happening } = given;
    const nowMs = view.now.hubMs;
    const known = numberOf(given);
    const scope = outsideRuns(view);
    const [least, most] = [above?.(scope, []), below?.(scope, [])];
    const areLimits =
      (above === undefined || typeof least === 'number') && (below === undefined || typeof most === 'number');
    if (known === undefined || !areLimits) {
      // A slot of its own, so that the value is looked at when the device is back.
      if (happening.kind === 'begin') return unchanged({ ...slot });
      const verdict = goOn(slot, 'unknown', { hold, nowMs });
      return happening.kind === 'value' && verdict.reason === null
        ? { ...verdict, reason: { why: 'unknown' } }
        : verdict;
    }
    const { number, seen, changedAtMs } = known;
    const hysteresis = hysteresisOf(member.key, typeof least === 'number' ? least : most);
    const isInside = (typeof least !== 'number' || number > least) && (typeof most !== 'number' || number < most);
    const isOut =
      (typeof least === 'number' && number <= least - hysteresis) ||
      (typeof most === 'number' && number >= most + hysteresis);
    const from = happening.kind === 'value' ? (happening.from ?? null) : null;
    const facts = (): TriggerFacts =>
      factsOf(trigger, nowMs, { ...member, from, value: number, quality: seen.quality, cause: seen.cause });

    if (slot.armed === null)
      return first(slot, { isInside, happening, facts: { ...facts(), atMs: changedAtMs ?? nowMs } });
    if (isInside && slot.armed) return fire(begin({ ...slot, armed: false, firedAtMs: null }, facts(), hold), nowMs);
    if (isOut && !slot.armed) return off(slot, nowMs);
    const verdict =
      slot.held !== null
        ? fire(goOn(slot, true, { hold, nowMs }), nowMs)
        : again(slot, { isOn: !slot.armed, nowMs, facts });
    if (verdict.fired !== null || verdict.reason !== null || happening.kind !== 'value') return verdict;
    return {
      ...verdict,
      reason: whyNot({ isInside, armed: slot.armed, number, from, limits: [least, most], hysteresis }),
    };
  };

  /** The first value that is known only says from which side the next comes. A wait counts how long it has been so. */
  function first(
    slot: Slot,
    { isInside, happening, facts }: { isInside: boolean; happening: Happening; facts: TriggerFacts },
  ): SlotVerdict {
    const known = changed(slot, { armed: !isInside });
    if (!isInside || happening.kind !== 'begin' || !happening.isWait || hold.forMs === 0) {
      return {
        slot: known,
        fired: null,
        reason: isInside && happening.kind === 'value' ? { why: 'first_value' } : null,
      };
    }
    return begin(known, facts, hold);
  }

  function fire(verdict: SlotVerdict, nowMs: number): SlotVerdict {
    if (verdict.fired === null || againMs === undefined) return verdict;
    return { ...verdict, slot: { ...verdict.slot, firedAtMs: nowMs, lookAtMs: nowMs + againMs } };
  }

  function off(slot: Slot, nowMs: number): SlotVerdict {
    const verdict = goOn(slot, false, { hold, nowMs });
    return { ...verdict, slot: { ...verdict.slot, armed: true, firedAtMs: null, lookAtMs: null } };
  }

  function again(
    slot: Slot,
    { isOn, nowMs, facts }: { isOn: boolean; nowMs: number; facts: () => TriggerFacts },
  ): SlotVerdict {
    if (!isOn || againMs === undefined || slot.firedAtMs === null) return unchanged(slot);
    const dueMs = slot.firedAtMs + againMs;
    if (nowMs < dueMs) return unchanged(changed(slot, { lookAtMs: dueMs }));
    return fire({ slot, fired: facts(), reason: null }, nowMs);
  }
}

function whyNot({
  isInside,
  armed,
  number,
  from,
  limits: [least, most],
  hysteresis,
}: {
  readonly isInside: boolean;
  readonly armed: boolean;
  readonly number: number;
  readonly from: JsonValue;
  readonly limits: readonly [JsonValue | undefined, JsonValue | undefined];
  readonly hysteresis: number;
}): NearMissReason | null {
  const isLow = typeof least === 'number' && number <= least;
  const limit = (isLow ? least : most) ?? least ?? null;
  if (!isInside) return armed ? { why: 'not_crossed', value: number, limit } : null;
  const wasOutside =
    typeof from === 'number' &&
    ((typeof least === 'number' && from <= least) || (typeof most === 'number' && from >= most));
  if (armed || !wasOutside) return null;
  const rearmsAt = typeof least === 'number' ? least - hysteresis : typeof most === 'number' ? most + hysteresis : null;
  return { why: 'not_armed', value: number, rearmsAt };
}

/** Rises by at least this within a time, or falls. A value counts until the next one comes. */
function lookAtSlope(
  trigger: ThresholdTrigger,
  { by, within_s: withinS }: { readonly by: number; readonly within_s: number },
): (given: Given) => SlotVerdict {
  const sign = by < 0 ? -1 : 1;
  return (given) => {
    const { slot, view, member, happening } = given;
    const nowMs = view.now.hubMs;
    const known = numberOf(given);
    const ended = slot.points.map(([untilMs, value]): Point => [untilMs ?? nowMs, value]);
    if (known === undefined) return unchanged(slot.points.at(-1)?.[0] === null ? { ...slot, points: ended } : slot);
    const { number, seen } = known;
    // A device that is back shows its old value until it reports.
    if (happening.kind !== 'value' && happening.kind !== 'begin') return unchanged(slot);
    // Each is further than the one before it: a value with a lower one after it is never where a rise began.
    const recent = ended.filter(([untilMs]) => (untilMs ?? nowMs) >= nowMs - withinS * 1000);
    const start = recent[0];
    const change = start === undefined ? 0 : number - start[1];
    if (start !== undefined && sign * change >= sign * by) {
      const { quality, cause } = seen;
      const facts = factsOf(trigger, nowMs, { ...member, from: start[1], value: number, quality, cause });
      return { slot: { ...slot, points: [[null, number]] }, fired: facts, reason: null };
    }
    const kept = recent.filter(([, value]) => sign * value < sign * number);
    const points: readonly Point[] = [...(kept.length < MAX_POINTS ? kept : kept.toSpliced(1, 1)), [null, number]];
    const isNear = happening.kind === 'value' && sign * change > 0;
    return {
      slot: { ...slot, points },
      fired: null,
      reason: isNear ? { why: 'not_crossed', value: change, limit: by } : null,
    };
  };
}

/** How far sensors waver around a value: so much, or so much of the limit. */
type Wavering = { readonly by: number } | { readonly share: number };

const OF_UNIT: Readonly<Partial<Record<Unit, Wavering>>> = {
  celsius: { by: 0.3 },
  hPa: { by: 0.5 },
  lx: { share: 0.1 },
  ppm: { share: 0.05 },
  ppb: { share: 0.05 },
  'ug/m3': { share: 0.1 },
  'mg/m3': { share: 0.1 },
  W: { share: 0.05 },
  VA: { share: 0.05 },
  A: { share: 0.05 },
  V: { share: 0.01 },
  dB: { by: 2 },
  'm/s': { share: 0.1 },
};
/** Other percentages are what somebody set, and do not waver. */
const OF_WORD: Readonly<Partial<Record<VocabularyWord, Wavering>>> = {
  humidity: { by: 2 },
  soil_moisture: { by: 2 },
  battery: { by: 2 },
  target_temperature: { by: 0 },
  target_temperature_cool: { by: 0 },
  away_target_temperature: { by: 0 },
};

/** By how much a value must come back before a limit counts as crossed again, where the trigger does not say it. */
export function usualHysteresis(key: string, limit: unknown): number {
  const word = key.split('.').find(isVocabularyWord);
  if (word === undefined) return 0;
  const wavering = OF_WORD[word] ?? OF_UNIT[VOCABULARY[word].unit ?? ''];
  if (wavering === undefined) return 0;
  if ('by' in wavering) return wavering.by;
  return typeof limit === 'number' ? Math.abs(limit) * wavering.share : 0;
}
