import { fieldError, type FieldError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { faultWords } from '#words/faults.ts';

/** Only says something about the schema, and refuses no body. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
]);
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const MAX_CHOICES = 100;
const MAX_REQUIRED = 100;
const MAX_FAULTS = 32;
/** Levels of a schema, each within the other; a body has no more. */
const MAX_DEPTH = 16;

/** One at a time: the walk ends with the last that is asked for. */
type Faults = Generator<FieldError, void>;
type Keyword = ReturnType<typeof limit>;

const isText = (value: JsonValue): value is string => typeof value === 'string';
const lengthOf = (value: JsonValue): number | undefined => (isText(value) ? Array.from(value).length : undefined);
const countOf = (value: JsonValue): number | undefined => (Array.isArray(value) ? value.length : undefined);
const numberOf = (value: JsonValue): number | undefined => (typeof value === 'number' ? value : undefined);

function limit(
  sizeOf: (value: JsonValue) => number | undefined,
  fits: (size: number, limit: number) => boolean,
  say: (limit: number) => string,
) {
  return {
    /** What its value must be, in words; `undefined` if it is right. Asked for each value of a body. */
    wrong: (value: JsonValue): string | undefined => (typeof value === 'number' ? undefined : 'must be a number'),
    /** What a body must be, in words; `undefined` if it fits. */
    misfit: (value: JsonValue, body: JsonValue): string | undefined => {
      const size = sizeOf(body);
      const bound = Number(value);
      return size !== undefined && !fits(size, bound) ? say(bound) : undefined;
    },
  };
}

const atLeast = (size: number, bound: number): boolean => size >= bound;
const atMost = (size: number, bound: number): boolean => size <= bound;

/** The part of JSON Schema that a hook understands. Patterns are no part of it: one can take a processor for hours. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    wrong: (value) =>
      !(Array.isArray(value) && value.length > TYPES.length) &&
      [value].flat().every((one) => (TYPES as readonly JsonValue[]).includes(one))
        ? undefined
        : `must be one of ${TYPES.join(', ')}, or a list of them`,
    misfit: (value, body) => {
      const types = [value].flat() as readonly string[];
      return types.some((type) => isOfType(body, type)) ? undefined : `must be ${types.join(' or ')}`;
    },
  },
  enum: {
    wrong: (value) =>
      Array.isArray(value) && value.length <= MAX_CHOICES
        ? undefined
        : `must be a list of at most ${MAX_CHOICES} values`,
    misfit: (value, body) =>
      (value as readonly JsonValue[]).some((one) => isSameJson(one, body))
        ? undefined
        : 'must be one of the values of enum',
  },
  const: {
    wrong: () => undefined,
    misfit: (value, body) => (isSameJson(value, body) ? undefined : 'must be the value of const'),
  },
  minimum: limit(numberOf, atLeast, (bound) => `must be ${bound} or more`),
  maximum: limit(numberOf, atMost, (bound) => `must be ${bound} or less`),
  minLength: limit(lengthOf, atLeast, (bound) => `must have ${bound} characters or more`),
  maxLength: limit(lengthOf, atMost, (bound) => `must have ${bound} characters or fewer`),
  minItems: limit(countOf, atLeast, (bound) => `must have ${bound} items or more`),
  maxItems: limit(countOf, atMost, (bound) => `must have ${bound} items or fewer`),
};

/** Checks the schema of a hook: a part that would be ignored later is refused when it is saved. */
export function faultsOfAccepts(schema: JsonValue, at: string): readonly FieldError[] {
  return first(schemaFaults(schema, { at, depth: 0 }));
}

/** Why a body does not fit the schema. Linear in the body, and ends early where nearly nothing fits. */
export function faultsOfBody(schema: JsonValue, body: JsonObject): readonly FieldError[] {
  return first(bodyFaults(schema, body, { at: '', names: new Map() }));
}

function first(faults: Faults): readonly FieldError[] {
  const found: FieldError[] = [];
  for (const fault of faults) {
    found.push(fault);
    if (found.length === MAX_FAULTS) break;
  }
  return found;
}

type At = { readonly at: string; readonly depth: number };

function* schemaFaults(schema: JsonValue, { at, depth }: At): Faults {
  if (depth > MAX_DEPTH) {
    yield fieldError(at, 'INVALID_VALUE', ...faultWords('at_most_levels', { most: MAX_DEPTH }));
    return;
  }
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) {
    yield fieldError(at, 'WRONG_TYPE', ...faultWords('json_schema'));
    return;
  }
  for (const [name, value] of Object.entries(schema)) {
    const pointer = `${at}/${escaped(name)}`;
    if (ANNOTATIONS.has(name)) continue;
    if (name === 'items' || name === 'additionalProperties')
      yield* schemaFaults(value, { at: pointer, depth: depth + 1 });
    else if (name === 'properties') yield* propertiesFaults(value, { at: pointer, depth: depth + 1 });
    else if (name === 'required') {
      if (!Array.isArray(value) || !value.every(isText))
        yield fieldError(pointer, 'WRONG_TYPE', ...faultWords('list_of_names'));
      else if (value.length > MAX_REQUIRED)
        yield fieldError(pointer, 'INVALID_VALUE', ...faultWords('at_most_names', { most: MAX_REQUIRED }));
    } else {
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      const wrong = keyword === undefined ? 'is a keyword that hooks do not understand' : keyword.wrong(value);
      if (wrong !== undefined) yield fieldError(pointer, 'INVALID_VALUE', wrong);
    }
  }
}

function* propertiesFaults(value: JsonValue, { at, depth }: At): Faults {
  if (!isJsonObject(value)) {
    yield fieldError(at, 'WRONG_TYPE', ...faultWords('object'));
    return;
  }
  for (const [name, one] of Object.entries(value)) yield* schemaFaults(one, { at: `${at}/${escaped(name)}`, depth });
}

/** `names` has each list of required names without its repetitions, which one of thousands of items must not find anew. */
type Within = { readonly at: string; readonly names: Map<JsonValue, ReadonlySet<string>> };

function* bodyFaults(schema: JsonValue, body: JsonValue, { at, names }: Within): Faults {
  if (schema === false) {
    yield fieldError(at, 'INVALID_VALUE', ...faultWords('not_accepted_by_hook'));
    return;
  }
  if (!isJsonObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
    // One that was kept before its form was checked says nothing.
    if (keyword === undefined || keyword.wrong(value) !== undefined) continue;
    const misfit = keyword.misfit(value, body);
    if (misfit !== undefined) yield fieldError(at, name === 'type' ? 'WRONG_TYPE' : 'INVALID_VALUE', misfit);
  }
  const { properties, required, additionalProperties, items } = schema;
  if (Array.isArray(body)) {
    if (items !== undefined)
      for (const [at2, one] of body.entries())
        yield* bodyFaults(items, one as JsonValue, { at: `${at}/${at2}`, names });
    return;
  }
  if (!isJsonObject(body)) return;
  for (const name of requiredNames(required, names)) {
    if (!Object.hasOwn(body, name)) yield fieldError(`${at}/${escaped(name)}`, 'REQUIRED', ...faultWords('required'));
  }
  for (const [name, one] of Object.entries(body)) {
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (own !== undefined) yield* bodyFaults(own, one, { at: `${at}/${escaped(name)}`, names });
  }
}

function requiredNames(required: JsonValue | undefined, names: Within['names']): Iterable<string> {
  if (!Array.isArray(required)) return [];
  const list: JsonValue = required;
  const known = names.get(list) ?? new Set(required as readonly string[]);
  names.set(list, known);
  return known;
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
