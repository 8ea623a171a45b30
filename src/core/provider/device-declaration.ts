import { type FieldError, fieldError } from '#base/hub-error.ts';
import { createWorkSlices } from '#base/work-slices.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { FeatureCategory, FeatureKind, ValueType } from '#core/feature/value-type.ts';
import { type Capability, isVocabularyWord, VOCABULARY, type VocabularyEntry } from '#core/feature/vocabulary.ts';
import { limit } from '#words/limits.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

type Maybe<Value> = Value | null | undefined;

/** A feature as a script declares it: what is absent or `null` is as the vocabulary has it. */
export type DeclaredFeature = {
  readonly key: string;
  readonly capability: string;
  readonly kind: FeatureKind;
  readonly valueType: ValueType;
  readonly component?: string | undefined;
  readonly category?: FeatureCategory | undefined;
  readonly name?: string | undefined;
  readonly description?: Maybe<string>;
  readonly readable?: boolean | undefined;
  readonly writable?: boolean | undefined;
  readonly unit?: Maybe<string>;
  readonly min?: Maybe<number>;
  readonly max?: Maybe<number>;
  readonly step?: Maybe<number>;
  readonly options?: Maybe<readonly string[]>;
};

/** A device as a script declares it. Its form was checked, its meaning was not. */
export type DeclaredDevice = Omit<DeviceDescription, 'features'> & { readonly features: readonly DeclaredFeature[] };

type DeclarationReading = { readonly device: DeviceDescription } | { readonly errors: readonly FieldError[] };

/** Length of the features as JSON. The hub takes 128 KiB of a device, its texts included. */
const MAX_DECLARED_SIZE = 120 * 1024;
const MAX_ERRORS = 32;
const GENERIC = /^x\.[a-z0-9][a-z0-9_]{0,63}$/;

/** Checks the features against the vocabulary, in slices. Returns the first 32 faults, with pointers to `/features/…`. */
export async function readDeclaration(
  { features: declared, ...device }: DeclaredDevice,
  monotonicMs: () => number,
): Promise<DeclarationReading> {
  const keys = new Set<string>();
  const errors: FieldError[] = [];
  const features: Feature[] = [];
  const slices = createWorkSlices(monotonicMs);
  let size = 0;
  for (const [index, one] of declared.entries()) {
    const at = `/features/${index}`;
    if (keys.has(one.key)) errors.push(fieldError(`${at}/key`, 'INVALID_VALUE', ...faultWords('key_taken')));
    keys.add(one.key);
    errors.push(...findFeatureErrors(one, at));
    const feature = featureFrom(one);
    features.push(feature);
    size += JSON.stringify(feature).length;
    if (size > MAX_DECLARED_SIZE) {
      const message = `must have at most ${MAX_DECLARED_SIZE} characters as JSON`;
      errors.push(fieldError('/features', 'TOO_LONG', message, limit('most', { most: MAX_DECLARED_SIZE })));
    }
    if (size > MAX_DECLARED_SIZE || errors.length >= MAX_ERRORS) break;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return errors.length > 0 ? { errors: errors.slice(0, MAX_ERRORS) } : { device: { ...device, features } };
}

function findFeatureErrors(feature: DeclaredFeature, at: string): FieldError[] {
  const { capability } = feature;
  const word = wordOf(capability);
  if (word === undefined && !GENERIC.test(capability)) {
    const text = 'is no word of the vocabulary: something that has none is x.… in small letters, digits and _';
    return [fieldError(`${at}/capability`, 'INVALID_VALUE', text)];
  }
  return [...findWordErrors(feature, word, at), ...findTypeErrors(feature, at), ...findLimitErrors(feature, at)];
}

/** A word of the vocabulary has one kind, one type and one unit in every home. */
function findWordErrors(feature: DeclaredFeature, word: VocabularyEntry | undefined, at: string): FieldError[] {
  if (word === undefined) return [];
  const { kind, valueType, unit, capability } = feature;
  const isOtherType = valueType !== word.valueType && word.valueType !== 'any';
  const isOtherUnit = word.unit !== null && (unit ?? word.unit) !== word.unit;
  return [
    ...(kind === word.kind
      ? []
      : [fieldError(`${at}/kind`, 'INVALID_VALUE', ...faultWords('must_be_for', { value: word.kind, capability }))]),
    ...(isOtherType
      ? [
          fieldError(
            `${at}/value_type`,
            'INVALID_VALUE',
            ...faultWords('must_be_for', { value: word.valueType, capability }),
          ),
        ]
      : []),
    ...(isOtherUnit
      ? [fieldError(`${at}/unit`, 'INVALID_VALUE', ...faultWords('must_be_for', { value: word.unit, capability }))]
      : []),
  ];
}

function findTypeErrors({ kind, valueType, writable }: DeclaredFeature, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const isPossible = kind === 'event' ? valueType === 'object' : kind === 'action' || valueType !== 'none';
  if (!isPossible)
    errors.push(
      fieldError(`${at}/value_type`, 'INVALID_VALUE', ...faultWords('type_of_kind', { type: valueType, kind })),
    );
  if (kind === 'event' && writable === true)
    errors.push(fieldError(`${at}/writable`, 'INVALID_VALUE', ...faultWords('event_not_writable')));
  return errors;
}

function findLimitErrors({ kind, valueType, min, max, step, options }: DeclaredFeature, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, ...words: FaultWords): void =>
    void errors.push(fieldError(`${at}/${field}`, 'INVALID_VALUE', ...words));
  if (valueType !== 'number') {
    for (const [field, limit] of Object.entries({ min, max, step }))
      if (typeof limit === 'number') refuse(field, ...faultWords('for_numbers'));
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) refuse('max', ...faultWords('max_below_min'));
  if (typeof step === 'number' && step <= 0) refuse('step', ...faultWords('step_zero'));
  const hasOptions = Array.isArray(options);
  if (valueType === 'enum' && !hasOptions)
    errors.push(fieldError(`${at}/options`, 'REQUIRED', ...faultWords('needed_for_enum')));
  if (hasOptions && valueType !== 'enum' && kind !== 'event') refuse('options', ...faultWords('for_enums'));
  if (hasOptions && new Set(options).size < options.length) refuse('options', ...faultWords('each_once'));
  return errors;
}

function featureFrom(declared: DeclaredFeature): Feature {
  const { key, kind, valueType } = declared;
  const capability = declared.capability as Capability;
  const word = wordOf(capability);
  const writable = declared.writable ?? word?.writable ?? kind === 'action';
  const unit = declared.unit ?? word?.unit ?? null;
  // A slider needs its ends.
  const isShare = unit === 'percent' && writable && valueType === 'number';
  return {
    key,
    capability,
    component: declared.component ?? componentOf(key, capability),
    kind,
    category: declared.category ?? word?.category ?? 'primary',
    name: declared.name ?? nameFrom(capability),
    description: declared.description ?? null,
    valueType,
    readable: declared.readable ?? kind === 'state',
    writable,
    unit,
    min: declared.min ?? (isShare ? 0 : null),
    max: declared.max ?? (isShare ? 100 : null),
    step: declared.step ?? null,
    options: declared.options ?? null,
    schema: null,
  };
}

function wordOf(capability: string): VocabularyEntry | undefined {
  return isVocabularyWord(capability) ? VOCABULARY[capability] : undefined;
}

/** `left` for the key `left.on`. */
function componentOf(key: string, capability: string): string {
  return key.endsWith(`.${capability}`) ? key.slice(0, -capability.length - 1) : 'main';
}

/** `Color temperature` for `color_temperature`. */
function nameFrom(capability: string): string {
  const words = capability.replace(/^x\./, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
