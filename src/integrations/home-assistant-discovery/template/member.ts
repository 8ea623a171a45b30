import { encodingNamed } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { outside, pythonFault, reserve, spend, templateFault } from './fault.ts';
import { fieldOf, formatMoment, momentText, TIMES } from './moment.ts';
import { capitalized, joined, replaced, splitText, strippedOf, titled } from './text.ts';
import {
  dictGet,
  functionOf,
  isCompound,
  isKind,
  isSequence,
  isUndefined,
  iterate,
  listOf,
  pairsOf,
  sizeOf,
  table,
  taking,
  textArgument,
  tupleOf,
  typeName,
  undefinedOf,
  viewOf,
  wholeNumber,
  type Callable,
  type Moment,
  type PyDict,
  type Surroundings,
  type Value,
} from './value.ts';

type Given = readonly (Value | undefined)[];
type Methods = Readonly<Record<string, Callable>>;

const ofText = (parameters: string, make: (text: string, given: Given) => Value): Callable =>
  taking(`self ${parameters}`.trim(), ([self, ...given]) => make(textArgument(self), given));
const fitting = (pattern: RegExp): Callable => ofText('', (text) => pattern.test(text));
const stripping = (where: 'both' | 'start' | 'end'): Callable =>
  ofText('chars?', (text, [chars]) => strippedOf(text, chars, where));

const TEXT: Methods = {
  lower: ofText('', (text) => text.toLowerCase()),
  upper: ofText('', (text) => text.toUpperCase()),
  capitalize: ofText('', capitalized),
  title: ofText('', (text) => titled(text, /(?<!\p{L})\p{L}/gu)),
  isdigit: fitting(/^\p{Nd}+$/u),
  isdecimal: fitting(/^\p{Nd}+$/u),
  isnumeric: fitting(/^\p{N}+$/u),
  strip: stripping('both'),
  lstrip: stripping('start'),
  rstrip: stripping('end'),
  startswith: ofText('prefix', (text, [part]) => partsOf(part).some((one) => text.startsWith(one))),
  endswith: ofText('suffix', (text, [part]) => partsOf(part).some((one) => text.endsWith(one))),
  removeprefix: ofText('prefix', (text, [part]) => {
    return text.startsWith(textArgument(part)) ? text.slice(textArgument(part).length) : text;
  }),
  removesuffix: ofText('suffix', (text, [part]) => {
    return text.endsWith(textArgument(part)) ? text.slice(0, text.length - textArgument(part).length) : text;
  }),
  find: ofText('sub', (text, [part]) => {
    const at = text.indexOf(textArgument(part));
    return BigInt(at === -1 ? -1 : (sizeOf(text.slice(0, at)) ?? 0));
  }),
  split: ofText('sep? maxsplit?', (text, [by = null, most]) =>
    listOf(splitText(text, by === null ? null : textArgument(by), wholeNumber(most, -1))),
  ),
  replace: ofText('old new count?', (text, [old, next, count]) =>
    replaced(text, [textArgument(old), textArgument(next)], wholeNumber(count, -1)),
  ),
  join: ofText('iterable', (separator, [parts = null]) => {
    const texts = Array.from(iterate(parts), (part) => textArgument(part));
    return joined(texts, separator);
  }),
  zfill: ofText('width', (text, [width]) => {
    const missing = Math.max(0, wholeNumber(width, 0) - (sizeOf(text) ?? 0));
    reserve(missing);
    return text.replace(/^[+-]?/, (sign) => sign + '0'.repeat(missing));
  }),
};

function partsOf(part: Value = null): readonly string[] {
  return isKind(part, 'tuple') ? Array.from(part.items, (one) => textArgument(one)) : [textArgument(part)];
}

const ofDict = (parameters: string, make: (dict: PyDict, given: Given) => Value): Callable =>
  taking(`self ${parameters}`.trim(), ([self, ...given]) => (isKind(self, 'dict') ? make(self, given) : null));

const DICT: Methods = {
  get: ofDict('key default?', (dict, [key = null, otherwise = null]) => {
    const item = dictGet(dict, key);
    return item === undefined ? otherwise : item;
  }),
  keys: ofDict('', (dict) => viewOf(pairsOf(dict).map(([key]) => key))),
  values: ofDict('', (dict) => viewOf(pairsOf(dict).map(([, value]) => value))),
  items: ofDict('', (dict) => viewOf(pairsOf(dict).map(tupleOf))),
};

const ofMoment = (make: (moment: Moment, format: string) => Value, parameters = ''): Callable =>
  taking(`self ${parameters}`.trim(), ([self, format]) => {
    return isKind(self, 'moment') ? make(self, textArgument(format)) : null;
  });

const MOMENT: Methods = {
  timestamp: TIMES['as_timestamp'] ?? (() => null),
  isoformat: ofMoment((moment) => momentText(moment, 'T')),
  strftime: ofMoment(formatMoment, 'format'),
};

const BYTES: Methods = {
  decode: taking('self encoding?', ([self, encoding]) => {
    const known = encodingNamed(textArgument(encoding, 'utf-8'));
    if (known === undefined) throw outside('such an encoding');
    const text = isKind(self, 'bytes') ? known.decode(self.bytes) : undefined;
    if (text === undefined) throw pythonFault('the bytes are no such text');
    return text;
  }),
};

const METHODS = table<ReadonlyMap<string, Callable>>({
  str: table(TEXT),
  dict: table(DICT),
  datetime: table(MOMENT),
  delta: table({ total_seconds: taking('self', ([self]) => (isKind(self, 'delta') ? self.us / 1e6 : null)) }),
  bytes: table(BYTES),
});

/** It is given its value before its arguments. */
const methodOf = (type: string, name: string): Callable | undefined => METHODS.get(type)?.get(name);

/** A field of a time or of a span of time. */
function fieldNamed(value: Value, name: string): Value | undefined {
  const field = isKind(value, 'moment') || isKind(value, 'delta') ? fieldOf(value, name) : undefined;
  return field === undefined ? undefined : BigInt(field);
}

const TEXT_NAMES =
  'capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill';
const INT_NAMES =
  'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes';
/** Names of Python that a template finds on each type before it looks for an item. */
const NAMES = namesOf({
  str: `${TEXT_NAMES} casefold encode format format_map isdecimal isidentifier isnumeric isprintable`,
  bytes: `${TEXT_NAMES} decode fromhex hex`,
  int: INT_NAMES,
  bool: INT_NAMES,
  float: 'as_integer_ratio conjugate fromhex hex imag is_integer real',
  list: 'copy count index',
  tuple: 'count index',
  dict: 'copy fromkeys get items keys values',
});
/** The sandbox refuses to change values: a use of such an attribute is an error. */
const CHANGING = namesOf({
  list: 'append clear extend insert pop remove reverse sort',
  dict: 'clear pop popitem setdefault update',
});
/** Values of these types have no other members than those of Python. */
const CLOSED: ReadonlySet<string> = new Set(['moment', 'delta', 'view', 'lazy', 'function']);

function namesOf(texts: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(texts).map(([type, names]) => [type, new Set(names.split(' '))]));
}

/** `value.name`: an attribute of Python, else an item. */
export function memberOf(value: Value, name: string, around: Surroundings): Value {
  if (isUndefined(value)) throw name.startsWith('__') ? outside(`the attribute ${name}`) : templateFault(value.hint);
  // None is a value, also of a namespace.
  const attribute = attributeOf(value, name, around);
  return attribute === undefined ? found(itemOrNothing(value, name), value, name) : attribute;
}

/** `value[key]`: an item, else an attribute of Python. */
export function itemOf(value: Value, key: Value, around: Surroundings): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  const item = itemOrNothing(value, key);
  if (item !== undefined || typeof key !== 'string') return found(item, value, typeName(key));
  return attributeOf(value, key, around) ?? found(undefined, value, key);
}

function found(item: Value | undefined, value: Value, name: string): Value {
  return item === undefined ? undefinedOf(`'${typeName(value)} object' has no attribute '${name}'`) : item;
}

function itemOrNothing(value: Value, key: Value): Value | undefined {
  if (isKind(value, 'dict')) {
    const isUnhashable = isKind(key, 'list') || isKind(key, 'dict') || isUndefined(key);
    return isUnhashable ? undefined : dictGet(value, key);
  }
  if (isKind(value, 'view')) throw outside('an item of a view');
  if (typeof key !== 'bigint' && typeof key !== 'boolean') return undefined;
  const at = Number(key);
  if (typeof value === 'string') return Array.from(value).at(at);
  if (isSequence(value)) return value.items.at(at);
  const byte = isKind(value, 'bytes') ? value.bytes.at(at) : undefined;
  return byte === undefined ? undefined : BigInt(byte);
}

/** `undefined` where Python has no such attribute. */
function attributeOf(value: Value, name: string, around: Surroundings): Value | undefined {
  if (name.startsWith('__') && name.endsWith('__')) throw outside(`the attribute ${name}`);
  if (isKind(value, 'namespace')) return value.entries.get(name);
  // `dict["name"]` is a type of Python, and calling it makes a dict all the same.
  if (isKind(value, 'function') && value.isType === true && NAMES.get('dict')?.has(name) !== true) return value;
  const type = typeName(value);
  spend(1 + (typeof value === 'string' ? value.length >> 6 : 0));
  const method = methodOf(type, name);
  if (method !== undefined)
    return functionOf(({ positional, named }) => method({ positional: [value, ...positional], named }, around));
  if (CHANGING.get(type)?.has(name) === true)
    return undefinedOf(`access to attribute '${name}' of '${type}' object is unsafe.`);
  const field = fieldNamed(value, name);
  if (field !== undefined) return field;
  if (NAMES.get(type)?.has(name) === true || (isCompound(value) && CLOSED.has(value.kind)))
    throw outside(`'${name}' of a ${type}`);
  return undefined;
}

type Slice = { readonly start: number | null; readonly stop: number | null; readonly step: number };

/** `value[start:stop:step]`, which is Python's own and has Python's errors. */
export function sliceOf(value: Value, parts: readonly (Value | null)[]): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  const [start = null, stop = null, step = 1] = parts.map((part) => (part === null ? undefined : wholeNumber(part, 0)));
  const slice: Slice = { start, stop, step };
  if (typeof value === 'string') return picked(Array.from(value), slice).join('');
  if (isSequence(value)) return { kind: value.kind, items: picked(value.items, slice) };
  if (isKind(value, 'bytes')) return { kind: 'bytes', bytes: Buffer.from(picked([...value.bytes], slice)) };
  throw isKind(value, 'view')
    ? outside('a slice of a view')
    : pythonFault(`'${typeName(value)}' object is not subscriptable`);
}

function picked<T>(items: readonly T[], { start, stop, step }: Slice): readonly T[] {
  if (step === 0) throw pythonFault('slice step cannot be zero');
  const [least, most] = step > 0 ? [0, items.length] : [-1, items.length - 1];
  const clamped = (at: number): number => Math.min(most, Math.max(least, at < 0 ? at + items.length : at));
  const first = start === null ? (step > 0 ? 0 : most) : clamped(start);
  const last = stop === null ? (step > 0 ? most : -1) : clamped(stop);
  const count = Math.max(0, Math.ceil((last - first) / step));
  return Array.from({ length: count }, (_, at) => items[first + at * step]).filter((item) => item !== undefined);
}
