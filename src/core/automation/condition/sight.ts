import { isSameJson, type JsonValue } from '#base/json.ts';
import { shortText } from '#base/content/short-text.ts';
import type { Cause } from '#core/cause/cause.ts';
import { isReachable } from '#core/device/device.ts';
import { isVocabularyWord, VOCABULARY } from '#core/feature/vocabulary.ts';
import type { FeatureRef, Mover } from '#core/automation/document/condition.ts';
import type { OperandSeen, RunScope, SeenValue, Truth, UnknownReason, View } from '#core/automation/view.ts';

/** The value of a feature as a decision may use it, and why not. */
export function seeFeature(
  view: View,
  { device, key }: FeatureRef,
  acceptRestored = true,
): { readonly state: SeenValue | undefined; readonly unknown: UnknownReason | null } {
  const state = view.value(device, key);
  const availability = view.availability(device);
  const unknown = (): UnknownReason | null => {
    if (state === undefined || availability === undefined) return 'gone';
    if (state.quality === 'none' || state.quality === 'stale') return state.quality;
    if (!isReachable(availability)) return 'offline';
    return state.quality === 'restored' && !acceptRestored ? 'restored' : null;
  };
  return { state, unknown: unknown() };
}

/** The line of the trace for a feature. */
export function featureSeen(
  { device, key }: FeatureRef,
  state: SeenValue | undefined,
  unknown: UnknownReason | null,
): OperandSeen {
  const { value, quality, changedAtMs } = state ?? { value: null, quality: 'none', changedAtMs: null };
  return { device, key, value: shownOf(value), quality, changedAtMs, unknown };
}

/** The line of the trace for anything else. */
export function noted(name: string, value: JsonValue | undefined, reason: UnknownReason = 'gone'): OperandSeen {
  return { name, value: shownOf(value ?? null), unknown: value === undefined ? reason : null };
}

const MOST_SHOWN = 256;
/** A list may be seen again in each round of a loop. */
const shortened = new WeakMap<object, JsonValue>();

/**
 * Shortens a value for a trace: a hundred conditions may rest on one text of 60 kB. A cut value becomes a text with
 * `…`.
 */
export function shownOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortText(value, MOST_SHOWN);
  if (typeof value !== 'object' || value === null) return value;
  const known = shortened.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  const shown = text.length <= MOST_SHOWN ? value : shortText(text, MOST_SHOWN);
  shortened.set(value, shown);
  return shown;
}

/** The value of a variable: of the document, else of the home. */
export function seeVariable({ view, variables }: RunScope, name: string): JsonValue | undefined {
  return variables.has(name) ? variables.get(name) : view.variable(name);
}

export function shownIn(values: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownOf(value)]));
}

/** Whether a value is the one that was asked for, or one of them. */
export function isAmong(value: JsonValue, wanted: JsonValue): boolean {
  return isSameJson(value, wanted) || (Array.isArray(wanted) && wanted.some((one) => isSameJson(value, one)));
}

/**
 * Names who changed a feature, by evidence: a command of this hub, a hand at a thing that people move (a switch, a
 * remote that is bound to the lamp), or the thing itself, as a sensor does.
 */
export function moverOf(key: string, cause: Cause | null): Exclude<Mover, 'any'> {
  if (cause !== null) return 'hub';
  return isMovable(key) ? 'hand' : 'other';
}

export function isMovedBy(by: Mover | undefined, key: string, cause: Cause | null): boolean {
  return by === undefined || by === 'any' || moverOf(key, cause) === by;
}

/** A key is the capability, perhaps with a component before it or a property behind it. */
function isMovable(key: string): boolean {
  return key.split('.').some((word) => {
    if (!isVocabularyWord(word)) return false;
    const { kind, writable, category } = VOCABULARY[word];
    return kind === 'state' && writable && category === 'primary';
  });
}

/** Whether a person, anyone or everyone is at home or away. Nobody is known in a home without people. */
export function presenceIs(view: View, person: string, is: 'home' | 'away'): Truth {
  const isGroup = person === 'anyone' || person === 'everyone';
  const states = isGroup ? view.everyone() : [view.presence(person)].filter((state) => state !== undefined);
  const decisive = person !== 'everyone';
  let result: Truth = states.length === 0 ? 'unknown' : !decisive;
  for (const state of states) {
    const truth = state === 'unknown' ? 'unknown' : state === is;
    if (truth === decisive) return truth;
    if (truth === 'unknown') result = truth;
  }
  return result;
}
