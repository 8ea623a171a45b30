import { fieldError, type FieldError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';

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
const MAX_FAULTS = 32;
/** Of a schema, each within the other; a body has no more levels. */
const MAX_DEPTH = 16;

type Fault = (pointer: string, code: FieldError['code'], message: string) => void;
type Keyword = {
  /** What its value must be, in words; `undefined` if it is right. */
  readonly wrong: (value: JsonValue) => string | undefined;
  readonly check: (limit: JsonValue, body: JsonValue, fault: (message: string) => void) => void;
};

const isText = (value: JsonValue): value is string => typeof value === 'string';
const lengthOf = (value: JsonValue): number | undefined => (isText(value) ? Array.from(value).length : undefined);
const countOf = (value: JsonValue): number | undefined => (Array.isArray(value) ? value.length : undefined);
const numberOf = (value: JsonValue): number | undefined => (typeof value === 'number' ? value : undefined);

function limit(
  sizeOf: (value: JsonValue) => number | undefined,
  fits: (size: number, limit: number) => boolean,
  say: (limit: number) => string,
): Keyword {
  return {
    wrong: (value) => (typeof value === 'number' ? undefined : 'must be a number'),
    check: (value, body, fault) => {
      const size = sizeOf(body);
      const bound = Number(value);
      if (size !== undefined && !fits(size, bound)) fault(say(bound));
    },
  };
}

const atLeast = (size: number, bound: number): boolean => size >= bound;
const atMost = (size: number, bound: number): boolean => size <= bound;

/** The part of JSON Schema that a hook understands. Patterns are no part of it: one can take a processor for hours. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    wrong: (value) =>
      [value].flat().every((one) => (TYPES as readonly JsonValue[]).includes(one))
        ? undefined
        : `must be one of ${TYPES.join(', ')}, or a list of them`,
    check: (value, body, fault) => {
      const types = [value].flat() as readonly string[];
      if (!types.some((type) => isOfType(body, type))) fault(`must be ${types.join(' or ')}`);
    },
  },
  enum: {
    wrong: (value) =>
      Array.isArray(value) && value.length <= MAX_CHOICES
        ? undefined
        : `must be a list of at most ${MAX_CHOICES} values`,
    check: (value, body, fault) => {
      if (!(value as readonly JsonValue[]).some((one) => isSameJson(one, body)))
        fault('must be one of the values of enum');
    },
  },
  const: {
    wrong: () => undefined,
    check: (value, body, fault) => {
      if (!isSameJson(value, body)) fault('must be the value of const');
    },
  },
  minimum: limit(numberOf, atLeast, (bound) => `must be ${bound} or more`),
  maximum: limit(numberOf, atMost, (bound) => `must be ${bound} or less`),
  minLength: limit(lengthOf, atLeast, (bound) => `must have ${bound} characters or more`),
  maxLength: limit(lengthOf, atMost, (bound) => `must have ${bound} characters or fewer`),
  minItems: limit(countOf, atLeast, (bound) => `must have ${bound} items or more`),
  maxItems: limit(countOf, atMost, (bound) => `must have ${bound} items or fewer`),
};

/** What is wrong with the schema of a hook: whatever would be ignored later is refused when it is saved. */
export function faultsOfAccepts(schema: JsonValue, at: string): readonly FieldError[] {
  return collect((fault) => readSchema(schema, { at, depth: 0 }, fault));
}

/** Why a body does not fit the schema. Linear in the body, and ends early where nearly nothing fits. */
export function faultsOfBody(schema: JsonValue, body: JsonObject): readonly FieldError[] {
  return collect((fault) => readBody(schema, body, { at: '', fault }));
}

function collect(read: (fault: Fault) => void): readonly FieldError[] {
  const faults: FieldError[] = [];
  read((pointer, code, message) => {
    if (faults.length < MAX_FAULTS) faults.push(fieldError(pointer, code, message));
  });
  return faults;
}

type At = { readonly at: string; readonly depth: number };

function readSchema(schema: JsonValue, { at, depth }: At, fault: Fault): void {
  if (depth > MAX_DEPTH) return fault(at, 'INVALID_VALUE', `must have at most ${MAX_DEPTH} levels`);
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) return fault(at, 'WRONG_TYPE', 'must be a JSON Schema');
  for (const [name, value] of Object.entries(schema)) {
    const pointer = `${at}/${escaped(name)}`;
    if (ANNOTATIONS.has(name)) continue;
    if (name === 'items' || name === 'additionalProperties')
      readSchema(value, { at: pointer, depth: depth + 1 }, fault);
    else if (name === 'properties') readProperties(value, { at: pointer, depth: depth + 1 }, fault);
    else if (name === 'required') {
      if (!Array.isArray(value) || !value.every(isText)) fault(pointer, 'WRONG_TYPE', 'must be a list of names');
    } else {
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      const wrong = keyword === undefined ? 'is a keyword that hooks do not understand' : keyword.wrong(value);
      if (wrong !== undefined) fault(pointer, 'INVALID_VALUE', wrong);
    }
  }
}

function readProperties(value: JsonValue, { at, depth }: At, fault: Fault): void {
  if (!isJsonObject(value)) return fault(at, 'WRONG_TYPE', 'must be an object');
  for (const [name, one] of Object.entries(value)) readSchema(one, { at: `${at}/${escaped(name)}`, depth }, fault);
}

function readBody(
  schema: JsonValue,
  body: JsonValue,
  { at, fault }: { readonly at: string; readonly fault: Fault },
): void {
  if (schema === false) return fault(at, 'INVALID_VALUE', 'is not accepted by this hook');
  if (!isJsonObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
    // One that was kept before its form was checked says nothing.
    if (keyword?.wrong(value) !== undefined) continue;
    keyword?.check(value, body, (message) => fault(at, name === 'type' ? 'WRONG_TYPE' : 'INVALID_VALUE', message));
  }
  const { properties, required, additionalProperties, items } = schema;
  if (Array.isArray(body)) {
    if (items !== undefined)
      for (const [at2, one] of body.entries()) readBody(items, one as JsonValue, { at: `${at}/${at2}`, fault });
    return;
  }
  if (!isJsonObject(body)) return;
  for (const name of Array.isArray(required) ? (required as readonly string[]) : []) {
    if (!Object.hasOwn(body, name)) fault(`${at}/${escaped(name)}`, 'REQUIRED', 'is required');
  }
  for (const [name, one] of Object.entries(body)) {
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (own !== undefined) readBody(own, one, { at: `${at}/${escaped(name)}`, fault });
  }
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
