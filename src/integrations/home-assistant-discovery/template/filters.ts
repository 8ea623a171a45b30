import { outside, pythonFault, templateFault } from './fault.ts';
import { jsonText, valueFromJson } from './json.ts';
import { byPath, LIST_FILTERS } from './list-filters.ts';
import { TIME_FILTERS, TIMES } from './moment.ts';
import { floatFrom, floatFromText, intFrom, intFromText, packed, roundFloat, unpacked } from './number.ts';
import { compared, isEqual, operated, type Comparison } from './operators.ts';
import { allMatches, compilePattern, isFound, substituted } from './pattern.ts';
import { capitalized, printed, replaced, strippedOf, textOf, titled } from './text.ts';
import {
  asNumber,
  fallback,
  flag,
  isIterable,
  isKind,
  isNumber,
  isTruthy,
  isUndefined,
  iterate,
  lazyOf,
  sizeOf,
  table,
  taking,
  textArgument,
  tupleOf,
  typeName,
  wholeNumber,
  type Arguments,
  type Callable,
  type BoundArguments,
  type Surroundings,
  type Value,
} from './value.ts';

const ofOne = (holds: (value: Value) => boolean): Callable => taking('value', ([value]) => holds(value));
const ofTwo = (holds: (left: Value, right: Value) => boolean): Callable =>
  taking('a b', ([left, right = null]) => holds(left, right));
const ofPattern = (make: (pattern: RegExp, text: string) => Value): Callable =>
  taking('value find? ignorecase?', ([value, find, ignores]) => make(patternFrom(find, ignores), textOf(value)));
const patternFrom = (find: Value | undefined, ignores: Value | undefined): RegExp =>
  compilePattern(textArgument(find), flag(ignores));
/** `eq` and its like are the comparisons by their names. */
const COMPARISONS: readonly (readonly [name: string, comparison: Comparison])[] = [
  ...(['==', '!=', '<', '<=', '>', '>=', 'in'] as const).map((one) => [one, one] as const),
  ...(['eq', 'equalto'] as const).map((name) => [name, '=='] as const),
  ...(['lt', 'lessthan'] as const).map((name) => [name, '<'] as const),
  ...(['gt', 'greaterthan'] as const).map((name) => [name, '>'] as const),
  ['ne', '!='],
  ['le', '<='],
  ['ge', '>='],
];
const leaves = (rest: bigint, value: Value, by: Value = 2n): boolean => isEqual(operated('%', value, by), rest);

export const TESTS = table<Callable>({
  defined: ofOne((value) => !isUndefined(value)),
  undefined: ofOne(isUndefined),
  none: ofOne((value) => value === null),
  true: ofOne((value) => value === true),
  false: ofOne((value) => value === false),
  boolean: ofOne((value) => typeof value === 'boolean'),
  integer: ofOne((value) => typeof value === 'bigint'),
  float: ofOne((value) => typeof value === 'number'),
  number: ofOne(isNumber),
  string: ofOne((value) => typeof value === 'string'),
  mapping: ofOne((value) => isKind(value, 'dict')),
  iterable: ofOne(isIterable),
  sequence: ofOne((value) => isIterable(value) && !isKind(value, 'lazy') && !isKind(value, 'view')),
  list: ofOne((value) => isKind(value, 'list')),
  datetime: ofOne((value) => isKind(value, 'moment')),
  is_number: ofOne((value) => Number.isFinite(floatFrom(value))),
  odd: ofOne((value) => leaves(1n, value)),
  even: ofOne((value) => leaves(0n, value)),
  divisibleby: ofTwo((value, by) => leaves(0n, value, by)),
  lower: ofOne((value) => /\p{Ll}/u.test(textOf(value)) && !/\p{Lu}/u.test(textOf(value))),
  upper: ofOne((value) => /\p{Lu}/u.test(textOf(value)) && !/\p{Ll}/u.test(textOf(value))),
  contains: ofTwo((left, right) => compared('in', right, left)),
  match: ofPattern((pattern, text) => isFound(pattern, text, 'start')),
  search: ofPattern((pattern, text) => isFound(pattern, text, 'anywhere')),
  ...Object.fromEntries(COMPARISONS.map(([name, comparison]) => [name, ofTwo((a, b) => compared(comparison, a, b))])),
});

const calculated = (operator: '*' | '+'): Callable =>
  taking('value amount default?', ([value, amount = null, otherwise]) => {
    const number = floatFrom(value);
    if (number !== undefined && isUndefined(amount)) throw templateFault(amount.hint);
    return number === undefined || !isNumber(amount) ? fallback(otherwise, value) : operated(operator, number, amount);
  });

const bitwise = (make: (left: bigint, right: bigint) => bigint): Callable =>
  taking('first_value second_value', ([left, right = null]) => {
    if (typeof left === 'boolean' && typeof right === 'boolean') throw outside('bits of truths');
    return make(BigInt(wholeNumber(left, 0)), BigInt(wholeNumber(right, 0)));
  });

/** Filters for numbers. Where Home Assistant has its own in the place of Jinja2's, it is that one. */
const NUMBERS: Readonly<Record<string, Callable>> = {
  float: taking('value default?', ([value, otherwise]) => floatFrom(value) ?? fallback(otherwise, value)),
  int: taking('value default? base?', ([value, otherwise, base]) => {
    return intOf(value, wholeNumber(base, 10)) ?? fallback(otherwise, value);
  }),
  round: taking('value precision? method? default?', rounded),
  abs: taking('value', ([value]) => {
    if (!isNumber(value)) throw pythonFault(`bad operand type for abs(): '${typeName(value)}'`);
    const number = asNumber(value);
    return number < 0 || Object.is(number, -0) ? -number : number;
  }),
  multiply: calculated('*'),
  add: calculated('+'),
  bitwise_and: bitwise((left, right) => left & right),
  bitwise_or: bitwise((left, right) => left | right),
  is_number: taking('value', ([value]) => Number.isFinite(floatFrom(value))),
  bool: taking('value default?', ([value, otherwise]) => boolOf(value) ?? fallback(otherwise, value)),
  pack: taking('value format_string', packed),
  unpack: taking('value format_string offset?', unpacked),
};

/** As `do_int` of Jinja2: "42.23" is 42. */
function intOf(value: Value, base: number): bigint | undefined {
  if (typeof value !== 'string') return intFrom(value);
  const number = intFromText(value, base) ?? floatFromText(value);
  return typeof number === 'number' && !Number.isFinite(number) ? undefined : intFrom(number ?? null);
}

function rounded([value, precision, method, otherwise]: BoundArguments): Value {
  if (precision !== undefined && typeof precision !== 'bigint') throw outside('such a precision');
  const number = floatFrom(value);
  if (number === undefined) return fallback(otherwise, value);
  const result = roundedBy(number, Number(precision ?? 0n), method);
  if (precision !== undefined && precision !== 0n) return result;
  return Number.isNaN(result) ? fallback(otherwise, value) : (intFrom(result) ?? null);
}

function roundedBy(number: number, digits: number, method: Value | undefined): number {
  if (method === 'half') return roundFloat(number * 2, 0) / 2;
  if (method !== 'ceil' && method !== 'floor') return roundFloat(number, digits);
  const factor = Number(`1e${digits}`);
  const scaled = number * factor;
  if (digits < 0 || digits > 22 || Number.isNaN(scaled)) throw outside(`rounding to ${digits} digits`);
  if (!Number.isFinite(scaled)) throw pythonFault('cannot convert float infinity to integer');
  // Python makes an int of it, which has no negative zero.
  return (method === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled)) / factor + 0;
}

function boolOf(value: Value): boolean | undefined {
  if (isNumber(value)) return isTruthy(value);
  const word = typeof value === 'string' ? value.toLowerCase().trim() : '';
  if (['1', 'true', 'yes', 'on', 'enable'].includes(word)) return true;
  return ['0', 'false', 'no', 'off', 'disable'].includes(word) ? false : undefined;
}

const ofText = (make: (text: string) => Value): Callable => taking('s', ([value]) => make(textOf(value)));
const TEXTS: Readonly<Record<string, Callable>> = {
  lower: ofText((text) => text.toLowerCase()),
  upper: ofText((text) => text.toUpperCase()),
  capitalize: ofText(capitalized),
  // Words begin behind white space and some brackets.
  title: ofText((text) => titled(text, /(?<![^-\s({[<])[^-\s({[<]/gu)),
  string: ofText((text) => text),
  trim: taking('value chars?', ([value, chars]) => strippedOf(textOf(value), chars, 'both')),
  replace: taking('s old new count?', ([value, old = null, next = null, count]) =>
    replaced(textOf(value), [textOf(old), textOf(next)], count === null ? -1 : wholeNumber(count, -1)),
  ),
  truncate: taking('s length? killwords? end? leeway?', truncated),
  format: ({ positional: [format = null, ...values], named }) => {
    if (named.size > 0) throw outside('named values in a text format');
    return printed(textOf(format), tupleOf(values));
  },
  tojson: taking('value indent?', ([value, indent = null]) => {
    if (indent !== null) throw outside('JSON with an indent');
    const json = jsonText(value, { isSpaced: true, sortsKeys: true });
    return json.replace(/[<>&']/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
  }),
  to_json: taking('value ensure_ascii? pretty_print? sort_keys?', ([value, ascii, pretty, sorted]) => {
    if (flag(pretty)) throw outside('JSON with an indent');
    return jsonText(value, { isSpaced: flag(ascii), sortsKeys: flag(sorted) });
  }),
  from_json: taking('value', ([value]) => {
    if (typeof value !== 'string') throw pythonFault('Input must be bytes, bytearray, memoryview, or str');
    const read = valueFromJson(value);
    if (read === undefined) throw pythonFault('the text is not JSON');
    return read;
  }),
  regex_match: ofPattern((pattern, text) => isFound(pattern, text, 'start')),
  regex_search: ofPattern((pattern, text) => isFound(pattern, text, 'anywhere')),
  regex_findall: ofPattern(allMatches),
  regex_findall_index: taking('value find? index? ignorecase?', ([value, find, index, ignores]) => {
    const item = allMatches(patternFrom(find, ignores), textOf(value)).items.at(wholeNumber(index, 0));
    if (item === undefined) throw pythonFault('list index out of range');
    return item;
  }),
  regex_replace: taking('value find? replace? ignorecase?', ([value, find, next, ignores]) =>
    substituted(patternFrom(find, ignores), textOf(value), textArgument(next)),
  ),
};

function truncated([value, length, kills, end, leeway]: BoundArguments): Value {
  if (typeof value !== 'string') throw outside('a part of what is no text');
  const most = wholeNumber(length, 255);
  const ending = textArgument(end, '...');
  const more = leeway === null ? 5 : wholeNumber(leeway, 5);
  if (most < ending.length || more < 0) throw pythonFault('expected another length');
  if ((sizeOf(value) ?? 0) <= most + more) return value;
  const kept = Array.from(value)
    .slice(0, most - ending.length)
    .join('');
  const at = flag(kills) ? -1 : kept.lastIndexOf(' ');
  return (at === -1 ? kept : kept.slice(0, at)) + ending;
}

/** By their names. Those that ask others for each item are here. */
export const FILTERS: ReadonlyMap<string, Callable> = table({
  ...NUMBERS,
  ...TEXTS,
  ...LIST_FILTERS,
  ...TIMES,
  ...TIME_FILTERS,
  map: (args, around) => lazyOf(mapped(args, around)),
  select: (args, around) => lazyOf(selected(args, around, { wanted: true, byAttribute: false })),
  reject: (args, around) => lazyOf(selected(args, around, { wanted: false, byAttribute: false })),
  selectattr: (args, around) => lazyOf(selected(args, around, { wanted: true, byAttribute: true })),
  rejectattr: (args, around) => lazyOf(selected(args, around, { wanted: false, byAttribute: true })),
});

function* mapped(
  { positional: [value = null, name, ...rest], named }: Arguments,
  around: Surroundings,
): Generator<Value> {
  if (!isTruthy(value)) return;
  const attribute = named.get('attribute');
  if (name === undefined && attribute === undefined) throw templateFault('map requires a filter argument');
  if (name === undefined && named.size > 1) throw outside('map with a default');
  const read = byPath(attribute, around);
  const filter = name === undefined ? undefined : foundIn(FILTERS, name);
  for (const item of iterate(value))
    yield filter === undefined ? read(item) : filter({ positional: [item, ...rest], named }, around);
}

function foundIn(callables: ReadonlyMap<string, Callable>, name: Value): Callable {
  const found = callables.get(textOf(name));
  if (found === undefined) throw outside(`the filter or test ${textOf(name)}`);
  return found;
}

type Selection = { readonly wanted: boolean; readonly byAttribute: boolean };

function* selected(
  { positional: [value = null, ...args], named }: Arguments,
  around: Surroundings,
  { wanted, byAttribute }: Selection,
): Generator<Value> {
  if (!isTruthy(value)) return;
  const [path, ...afterPath] = args;
  if (byAttribute && path === undefined) throw templateFault('Missing parameter for attribute name');
  const read = byPath(byAttribute ? path : undefined, around);
  const [name, ...rest] = byAttribute ? afterPath : args;
  const test = name === undefined ? undefined : foundIn(TESTS, name);
  for (const item of iterate(value)) {
    const tested = read(item);
    const passes = test === undefined ? tested : test({ positional: [tested, ...rest], named }, around);
    if (isTruthy(passes) === wanted) yield item;
  }
}
