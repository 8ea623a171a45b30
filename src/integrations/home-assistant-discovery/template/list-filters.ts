import { outside, pythonFault, templateFault } from './fault.ts';
import { itemOf } from './member.ts';
import { isIn, isOrdered, operated } from './operators.ts';
import { joined, textOf } from './text.ts';
import {
  flag,
  isKind,
  isNumber,
  isTruthy,
  isUndefined,
  iterate,
  listOf,
  sizeOf,
  taking,
  typeName,
  undefinedOf,
  type Callable,
  type BoundArguments,
  type Surroundings,
  type Value,
} from './value.ts';

const defaulting = taking('value default_value? boolean?', ([value, otherwise = '', boolean]) =>
  isUndefined(value) || (flag(boolean) && !isTruthy(value)) ? otherwise : value,
);
const length = taking('obj', ([value]) => {
  const size = sizeOf(value);
  if (size === undefined) throw pythonFault(`object of type '${typeName(value)}' has no len()`);
  return BigInt(size);
});

/** Filters of any value, and of lists and dicts. */
export const LIST_FILTERS: Readonly<Record<string, Callable>> = {
  default: defaulting,
  d: defaulting,
  length,
  count: length,
  is_defined: taking('value', ([value]) => {
    if (isUndefined(value)) throw templateFault(value.hint);
    return value;
  }),
  iif: taking('value if_true? if_false? if_none?', ([value, yes = true, no = false, none]) =>
    value === null && none !== undefined ? none : isTruthy(value) ? yes : no,
  ),
  first: taking('seq', ([value]) => orNothing(iterate(value).next().value)),
  last: taking('seq', ([value]) => {
    if (isKind(value, 'lazy')) throw pythonFault("'generator' object is not reversible");
    return orNothing([...iterate(value)].at(-1));
  }),
  list: taking('value', ([value]) => listOf([...iterate(value)])),
  contains: taking('seq value', ([seq, value = null]) => isIn(value, seq)),
  join: taking('value d? attribute?', ([value, separator, attribute], around) => {
    const read = byPath(attribute, around);
    const texts = Array.from(iterate(value), (item) => textOf(read(item)));
    return joined(texts, textOf(separator ?? ''));
  }),
  min: taking('value case_sensitive? attribute?', (given, around) => extremeOf('<', given, around)),
  max: taking('value case_sensitive? attribute?', (given, around) => extremeOf('>', given, around)),
  sum: taking('iterable attribute? start?', summed),
  sort: taking('value reverse? case_sensitive? attribute?', ([value, reverse, sensitive, attribute], around) => {
    if (typeof attribute === 'string' && attribute.includes(',')) throw outside('sorting by several attributes');
    const keyOf = keyBy([sensitive, attribute], around);
    const keyed = Array.from(iterate(value), (item) => [keyOf(item), item] as const);
    const [before, after] = flag(reverse) ? [1, -1] : [-1, 1];
    keyed.sort(([a], [b]) => (isOrdered('<', a, b) ? before : isOrdered('<', b, a) ? after : 0));
    return listOf(keyed.map(([, item]) => item));
  }),
};

function orNothing(item: Value | undefined): Value {
  return item === undefined ? undefinedOf('No item, sequence was empty.') : item;
}

/** Reads `a.b.0` from a value, as the argument `attribute` of many filters; all of it without one. */
export function byPath(path: Value | undefined, around: Surroundings): (item: Value) => Value {
  if (path === undefined || path === null) return (item) => item;
  if (typeof path !== 'string' && typeof path !== 'bigint') throw outside('such an attribute');
  const parts = String(path)
    .split('.')
    .map((part) => (/^\d{1,9}$/.test(part) ? BigInt(part) : part));
  return (item) => parts.reduce<Value>((value, part) => itemOf(value, part, around), item);
}

/** Makes the key that values are compared by: texts without their case, unless that counts. */
function keyBy([sensitive, attribute]: readonly (Value | undefined)[], around: Surroundings): (item: Value) => Value {
  const read = byPath(attribute, around);
  return (item) => {
    const key = read(item);
    return typeof key === 'string' && !flag(sensitive) ? key.toLowerCase() : key;
  };
}

function extremeOf(order: '<' | '>', [value, ...how]: BoundArguments, around: Surroundings): Value {
  const keyOf = keyBy(how, around);
  let best: Value | undefined;
  for (const item of iterate(value)) if (best === undefined || isOrdered(order, keyOf(item), keyOf(best))) best = item;
  return orNothing(best);
}

/** As Python sums: floats with Neumaier's correction, ints in between without it. */
function summed([value, attribute, start = 0n]: BoundArguments, around: Surroundings): Value {
  const read = byPath(attribute, around);
  let sum = start;
  let correction = 0;
  for (const one of iterate(value)) {
    const item = read(one);
    const next = operated('+', sum, item);
    if (typeof sum === 'number' && typeof item === 'number' && typeof next === 'number')
      correction += Math.abs(sum) >= Math.abs(item) ? sum - next + item : item - next + sum;
    sum = next;
  }
  if (!isNumber(sum)) throw outside('a sum of what are no numbers');
  return typeof sum === 'number' && Number.isFinite(correction) ? sum + correction : sum;
}
