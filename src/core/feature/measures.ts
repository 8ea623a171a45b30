import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { Feature } from './feature.ts';
import { converted, toUnitOf } from './measure.ts';
import { mapNumber, numberIn } from './peer-value.ts';
import { unitFromSpelling } from './units.ts';
import type { Unit } from './value-type.ts';
import { isVocabularyWord, VOCABULARY, type VocabularyWord } from './vocabulary.ts';
import { faultWords } from '#words/faults.ts';

/** A person says what a number measures, where the vocabulary has no word for it. */
export type Measure = {
  readonly capability: VocabularyWord;
  /** In which the device sends it; the hub shows it in that of the word. */
  readonly unit: Unit | null;
  /** As its integration describes it. */
  readonly described: Feature;
};

/** `capability: null` takes back what was said. */
export type MeasureChange = {
  readonly key: string;
  readonly capability: VocabularyWord | null;
  readonly unit?: Unit | null | undefined;
};

type Told = { readonly measures?: readonly Measure[] };
type Measured = Told & { readonly features: readonly Feature[] };

const MOST_MEASURES = 100;

/** Features as an integration describes them, with what a person said of them: also where that is described anew. */
export function withMeasures(features: readonly Feature[], measures: readonly Measure[] | undefined): Measured {
  if (measures === undefined) return { features };
  const byKey = new Map(features.map((feature) => [feature.key, feature]));
  const own = measures.map((measure) => {
    const described = byKey.get(measure.described.key);
    return described !== undefined && isMeasurable(described) ? { ...measure, described } : measure;
  });
  for (const { described, capability } of own) {
    const feature = byKey.get(described.key);
    if (feature !== undefined && isMeasurable(feature)) byKey.set(feature.key, measuring(feature, capability));
  }
  return { features: [...byKey.values()], measures: own };
}

/** `value` is the present one. Throws HubError NOT_FOUND, VALIDATION_FAILED, LIMIT_REACHED. */
export function changedMeasures(
  { features, measures = [] }: Measured,
  { key, capability, unit }: MeasureChange,
  value: JsonValue,
): Measured {
  const before = new Map(measures.map(({ described }) => [described.key, described]));
  const described = features.map((feature) => before.get(feature.key) ?? feature);
  const feature = described.find((one) => one.key === key);
  if (feature === undefined) throw new HubError('NOT_FOUND', 'This device has no such feature.');
  const others = measures.filter((measure) => measure.described.key !== key);
  if (capability === null) return withMeasures(described, others);
  const isNumber = value === null || numberIn(value) !== undefined;
  if (!isMeasurable(feature) || !isNumber)
    throw validationFailed([fieldError('/capability', 'INVALID_VALUE', ...faultWords('unit_said'))]);
  const own = (unit ? unitFromSpelling(unit) : feature.unit) ?? VOCABULARY[capability].unit;
  if (toUnitOf(capability, own) === undefined)
    throw validationFailed([fieldError('/unit', 'INVALID_VALUE', ...faultWords('no_unit_of', { capability }))]);
  if (others.length >= MOST_MEASURES) throw new HubError('LIMIT_REACHED', 'So much is said of this device already.');
  return withMeasures(described, [...others, { capability, unit: own, described: feature }]);
}

/** The units in which the values come of which a person said what they measure. */
export function measuredUnits({ measures = [] }: Told): ReadonlyMap<string, Unit | null> {
  return new Map(measures.map(({ unit, described }) => [described.key, unit]));
}

export function isSameMeasures(one: Told, other: Told): boolean {
  const listOf = ({ measures = [] }: Told): JsonValue =>
    measures.map(({ capability, unit, described: { key } }) => [key, capability, unit]);
  return isSameJson(listOf(one), listOf(other));
}

/** Converts what the device reports into the units of the words that a person said. */
export function measuredValues(
  { measures = [], featuresByKey }: Told & { readonly featuresByKey: ReadonlyMap<string, Feature> },
  values: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> {
  let measured: Map<string, JsonValue> | undefined;
  for (const { capability, unit, described } of measures) {
    const { key } = described;
    const [value, linear] = [values.get(key), toUnitOf(capability, unit)];
    if (value === undefined || linear === undefined || featuresByKey.get(key)?.capability !== capability) continue;
    const number = mapNumber(value, (one) => converted(one, linear));
    measured = new Map(measured ?? values).set(key, number ?? value);
  }
  return measured ?? values;
}

/** A word that a person may say of a number: those that a device takes mean more than a value. */
export function isMeasureWord(word: string): word is VocabularyWord {
  if (!isVocabularyWord(word)) return false;
  const { kind, valueType, writable } = VOCABULARY[word];
  return kind === 'state' && valueType === 'number' && !writable;
}

function isMeasurable({ capability, kind, valueType, writable }: Feature): boolean {
  const isNumber = valueType === 'number' || valueType === 'any';
  return capability.startsWith('x.') && kind === 'state' && isNumber && !writable;
}

function measuring(feature: Feature, capability: VocabularyWord): Feature {
  const { unit, category } = VOCABULARY[capability];
  return { ...feature, capability, category, valueType: 'number', unit, min: null, max: null, step: null };
}
