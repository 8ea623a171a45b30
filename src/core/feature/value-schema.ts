import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { limit } from '#words/limits.ts';
import { faultWords } from '#words/faults.ts';

/**
 * The faults of a value by its JSON Schema. Checks only the keywords that features use: type, enum, const, minimum,
 * maximum, minLength, maxLength, properties, required, additionalProperties (false), items, minItems, maxItems. Ignores
 * all others.
 */
export function findSchemaErrors(schema: JsonObject, value: JsonValue, pointer: string): FieldError[] {
  const types = typesOf(schema['type']);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [fieldError(pointer, 'WRONG_TYPE', ...faultWords('type', { type: `of type ${types.join(' or ')}` }))];
  }
  return [
    ...findMemberOfErrors(schema, value, pointer),
    ...findSizeErrors(schema, value, pointer),
    ...(Array.isArray(value) ? findItemErrors(schema, value, pointer) : []),
    ...(isJsonObject(value) ? findPropertyErrors(schema, value, pointer) : []),
  ];
}

/** One step of a JSON pointer (RFC 6901 section 3). */
export function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function typesOf(type: JsonValue | undefined): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((item) => typeof item === 'string') : [];
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function findMemberOfErrors(schema: JsonObject, value: JsonValue, pointer: string): FieldError[] {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : undefined;
  if (choices === undefined || choices.some((choice) => isSameJson(choice, value))) return [];
  return [fieldError(pointer, 'INVALID_VALUE', ...faultWords('not_an_option'))];
}

/** Each keyword with the kind of value that it limits, and whether it is a lower limit. */
const LIMITS = [
  ['minimum', 'number', true],
  ['maximum', 'number', false],
  ['minLength', 'string', true],
  ['maxLength', 'string', false],
  ['minItems', 'list', true],
  ['maxItems', 'list', false],
] as const;

function findSizeErrors(schema: JsonObject, value: JsonValue, pointer: string): FieldError[] {
  return LIMITS.flatMap(([keyword, kind, isLower]) => {
    const bound = schema[keyword];
    const size = sizeOf(value, kind);
    if (typeof bound !== 'number' || size === undefined || (isLower ? size >= bound : size <= bound)) return [];
    const code = kind === 'number' ? 'OUT_OF_RANGE' : isLower ? 'TOO_SHORT' : 'TOO_LONG';
    return isLower
      ? [fieldError(pointer, code, `must be at least ${bound}`, limit('least', { least: bound }))]
      : [fieldError(pointer, code, `must be at most ${bound}`, limit('most', { most: bound }))];
  });
}

function sizeOf(value: JsonValue, kind: 'number' | 'string' | 'list'): number | undefined {
  if (kind === 'number') return typeof value === 'number' ? value : undefined;
  if (kind === 'string') return typeof value === 'string' ? Array.from(value).length : undefined;
  return Array.isArray(value) ? value.length : undefined;
}

function findItemErrors(schema: JsonObject, items: readonly JsonValue[], pointer: string): FieldError[] {
  const itemSchema = schema['items'];
  if (!isJsonObject(itemSchema)) return [];
  return items.flatMap((item, index) => findSchemaErrors(itemSchema, item, `${pointer}/${index}`));
}

function findPropertyErrors(schema: JsonObject, value: JsonObject, pointer: string): FieldError[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.flatMap((name) =>
    typeof name === 'string' && !Object.hasOwn(value, name)
      ? [fieldError(pointer + pointerStep(name), 'REQUIRED', ...faultWords('missing'))]
      : [],
  );
  const wrong = Object.entries(value).flatMap(([name, member]): FieldError[] => {
    const memberPointer = pointer + pointerStep(name);
    const memberSchema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(memberSchema)) return findSchemaErrors(memberSchema, member, memberPointer);
    if (memberSchema !== undefined || schema['additionalProperties'] !== false) return [];
    return [fieldError(memberPointer, 'UNKNOWN', ...faultWords('unknown_value_member'))];
  });
  return [...missing, ...wrong];
}
