import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';
import type { Feature, Occurrence } from './feature.ts';
import { findSchemaErrors, pointerStep } from './value-schema.ts';
import { faultWords, notOneOf } from '#words/faults.ts';

/** Whether a feature takes values at all: a writable state, or an action with input. */
export function isSettable(feature: Feature): boolean {
  return feature.writable && feature.kind !== 'event' && feature.valueType !== 'none';
}

/** The faults of a value for this feature; empty if it fits. Does not check whether the feature is writable. */
export function findValueErrors(feature: Feature, value: JsonValue, pointer: string): FieldError[] {
  const wrongType = (expected: string): FieldError[] => [
    fieldError(pointer, 'WRONG_TYPE', ...faultWords('type', { type: expected })),
  ];
  if (value === null) return wrongType('a value');
  switch (feature.valueType) {
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrongType('true or false');
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? findRangeErrors(feature, value, pointer)
        : wrongType('a number');
    case 'enum':
      return typeof value === 'string' ? findOptionErrors(feature, value, pointer) : wrongType('a string');
    case 'string':
      if (typeof value !== 'string') return wrongType('a string');
      break;
    case 'timestamp':
      if (typeof value !== 'string') return wrongType('a time');
      return RFC_3339.test(value) && Number.isFinite(Date.parse(value))
        ? []
        : [fieldError(pointer, 'INVALID_FORMAT', ...faultWords('moment_form'))];
    case 'color':
      return isJsonObject(value) ? findColorErrors(value, pointer) : wrongType('{x, y} or {hue, saturation}');
    case 'object':
      if (!isJsonObject(value)) return wrongType('an object');
      break;
    case 'list':
      if (!Array.isArray(value)) return wrongType('a list');
      break;
    case 'any':
      break;
    case 'none':
      return wrongType('left out: this feature takes no value');
  }
  return feature.schema === null ? [] : findSchemaErrors(feature.schema, value, pointer);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

function findRangeErrors({ min, max, unit }: Feature, value: number, pointer: string): FieldError[] {
  if ((min === null || value >= min) && (max === null || value <= max)) return [];
  const range = [min === null ? [] : `at least ${min}`, max === null ? [] : `at most ${max}`].flat().join(' and ');
  const message = `must be ${range}${unit === null ? '' : ` ${unit}`}`;
  return [fieldError(pointer, 'OUT_OF_RANGE', message, rangeLimit(min, max))];
}

function rangeLimit(least: number | null, most: number | null): Wording {
  if (least === null) return limit('most', { most: most ?? 0 });
  return most === null ? limit('least', { least }) : limit('range', { least, most });
}

function findOptionErrors({ options }: Feature, value: string, pointer: string): FieldError[] {
  if (options === null || options.includes(value)) return [];
  const shown = options.length > 20 ? [...options.slice(0, 20), '…'] : options;
  return [fieldError(pointer, 'INVALID_VALUE', ...notOneOf(shown))];
}

const COLOR_FORMS: readonly Readonly<Record<string, number>>[] = [
  { x: 1, y: 1 },
  { hue: 360, saturation: 100 },
];

/** A color is one complete form: members of two forms together are a fault. */
function findColorErrors(color: JsonObject, pointer: string): FieldError[] {
  const form = COLOR_FORMS.find((candidate) => Object.keys(candidate).some((name) => Object.hasOwn(color, name)));
  if (form === undefined) return [fieldError(pointer, 'REQUIRED', ...faultWords('color_members'))];
  const missing = Object.keys(form)
    .filter((name) => !Object.hasOwn(color, name))
    .map((name): FieldError => fieldError(pointer + pointerStep(name), 'REQUIRED', ...faultWords('missing')));
  const wrong = Object.entries(color).flatMap(([name, value]): FieldError[] => {
    const at = pointer + pointerStep(name);
    const max = Object.hasOwn(form, name) ? form[name] : undefined;
    if (max === undefined) return [fieldError(at, 'UNKNOWN', ...faultWords('unknown_color_member'))];
    if (typeof value !== 'number') return [fieldError(at, 'WRONG_TYPE', ...faultWords('number'))];
    if (value >= 0 && value <= max) return [];
    return [fieldError(at, 'OUT_OF_RANGE', `must be at least 0 and at most ${max}`, rangeLimit(0, max))];
  });
  return [...missing, ...wrong];
}

/** In characters or elements (I1). A device whose value for one feature is larger is broken or hostile. */
const MAX_REPORTED_SIZE = 65_536;
const MAX_REPORTED_DEPTH = 8;
const MAX_WORD_LENGTH = 256;

/**
 * Whether the hub can keep a reported value: it must have the feature's type, be finite and of bounded size and depth.
 * Range and options are not checked, because a device may leave the range that its description promises.
 */
export function isReportable({ valueType }: Pick<Feature, 'valueType'>, value: JsonValue): boolean {
  switch (valueType) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return Number.isFinite(value);
    case 'enum':
    case 'string':
    case 'timestamp':
      return typeof value === 'string' && value.length <= MAX_REPORTED_SIZE;
    case 'color':
    case 'object':
      return isJsonObject(value) && isBounded(value);
    case 'list':
      return Array.isArray(value) && isBounded(value);
    case 'any':
      return isBounded(value);
    default:
      return false;
  }
}

/** Whether a message says something of a feature: a value that the hub can keep, or `null`, that the peer does not know. */
export function isSaid(feature: Pick<Feature, 'valueType'>, value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && (value === null || isReportable(feature, value));
}

/** Whether the hub can pass on a reported occurrence. */
export function isReportableOccurrence({ action, count, raw }: Occurrence): boolean {
  return action.length <= MAX_WORD_LENGTH && raw.length <= MAX_WORD_LENGTH && Number.isFinite(count ?? 0);
}

function isBounded(value: JsonValue): boolean {
  let left = MAX_REPORTED_SIZE;
  const fits = (part: unknown, depth: number): boolean => {
    left -= typeof part === 'string' ? part.length : 1;
    if (left < 0) return false;
    if (typeof part === 'number') return Number.isFinite(part);
    if (typeof part !== 'object') return typeof part === 'string' || typeof part === 'boolean';
    if (part === null) return true;
    if (depth === MAX_REPORTED_DEPTH) return false;
    return Object.entries(part).every(([name, item]) => {
      left -= name.length;
      return left >= 0 && fits(item, depth + 1);
    });
  };
  return fits(value, 0);
}
