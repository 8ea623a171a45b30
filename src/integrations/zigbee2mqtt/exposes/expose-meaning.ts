import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Unit, ValueType } from '#core/feature/value-type.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import { actionFromRaw, snakeCase } from './action-words.ts';
import { reciprocalOf, type Conversion, type EnumWords } from './conversion.ts';
import type { Expose } from './definition.ts';
import { converted, neat } from '#core/feature/measure.ts';
import { type Linear, linearBetween, unitFromSpelling } from '#core/feature/units.ts';

/** The shape of an expose's value in the hub. */
export type Meaning = {
  readonly valueType: ValueType;
  readonly conversion: Conversion;
  readonly unit: Unit | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly options: readonly string[] | null;
  readonly schema: JsonObject | null;
};

const NO_RANGE = { unit: null, min: null, max: null, step: null } as const;
const SAME = { factor: 1, offset: 0 };
const HUNDREDTH = { factor: 0.01, offset: 0 };
const PLAIN = { ...NO_RANGE, options: null, schema: null } as const;

/**
 * Enum values for words that are booleans in the vocabulary (zigbee-herdsman-converters 26.105). Other values are unknown.
 */
const TRUTHS: Readonly<
  Partial<Record<VocabularyWord, { readonly yes: readonly string[]; readonly no: readonly string[] }>>
> = {
  child_lock: {
    yes: ['lock1', 'lock', 'locked', 'lock2', 'lock3', 'level_1', 'level_2'],
    no: ['unlock', 'unlocked', 'no_lockout'],
  },
  open: { yes: ['open', 'tilted'], no: ['closed'] },
  mains_powered: { yes: ['connected', 'connected_with_issues'], no: ['disconnected'] },
};

/** The meaning of an expose as this vocabulary word. `undefined` unless type, unit and polarity fit the word. */
export function meaningAsWord(word: VocabularyWord, expose: Expose): Meaning | undefined {
  const { valueType, unit } = VOCABULARY[word];
  if (valueType === 'any') return genericMeaning(expose);
  if (valueType === 'boolean') return booleanMeaning(word, expose);
  if (valueType === 'number') return numberMeaning(word, expose, unit);
  if (valueType === 'enum') return enumMeaning(word, expose);
  if (valueType === 'color') return colorMeaning(expose);
  if (word === 'button') return buttonMeaning(expose);
  if (word === 'identify') return triggerMeaning(expose);
  if (word === 'infrared_send' && expose.type === 'text') {
    return { ...PLAIN, valueType: 'string', conversion: { kind: 'text' } };
  }
  if (valueType === 'timestamp') return { ...PLAIN, valueType, conversion: { kind: 'timestamp' } };
  return valueType === 'object' && expose.type === 'composite' ? genericMeaning(expose) : undefined;
}

/** The meaning of an expose without a vocabulary word: upstream's type, unit and options. */
export function genericMeaning(expose: Expose): Meaning {
  switch (expose.type) {
    case 'binary':
      return { ...PLAIN, valueType: 'boolean', conversion: { kind: 'boolean', ...polarity(expose) } };
    case 'numeric': {
      const { min, max, step } = expose;
      const unit = expose.unit === null ? null : unitFromSpelling(expose.unit);
      const conversion = { kind: 'number', map: SAME, wholeWire: false } as const;
      return { ...PLAIN, ...orderedRange(min, max), valueType: 'number', conversion, unit, step };
    }
    case 'enum': {
      const words = distinctWords(expose.values, (text) => text);
      return {
        ...PLAIN,
        valueType: 'enum',
        conversion: { kind: 'enum', words, snake: false },
        options: wordsOf(words),
      };
    }
    case 'text':
      return { ...PLAIN, valueType: 'string', conversion: { kind: 'text' } };
    case 'composite':
      return { ...PLAIN, valueType: 'object', conversion: { kind: 'as_is' }, schema: schemaOfExpose(expose) };
    case 'list':
      return { ...PLAIN, valueType: 'list', conversion: { kind: 'as_is' }, schema: schemaOfExpose(expose) };
    default:
      return { ...PLAIN, valueType: 'any', conversion: { kind: 'as_is' } };
  }
}

function polarity(expose: Expose): { on: JsonValue; off: JsonValue } {
  return { on: expose.valueOn ?? true, off: expose.valueOff ?? false };
}

function booleanMeaning(word: VocabularyWord, expose: Expose): Meaning | undefined {
  if (expose.type === 'binary') {
    const { on, off } = polarity(expose);
    const isSwapped =
      // A made contact is closed, whichever of its two values the definition calls "on".
      (expose.name === 'contact' && (on === true || on === 'ON')) ||
      // Some definitions call UNLOCK "on".
      ((word === 'child_lock' || word === 'locked') && typeof on === 'string' && /^unlock/i.test(on));
    const ends = isSwapped ? { on: off, off: on } : { on, off };
    const conversion = { kind: 'boolean', ...ends, ...(word === 'locked' ? { isLock: true } : {}) } as const;
    return { ...PLAIN, valueType: 'boolean', conversion };
  }
  const truth = TRUTHS[word];
  if (expose.type !== 'enum' || truth === undefined) return undefined;
  const [on, off] = [truth.yes, truth.no].map((words) => words.find((option) => expose.values.includes(option)));
  if (on === undefined || off === undefined) return undefined;
  const words = new Map([
    ...truth.yes.map((yes) => [yes, true] as const),
    ...truth.no.map((no) => [no, false] as const),
  ]);
  return { ...PLAIN, valueType: 'boolean', conversion: { kind: 'truth', words, on, off } };
}

function numberMeaning(word: VocabularyWord, expose: Expose, unit: Unit | null): Meaning | undefined {
  if (expose.type !== 'numeric') return undefined;
  const from = expose.unit === null ? null : unitFromSpelling(expose.unit);
  if (unit === 'K' && from === 'mired') {
    const range = { min: reciprocalOrNull(expose.max), max: reciprocalOrNull(expose.min) };
    return { ...PLAIN, ...range, valueType: 'number', conversion: { kind: 'mired' }, unit, step: 1 };
  }
  if (unit === 'percent' && from === null && expose.max !== null && expose.max > 0 && expose.max !== 100) {
    return levelMeaning(expose.min, expose.max);
  }
  // A word without a fixed unit takes the expose's: an index has none, a calibration that of its measurement.
  const map =
    unit !== null ? linearTo(unit, from, word) : word === 'power_factor' && from === 'percent' ? HUNDREDTH : SAME;
  if (map === undefined) return undefined;
  const convert = (value: number | null): number | null => (value === null ? null : converted(value, map));
  const isWhole = map.factor !== 1 && (expose.step === null || Number.isInteger(expose.step));
  return {
    ...PLAIN,
    ...orderedRange(convert(expose.min), convert(expose.max)),
    valueType: 'number',
    conversion: { kind: 'number', map, wholeWire: isWhole },
    unit: word === 'calibration' ? from : unit,
    step: expose.step === null ? null : neat(Math.abs(expose.step * map.factor)),
  };
}

/** A definition without a unit uses the usual one, and received signal strength is in dBm where a definition says dB. */
function linearTo(unit: Unit, from: Unit | null, word: VocabularyWord): Linear | undefined {
  return from === null || (from === 'dB' && unit === 'dBm') ? SAME : linearBetween(from, unit, word);
}

/** A level of `max` steps, in percent. */
function levelMeaning(min: number | null, max: number): Meaning {
  const low = min === null || min <= 0 ? 0 : Math.round((min * 100) / max);
  const step = max > 100 ? 1 : neat(100 / max);
  return {
    ...PLAIN,
    valueType: 'number',
    conversion: { kind: 'percent', max },
    unit: 'percent',
    min: low,
    max: 100,
    step,
  };
}

const reciprocalOrNull = (mired: number | null): number | null =>
  mired === null || mired <= 0 ? null : reciprocalOf(mired);

/** Drops a range whose ends are in the wrong order. */
function orderedRange(min: number | null, max: number | null): { min: number | null; max: number | null } {
  return min !== null && max !== null && min > max ? { min: null, max: null } : { min, max };
}

function enumMeaning(word: VocabularyWord, expose: Expose): Meaning | undefined {
  let words: EnumWords;
  if (expose.type === 'enum') {
    words = distinctWords(expose.values, snakeCase);
  } else if (expose.type === 'binary') {
    const { on, off } = polarity(expose);
    // Here a boolean means the state to restore: on or off.
    const isMemory = word === 'power_on_behavior';
    words = [
      [on, isMemory ? 'previous' : typeof on === 'string' ? snakeCase(on) : 'on'],
      [off, isMemory ? 'off' : typeof off === 'string' ? snakeCase(off) : 'off'],
    ];
  } else return undefined;
  return { ...PLAIN, valueType: 'enum', conversion: { kind: 'enum', words, snake: true }, options: wordsOf(words) };
}

/** If several upstream values give the same word, the later ones keep their spelling: each must stay settable. */
function distinctWords(values: readonly JsonValue[], wordOf: (text: string) => string): EnumWords {
  const taken = new Set<string>();
  return values.flatMap((value) => {
    if (value === null || typeof value === 'object') return [];
    const text = String(value);
    const word = [wordOf(text), text].find((candidate) => candidate !== '' && !taken.has(candidate));
    if (word === undefined) return [];
    taken.add(word);
    return [[value, word] as const];
  });
}

const wordsOf = (words: EnumWords): readonly string[] => words.map(([, word]) => word);

function colorMeaning(expose: Expose): Meaning | undefined {
  if (expose.type !== 'composite') return undefined;
  return { ...PLAIN, valueType: 'color', conversion: { kind: 'color' }, schema: schemaOfExpose(expose) };
}

function buttonMeaning(expose: Expose): Meaning | undefined {
  if (expose.type !== 'enum' && expose.type !== 'text') return undefined;
  const raw = expose.values.filter((value) => typeof value === 'string');
  const options = [...new Set(raw.map((value) => actionFromRaw(value).action))];
  const schema = { type: 'object', properties: { raw: { type: 'string', ...(raw.length > 0 ? { enum: raw } : {}) } } };
  return { ...PLAIN, valueType: 'object', conversion: { kind: 'occurrence' }, options, schema };
}

/** An action without input has exactly one value to send. */
function triggerMeaning(expose: Expose): Meaning | undefined {
  const wire = expose.type === 'binary' ? expose.valueOn : expose.values.length === 1 ? expose.values[0] : null;
  if (wire === null || wire === undefined) return undefined;
  return { ...PLAIN, valueType: 'none', conversion: { kind: 'trigger', wire } };
}

/** The JSON Schema of the value of a composite or list. */
function schemaOfExpose(expose: Expose): JsonObject {
  const title = expose.label === null ? {} : { title: expose.label };
  const description = expose.description === null ? {} : { description: expose.description };
  return { ...typeOfExpose(expose), ...title, ...description };
}

function typeOfExpose(expose: Expose): JsonObject {
  switch (expose.type) {
    case 'binary':
      return { enum: [expose.valueOn ?? true, expose.valueOff ?? false] };
    case 'numeric':
      return { type: 'number', ...limit('minimum', expose.min), ...limit('maximum', expose.max) };
    case 'enum':
      return { enum: expose.values };
    case 'text':
      return { type: 'string' };
    case 'list':
      return {
        type: 'array',
        ...(expose.itemType === null ? {} : { items: schemaOfExpose(expose.itemType) }),
        ...limit('minItems', expose.lengthMin),
        ...limit('maxItems', expose.lengthMax),
      };
    default: {
      if (expose.features.length === 0) return {};
      const properties = expose.features.map((feature) => [feature.property ?? feature.name, schemaOfExpose(feature)]);
      return { type: 'object', properties: Object.fromEntries(properties) };
    }
  }
}

function limit(name: string, value: number | null): JsonObject {
  return value === null ? {} : { [name]: value };
}
