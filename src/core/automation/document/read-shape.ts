import { type FieldError, fieldError, type FieldErrorCode } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';
import type { ObjectShape, Part, Parts, ReferenceKind, Shape, WordedShape } from './shape.ts';
import { faultWords, notOneOf } from '#words/faults.ts';

export type Find = (kind: ReferenceKind, reference: string) => JsonValue | undefined;

/** One reading of one document. */
export type Reading = {
  readonly parts: Parts;
  readonly limits: { readonly depth: number; readonly operandNodes: number } & Readonly<
    Record<'triggers' | 'conditions' | 'steps', number>
  >;
  /** What to put in the place of a reference; `undefined`: there is nothing like that. */
  readonly find: Find;
  readonly errors: FieldError[];
  /** Triggers, conditions and steps in the order in which they stand. */
  readonly nodes: {
    readonly [Name in Exclude<Part, 'operand'>]: { pointer: string; value: Record<string, JsonValue> }[];
  };
};

type Place = {
  readonly pointer: string;
  /** What it is in, and how deep in that. */
  readonly part: Part | null;
  readonly depth: number;
  readonly nodes: { count: number } | null;
};

type Fault = readonly [code: FieldErrorCode, message: string, limit?: Wording];

/** Nobody reads more. */
const MAX_ERRORS = 32;
const LIST_OF: Readonly<Record<Exclude<Part, 'operand'>, 'triggers' | 'conditions' | 'steps'>> = {
  trigger: 'triggers',
  condition: 'conditions',
  step: 'steps',
};

/** The value in its normal form: members in the order of the shape. `undefined` where there is an error. */
export function readShape(reading: Reading, shape: Shape, value: JsonValue): JsonValue | undefined {
  return read(reading, shape, { value, pointer: '', part: null, depth: 0, nodes: null });
}

type Spot = Place & { readonly value: JsonValue };

function read(reading: Reading, shape: Shape, given: Spot): JsonValue | undefined {
  const { value, pointer } = given;
  const refuse = (...why: Fault): undefined => refuseAt(reading, pointer, why);
  if (reading.errors.length >= MAX_ERRORS) return undefined;
  switch (shape.kind) {
    case 'json':
      return value;
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse('WRONG_TYPE', ...faultWords('true_or_false'));
    case 'number': {
      const { min, max, isWhole } = shape;
      if (typeof value !== 'number' || (isWhole === true && !Number.isInteger(value))) {
        return refuse('WRONG_TYPE', `must be a ${isWhole === true ? 'whole ' : ''}number`);
      }
      if (value >= min && value <= max) return value;
      return refuse('OUT_OF_RANGE', `must be from ${min} to ${max}`, limit('range', { least: min, most: max }));
    }
    case 'text':
      return readText(shape, value, refuse);
    case 'word':
      if (typeof value === 'string' && shape.words.includes(value)) return value;
      return refuse(typeof value === 'string' ? 'INVALID_VALUE' : 'WRONG_TYPE', ...notOneOf(shape.words));
    case 'reference':
      return readReference(reading, shape, given);
    case 'list':
      return Array.isArray(value)
        ? readList(reading, shape, { ...given, value })
        : refuse('WRONG_TYPE', ...faultWords('list'));
    case 'record':
      return isJsonObject(value)
        ? readRecord(reading, shape, { ...given, value })
        : refuse('WRONG_TYPE', ...faultWords('object'));
    case 'tuple': {
      if (!Array.isArray(value)) return refuse('WRONG_TYPE', ...faultWords('list'));
      if (value.length !== shape.of.length)
        return refuse('INVALID_VALUE', ...faultWords('count', { count: shape.of.length }));
      return allOrNone(shape.of.map((one, index) => read(reading, one, within(given, index, value[index] ?? null))));
    }
    case 'oneOrList':
      return Array.isArray(value)
        ? readList(reading, { kind: 'list', of: shape.of, min: 1, max: shape.max }, { ...given, value })
        : read(reading, shape.of, given);
    case 'objectOr':
      return read(reading, isJsonObject(value) ? shape.object : shape.other, given);
    case 'typed': {
      if (!isJsonObject(value)) return refuse('WRONG_TYPE', ...faultWords('object'));
      const type = value[shape.by];
      const found = typeof type === 'string' && Object.hasOwn(shape.types, type) ? shape.types[type] : undefined;
      if (found !== undefined) return readObject(reading, found, { ...given, value });
      const at = pointer + pointerStep(shape.by);
      return refuseAt(reading, at, [
        type === undefined ? 'REQUIRED' : 'INVALID_VALUE',
        ...notOneOf(Object.keys(shape.types)),
      ]);
    }
    case 'object':
      return isJsonObject(value)
        ? readObject(reading, shape, { ...given, value })
        : refuse('WRONG_TYPE', ...faultWords('object'));
    case 'worded':
      return isJsonObject(value)
        ? readWorded(reading, shape, { ...given, value })
        : refuse('WRONG_TYPE', ...faultWords('object'));
    default:
      return shape.part === 'operand' ? readOperand(reading, given) : readPart(reading, shape.part, given);
  }
}

function within(given: Spot, step: string | number, value: JsonValue): Spot {
  const { pointer, part, depth, nodes } = given;
  const at = typeof step === 'number' ? `${pointer}/${step}` : pointer + pointerStep(step);
  return { value, pointer: at, part, depth, nodes };
}

function refuseAt(reading: Reading, pointer: string, why: Fault): undefined {
  if (reading.errors.length < MAX_ERRORS) reading.errors.push(fieldError(pointer, ...why));
  return undefined;
}

function countFault(count: number, least: number, most: number): Fault | undefined {
  if (count < least) return ['TOO_SHORT', `must have at least ${least}`, limit('least', { least })];
  return count > most ? tooLong(`must have at most ${most}`, most) : undefined;
}

function tooLong(message: string, most: number): Fault {
  return ['TOO_LONG', message, limit('most', { most })];
}

const notBeside = (other: string): Fault => ['INVALID_VALUE', ...faultWords('not_beside', { other })];

function allOrNone(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] | undefined {
  return values.includes(undefined) ? undefined : (values as readonly JsonValue[]);
}

function readText(
  { min = 1, max, pattern, example }: Extract<Shape, { kind: 'text' }>,
  value: JsonValue,
  refuse: (...why: Fault) => undefined,
): string | undefined {
  if (typeof value !== 'string') return refuse('WRONG_TYPE', ...faultWords('text'));
  if (value.length < min) return refuse('TOO_SHORT', ...faultWords('empty'));
  if (value.length > max) return refuse(...tooLong(`must have at most ${max} characters`, max));
  if (pattern === undefined || pattern.test(value)) return value;
  return refuse(
    'INVALID_FORMAT',
    ...(example === undefined ? faultWords('form') : faultWords('looks_like', { example })),
  );
}

/** An id, a selector, or what an answer showed in its place: an object with the id. */
function readReference(
  reading: Reading,
  { to, words }: Extract<Shape, { kind: 'reference' }>,
  { value, pointer }: Spot,
): JsonValue | undefined {
  const reference = isJsonObject(value) ? value['id'] : value;
  if (typeof reference !== 'string')
    return refuseAt(reading, pointer, ['WRONG_TYPE', `must be the id or selector of a ${to}`]);
  if (words?.includes(reference) === true) return reference;
  const found = reading.find(to, reference);
  return found ?? refuseAt(reading, pointer, ['INVALID_VALUE', ...faultWords('unknown_reference', { noun: to })]);
}

function readList(
  reading: Reading,
  { of, min = 0, max }: Extract<Shape, { kind: 'list' }>,
  spot: Spot & { readonly value: readonly JsonValue[] },
): JsonValue | undefined {
  const { value, pointer } = spot;
  const misfit = countFault(value.length, min, max);
  if (misfit !== undefined) return refuseAt(reading, pointer, misfit);
  const { nodes } = spot;
  const areOperands = of.kind === 'part' && of.part === 'operand' && nodes !== null;
  return allOrNone(
    value.map((item, index) => {
      // Most of a large document are plain values in calculations.
      if (!areOperands || typeof item === 'object' || nodes.count >= reading.limits.operandNodes) {
        return read(reading, of, within(spot, index, item));
      }
      nodes.count += 1;
      return item;
    }),
  );
}

function readRecord(
  reading: Reading,
  { of, names, min = 0, max, to }: Extract<Shape, { kind: 'record' }>,
  spot: Spot & { readonly value: JsonObject },
): JsonValue | undefined {
  const entries = Object.entries(spot.value);
  const misfit = countFault(entries.length, min, max);
  if (misfit !== undefined) return refuseAt(reading, spot.pointer, misfit);
  const values = entries.map(([name, value]) => {
    const inside = within(spot, name, value);
    if (!names.test(name)) return refuseAt(reading, inside.pointer, ['INVALID_FORMAT', ...faultWords('name_form')]);
    if (to !== undefined && reading.find(to, name) === undefined) {
      return refuseAt(reading, inside.pointer, ['INVALID_VALUE', ...faultWords('unknown_key', { noun: to })]);
    }
    return read(reading, of, inside);
  });
  const known = allOrNone(values);
  return known && Object.fromEntries(entries.map(([name], index) => [name, known[index] ?? null]));
}

function readObject(
  reading: Reading,
  { members, required = [], one = [], some = [] }: ObjectShape,
  spot: Spot & { readonly value: JsonObject },
): Record<string, JsonValue> | undefined {
  const { value, pointer } = spot;
  const errorsBefore = reading.errors.length;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(members, name))
      refuseAt(reading, pointer + pointerStep(name), ['UNKNOWN', ...faultWords('unknown_member')]);
  }
  for (const name of required) {
    if (!has(name)) refuseAt(reading, pointer + pointerStep(name), ['REQUIRED', ...faultWords('required')]);
  }
  const needOneOf = (names: string): void =>
    refuseAt(reading, pointer, ['REQUIRED', ...faultWords('one_needed', { names })]);
  for (const names of one) {
    const [first = '', second] = names.filter(has);
    if (first === '') needOneOf(names.join(', '));
    if (second !== undefined) refuseAt(reading, pointer + pointerStep(second), notBeside(first));
  }
  if (some.length > 0 && !some.some(has)) needOneOf(some.join(', '));
  const result: Record<string, JsonValue> = {};
  for (const name in members) {
    const shape = members[name];
    if (shape === undefined || !has(name)) continue;
    const member = read(reading, shape, within(spot, name, value[name] ?? null));
    if (member !== undefined) result[name] = member;
  }
  return reading.errors.length > errorsBefore ? undefined : result;
}

function readWorded(reading: Reading, { words, beside }: WordedShape, given: Spot & { readonly value: JsonObject }) {
  const word = Object.keys(given.value).find((name) => Object.hasOwn(words, name));
  if (word === undefined) {
    const unknown = Object.keys(given.value).find((name) => !Object.hasOwn(beside, name));
    const at = unknown === undefined ? given.pointer : given.pointer + pointerStep(unknown);
    return refuseAt(reading, at, [unknown === undefined ? 'REQUIRED' : 'UNKNOWN', ...notOneOf(Object.keys(words))]);
  }
  const members = {
    ...(beside['id'] && { id: beside['id'] }),
    [word]: words[word] ?? { kind: 'json' as const },
    ...beside,
  };
  return readObject(reading, { kind: 'object', members, required: [word] }, given);
}

/** A trigger, condition or step: counted, and never too deep. */
function readPart(reading: Reading, part: Exclude<Part, 'operand'>, given: Spot): JsonValue | undefined {
  const { pointer } = given;
  const depth = part === given.part ? given.depth + 1 : 1;
  const found = reading.nodes[part];
  const most = reading.limits[LIST_OF[part]];
  if (found.length >= most)
    return refuseAt(reading, pointer, tooLong(`there must be at most ${most} ${LIST_OF[part]} in all`, most));
  const deepest = reading.limits.depth;
  if (depth > deepest) return refuseAt(reading, pointer, tooLong(`must be at most ${deepest} deep`, deepest));
  const entry = { pointer, value: {} };
  found.push(entry);
  const value = read(reading, reading.parts[part], { ...given, part, depth });
  if (!isJsonObject(value)) return undefined;
  // Each part has a place for its id in front, which is filled in when all parts are known.
  entry.value = part === 'condition' ? { ...value } : { id: '', ...value };
  return entry.value;
}

/** A plain value, or an operation with other operands: all nodes of one operand together are limited. */
function readOperand(reading: Reading, given: Spot): JsonValue | undefined {
  const { value, pointer } = given;
  const nodes = given.nodes ?? { count: 0 };
  nodes.count += 1;
  const most = reading.limits.operandNodes;
  if (nodes.count > most) return refuseAt(reading, pointer, tooLong(`must have at most ${most} nodes`, most));
  if (!isJsonObject(value)) return value;
  const { words } = reading.parts.operand;
  const [word = '', second] = Object.keys(value);
  const shape = second === undefined && Object.hasOwn(words, word) ? words[word] : undefined;
  if (shape === undefined) return value;
  const at = `${pointer}/${word}`;
  const { part, depth } = given;
  const body = read(reading, shape, { value: value[word] ?? null, pointer: at, part, depth, nodes });
  return body === undefined ? undefined : { [word]: body };
}
