import { flag } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { itemOf } from '#integrations/home-assistant-discovery/python/attribute.ts';
import { asNumber, isOrdered } from '#integrations/home-assistant-discovery/python/compare.ts';
import {
  outside,
  pythonFault,
  spendSteps,
  templateFault,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import { operated } from '#integrations/home-assistant-discovery/python/operators.ts';
import {
  isKind,
  isNumber,
  isUndefined,
  iterate,
  listOf,
  tupleOf,
  typeName,
  undefinedOf,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';

/** Filters that compare, and those that read `attribute`. */
export const ORDER_FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'min',
    {
      parameters: ['value', 'case_sensitive', 'attribute'],
      required: 1,
      call: (run, given) => extremeOf(run, given, '<'),
    },
  ],
  [
    'max',
    {
      parameters: ['value', 'case_sensitive', 'attribute'],
      required: 1,
      call: (run, given) => extremeOf(run, given, '>'),
    },
  ],
  ['sum', { parameters: ['iterable', 'attribute', 'start'], required: 1, call: summed }],
  ['sort', { parameters: ['value', 'reverse', 'case_sensitive', 'attribute'], required: 1, call: sorted }],
  ['dictsort', { parameters: ['value', 'case_sensitive', 'by', 'reverse'], required: 1, call: dictSorted }],
];

const PART = /^\d+$/;

/** Reads `a.b.0` from a value, as the argument `attribute` of many filters. */
export function byPath(run: Run, path: Value): (item: Value) => Value {
  if (typeof path !== 'string' && typeof path !== 'bigint') throw outside('such an attribute');
  const parts: readonly Value[] =
    typeof path === 'bigint' ? [path] : path.split('.').map((part) => (PART.test(part) ? BigInt(part) : part));
  return (item) => parts.reduce<Value>((value, part) => itemOf(run.budget, value, part), item);
}

/** What values are compared by: texts without their case, unless that counts. */
function keyBy(run: Run, sensitive: Value | undefined, attribute: Value | undefined): (item: Value) => Value {
  const read = attribute === undefined || attribute === null ? (item: Value): Value => item : byPath(run, attribute);
  if (flag(sensitive)) return read;
  return (item) => {
    const key = read(item);
    return typeof key === 'string' ? key.toLowerCase() : key;
  };
}

function extremeOf(
  run: Run,
  [value = null, sensitive, attribute]: readonly (Value | undefined)[],
  order: '<' | '>',
): Value {
  const keyOf = keyBy(run, sensitive, attribute);
  let best: Value | undefined;
  let bestKey: Value = null;
  for (const item of iterate(run.budget, value)) {
    const key = keyOf(item);
    if (best !== undefined && !isOrdered(run.budget, order, [key, bestKey])) continue;
    best = item;
    bestKey = key;
  }
  return best === undefined ? undefinedOf('No aggregated item, sequence was empty.') : best;
}

/** As Python sums: floats with Neumaier's correction, ints in between without it. */
function summed(run: Run, [value = null, attribute, start = 0n]: readonly (Value | undefined)[]): Value {
  if (!isNumber(start)) throw outside('a sum of what are no numbers');
  const read = attribute === undefined || attribute === null ? (item: Value): Value => item : byPath(run, attribute);
  let whole: bigint | null = null;
  let sum = 0;
  let correction = 0;
  const first = asNumber(start);
  if (typeof first === 'bigint') whole = first;
  else sum = first;
  for (const one of iterate(run.budget, value)) {
    const item = read(one);
    if (!isNumber(item))
      throw isUndefined(item)
        ? templateFault(item.hint)
        : isKind(item, 'markup')
          ? outside('a sum of markup')
          : pythonFault(`unsupported operand type(s) for +: 'int' and '${typeName(item)}'`);
    const number = asNumber(item);
    if (whole !== null && typeof number === 'bigint') {
      whole = operatedInt(run, whole, number);
      continue;
    }
    if (whole !== null) {
      sum = Number(whole);
      whole = null;
    }
    if (typeof number === 'bigint') {
      sum += Number(number);
      continue;
    }
    const next = sum + number;
    correction += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  if (whole !== null) return whole;
  return correction !== 0 && Number.isFinite(correction) ? sum + correction : sum;
}

function operatedInt(run: Run, left: bigint, right: bigint): bigint {
  const sum = operated(run.budget, '+', [left, right]);
  return typeof sum === 'bigint' ? sum : left;
}

function sorted(run: Run, [value = null, reverse, sensitive, attribute]: readonly (Value | undefined)[]): Value {
  if (typeof attribute === 'string' && attribute.includes(',')) throw outside('sorting by several attributes');
  const keyOf = keyBy(run, sensitive, attribute);
  const keyed = [...iterate(run.budget, value)].map((item) => [keyOf(item), item] as const);
  return listOf(inOrder(run, keyed, flag(reverse)));
}

function inOrder(run: Run, keyed: readonly (readonly [Value, Value])[], isReversed: boolean): readonly Value[] {
  if (keyed.some(([key]) => typeof key === 'number' && Number.isNaN(key))) throw outside('sorting nan');
  const sortedPairs = keyed.toSorted(([left], [right]) => {
    if (isOrdered(run.budget, '<', [left, right])) return isReversed ? 1 : -1;
    return isOrdered(run.budget, '<', [right, left]) ? (isReversed ? -1 : 1) : 0;
  });
  return sortedPairs.map(([, item]) => item);
}

function dictSorted(run: Run, [value = null, sensitive, by = 'key', reverse]: readonly (Value | undefined)[]): Value {
  if (by !== 'key' && by !== 'value') throw templateFault('You can only sort by either "key" or "value"');
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isKind(value, 'dict')) throw pythonFault('only dicts have items');
  const keyed = [...value.entries.values()].map(({ key, value: held }) => {
    const sortedBy = by === 'key' ? key : held;
    return [
      typeof sortedBy === 'string' && !flag(sensitive) ? sortedBy.toLowerCase() : sortedBy,
      tupleOf([key, held]),
    ] as const;
  });
  spendSteps(run.budget, keyed.length);
  return listOf(inOrder(run, keyed, flag(reverse)));
}
