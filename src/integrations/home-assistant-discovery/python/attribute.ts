import { outside, pythonFault, spendSteps, templateFault, type Budget } from './fault.ts';
import { asNumber } from './compare.ts';
import { methodOf } from './method.ts';
import {
  charactersOf,
  dictGet,
  isCompound,
  isKind,
  isUndefined,
  typeName,
  undefinedOf,
  type Compound,
  type PyBytes,
  type Value,
} from './value.ts';

/** Names of Python that a template finds on each type before it looks for an item. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  str: 'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  int: 'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  bool: 'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  float: 'as_integer_ratio conjugate fromhex hex imag is_integer real',
  list: 'append clear copy count extend index insert pop remove reverse sort',
  tuple: 'count index',
  dict: 'clear copy fromkeys get items keys pop popitem setdefault update values',
  range: 'count index start step stop',
  lazy: 'close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw',
  bytes:
    'capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  NoneType: '',
  function: 'clear copy fromkeys get items keys mro pop popitem setdefault update values',
};
/** The sandbox refuses to change values: a use of such an attribute is an error. */
const CHANGING: Readonly<Record<string, string>> = {
  list: 'append clear pop reverse insert sort extend remove',
  dict: 'clear pop popitem setdefault update',
};

const namesOf = (table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(table).map(([type, names]) => [type, new Set(names.split(' '))]));
const attributes = namesOf(ATTRIBUTES);
const changing = namesOf(CHANGING);

/** `value.name`: an attribute of Python, else an item. */
export function memberOf(budget: Budget, value: Value, name: string): Value {
  spendSteps(budget, 1);
  if (isUndefined(value)) throw name.startsWith('__') ? outside(`the attribute ${name}`) : templateFault(value.hint);
  // A value may be `null`, which is Python's None, so `??` would skip it.
  const attribute = attributeOf(budget, value, name);
  if (attribute !== undefined) return attribute;
  const item = itemOrNothing(value, name);
  return item === undefined ? missing(value, name) : item;
}

/** `value[key]`: an item, else for a text an attribute of Python. */
export function itemOf(budget: Budget, value: Value, key: Value): Value {
  spendSteps(budget, 1);
  if (isUndefined(value)) throw templateFault(value.hint);
  if (isKind(value, 'markup') || isKind(key, 'markup')) throw outside('an item of markup');
  if (isKind(value, 'range')) throw outside('an item of a range');
  if (typeof value === 'string' && typeof key !== 'string') {
    const at = indexOf(key);
    if (at === undefined) return missing(value, typeName(key));
    return charactersOf(budget, value).at(at) ?? missing(value, 'item');
  }
  const item = itemOrNothing(value, key);
  if (item !== undefined) return item;
  if (typeof key !== 'string') return missing(value, 'item');
  const attribute = attributeOf(budget, value, key);
  return attribute === undefined ? missing(value, key) : attribute;
}

function missing(value: Value, name: string): Value {
  return undefinedOf(`'${typeName(value)} object' has no attribute '${name}'`);
}

function indexOf(key: Value): number | undefined {
  if (typeof key !== 'bigint' && typeof key !== 'boolean') return undefined;
  return Number(asNumber(key));
}

function itemOrNothing(value: Value, key: Value): Value | undefined {
  if (!isCompound(value)) return undefined;
  if (value.kind === 'dict') {
    if (isKind(key, 'list') || isKind(key, 'dict') || isUndefined(key)) return undefined;
    return dictGet(value, key);
  }
  if (value.kind === 'bytes') {
    const byte = value.bytes.at(indexOf(key) ?? value.bytes.length);
    return byte === undefined ? undefined : BigInt(byte);
  }
  if (value.kind === 'list' || value.kind === 'tuple') {
    const at = indexOf(key);
    return at === undefined ? undefined : value.items.at(at);
  }
  // `dict["name"]` is a type of Python, and calling it makes a dict all the same.
  if (value.kind === 'function' && value.isType === true) return value;
  return undefined;
}

/** `undefined` where Python has no such attribute. */
function attributeOf(budget: Budget, value: Value, name: string): Value | undefined {
  if (name.startsWith('__') && name.endsWith('__')) throw outside(`the attribute ${name}`);
  if (isCompound(value)) {
    const special = specialAttribute(budget, value, name);
    if (special !== undefined) return special;
  }
  const type = typeName(value);
  if (changing.get(type)?.has(name) === true)
    return undefinedOf(`access to attribute '${name}' of '${type}' object is unsafe.`);
  if (name === '' || attributes.get(type)?.has(name) !== true) return undefined;
  const method = methodOf(budget, value, name);
  if (method === undefined) throw outside(`'${name}' of a ${type}`);
  return method;
}

function specialAttribute(budget: Budget, value: Compound, name: string): Value | undefined {
  switch (value.kind) {
    case 'namespace':
      return value.entries.get(name);
    case 'moment':
    case 'delta':
    case 'loop': {
      const member = methodOf(budget, value, name);
      if (member === undefined) throw outside(`'${name}' of a ${value.kind}`);
      return member;
    }
    case 'markup':
    case 'range':
    case 'lazy':
    case 'view':
      throw outside(`'${name}' of a ${value.kind}`);
    case 'function':
      if (value.isType !== true) throw outside(`'${name}' of a function`);
      return undefined;
    default:
      return undefined;
  }
}

/** `value[start:stop:step]`, which is Python's own and has Python's errors. */
export function sliceOf(budget: Budget, value: Value, parts: readonly (Value | null)[]): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (isKind(value, 'bytes')) return byteSlice(budget, value, parts);
  const isText = typeof value === 'string';
  if (!isText && !isKind(value, 'list') && !isKind(value, 'tuple')) {
    if (isKind(value, 'markup') || isKind(value, 'range') || isKind(value, 'function')) throw outside('such a slice');
    throw pythonFault(`'${typeName(value)}' object is not subscriptable`);
  }
  const items = isText ? charactersOf(budget, value) : value.items;
  const [start, stop, step] = parts.map((part) => (part === null ? null : sliceIndex(part)));
  const picked = pick(items, { start: start ?? null, stop: stop ?? null, step: step ?? 1 });
  spendSteps(budget, picked.length);
  return isText ? picked.map(String).join('') : { kind: value.kind, items: picked };
}

function byteSlice(budget: Budget, { bytes }: PyBytes, parts: readonly (Value | null)[]): Value {
  const picked = sliceOf(budget, { kind: 'list', items: Array.from(bytes, BigInt) }, parts);
  return { kind: 'bytes', bytes: Buffer.from(isKind(picked, 'list') ? picked.items.map(Number) : []) };
}

function sliceIndex(part: Value): number {
  if (typeof part !== 'bigint' && typeof part !== 'boolean') {
    throw pythonFault('slice indices must be integers or None or have an __index__ method');
  }
  return Math.max(-1e9, Math.min(1e9, Number(asNumber(part))));
}

type Slice = { readonly start: number | null; readonly stop: number | null; readonly step: number };

function pick(items: readonly Value[], { start, stop, step }: Slice): readonly Value[] {
  if (step === 0) throw pythonFault('slice step cannot be zero');
  const { length } = items;
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (at: number | null, otherwise: number): number => {
    if (at === null) return otherwise;
    const from = at < 0 ? at + length : at;
    return Math.min(most, Math.max(least, from));
  };
  const first = clamp(start, step > 0 ? 0 : length - 1);
  const last = clamp(stop, step > 0 ? length : -1);
  const picked: Value[] = [];
  for (let at = first; step > 0 ? at < last : at > last; at += step) {
    const item = items[at];
    if (item !== undefined) picked.push(item);
  }
  return picked;
}
