import { flag } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { isIn } from '#integrations/home-assistant-discovery/python/compare.ts';
import {
  outside,
  pythonFault,
  spendSteps,
  templateFault,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import {
  charactersOf,
  dictKeyOf,
  dictOf,
  isIterable,
  isKind,
  isTruthy,
  isUndefined,
  iterate,
  lazyOf,
  lengthOf,
  listOf,
  tupleOf,
  typeName,
  undefinedOf,
  type Arguments,
  type PyDict,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';
import { byPath } from './order-filters.ts';

/** Filters of any value, and of lists and dicts. */
export const SEQUENCE_FILTERS: readonly (readonly [string, Filter])[] = [
  ...['default', 'd'].map((name): readonly [string, Filter] => [
    name,
    {
      parameters: ['value', 'default_value', 'boolean'],
      required: 1,
      call: (_run, [value = null, otherwise = '', boolean]) =>
        isUndefined(value) || (flag(boolean) && !isTruthy(value)) ? otherwise : value,
    },
  ]),
  [
    'is_defined',
    {
      parameters: ['value'],
      required: 1,
      call: (_run, [value = null]) => {
        if (isUndefined(value)) throw templateFault(value.hint);
        return value;
      },
    },
  ],
  [
    'iif',
    {
      parameters: ['value', 'if_true', 'if_false', 'if_none'],
      required: 1,
      call: (_run, [value = null, yes = true, no = false, none]) =>
        value === null && none !== undefined ? none : isTruthy(value) ? yes : no,
    },
  ],
  ...['length', 'count'].map((name): readonly [string, Filter] => [
    name,
    { parameters: ['obj'], required: 1, call: (run, [value = null]) => BigInt(lengthOf(run.budget, value)) },
  ]),
  [
    'first',
    {
      parameters: ['seq'],
      required: 1,
      call: (run, [value = null]) => {
        const first = iterate(run.budget, value).next();
        return first.done === true ? undefinedOf('No first item, sequence was empty.') : first.value;
      },
    },
  ],
  ['last', { parameters: ['seq'], required: 1, call: (run, [value = null]) => lastOf(run, value) }],
  [
    'list',
    { parameters: ['value'], required: 1, call: (run, [value = null]) => listOf([...iterate(run.budget, value)]) },
  ],
  ['map', { free: (run, args) => lazyOf(mapped(run, args)) }],
  ['select', { free: (run, args) => lazyOf(selected(run, args, { wanted: true, byAttribute: false })) }],
  ['reject', { free: (run, args) => lazyOf(selected(run, args, { wanted: false, byAttribute: false })) }],
  ['selectattr', { free: (run, args) => lazyOf(selected(run, args, { wanted: true, byAttribute: true })) }],
  ['rejectattr', { free: (run, args) => lazyOf(selected(run, args, { wanted: false, byAttribute: true })) }],
  ['reverse', { parameters: ['value'], required: 1, call: (run, [value = null]) => reversedOf(run, value) }],
  [
    'unique',
    {
      parameters: ['value', 'case_sensitive', 'attribute'],
      required: 1,
      call: (run, [value = null, sensitive, attribute]) => {
        if (attribute !== undefined && attribute !== null) throw outside('unique by an attribute');
        return lazyOf(uniques(run, value, flag(sensitive)));
      },
    },
  ],
  ['items', { parameters: ['value'], required: 1, call: (run, [value = null]) => lazyOf(pairsOf(run, value)) }],
  [
    'contains',
    {
      parameters: ['seq', 'value'],
      required: 2,
      call: (run, [seq = null, value = null]) => isIn(run.budget, value, seq),
    },
  ],
  ['combine', { free: combined }],
  [
    'flatten',
    {
      parameters: ['value', 'levels'],
      required: 1,
      call: (run, [value = null, levels]) => {
        if (levels !== undefined) throw outside('flatten with levels');
        return listOf([...flattened(run, value, 0)]);
      },
    },
  ],
  [
    'typeof',
    {
      parameters: ['value'],
      required: 1,
      call: (_run, [value = null]) => {
        if (typeof value === 'object' && value !== null && !['list', 'tuple', 'dict', 'range'].includes(value.kind))
          throw outside(`the type of a ${value.kind}`);
        return typeName(value);
      },
    },
  ],
];

function lastOf(run: Run, value: Value): Value {
  if (isKind(value, 'lazy')) throw pythonFault("'generator' object is not reversible");
  const items = reversibleItems(run, value);
  const last = items.at(-1);
  return last === undefined ? undefinedOf('No last item, sequence was empty.') : last;
}

function reversibleItems(run: Run, value: Value): readonly Value[] {
  if (isKind(value, 'list') || isKind(value, 'tuple')) return value.items;
  return [...iterate(run.budget, value)];
}

function reversedOf(run: Run, value: Value): Value {
  if (typeof value === 'string') return charactersOf(run.budget, value).toReversed().join('');
  if (isKind(value, 'lazy')) return listOf([...iterate(run.budget, value)].toReversed());
  if (!isIterable(value)) throw templateFault('argument must be iterable');
  return lazyOf(reversibleItems(run, value).toReversed().values());
}

function* mapped(run: Run, { positional: [value = null, ...args], named }: Arguments): Generator<Value> {
  if (!isTruthy(value)) return;
  const attribute = named.get('attribute');
  if (args.length === 0 && attribute !== undefined) {
    const otherwise = named.get('default') ?? null;
    if ([...named.keys()].some((name) => name !== 'attribute' && name !== 'default'))
      throw templateFault('Unexpected keyword argument');
    if (otherwise !== null) throw outside('map with a default');
    const read = byPath(run, attribute);
    for (const item of iterate(run.budget, value)) yield read(item);
    return;
  }
  const [name, ...rest] = args;
  if (name === undefined) throw templateFault('map requires a filter argument');
  if (typeof name !== 'string') throw outside('such a filter');
  for (const item of iterate(run.budget, value)) yield run.filter(name, { positional: [item, ...rest], named });
}

type Selection = { readonly wanted: boolean; readonly byAttribute: boolean };

function* selected(
  run: Run,
  { positional: [value = null, ...args], named }: Arguments,
  { wanted, byAttribute }: Selection,
): Generator<Value> {
  if (!isTruthy(value)) return;
  const [path, ...afterPath] = args;
  if (byAttribute && path === undefined) throw templateFault('Missing parameter for attribute name');
  const read = byAttribute ? byPath(run, path ?? null) : (item: Value): Value => item;
  const [name, ...rest] = byAttribute ? afterPath : args;
  if (name !== undefined && typeof name !== 'string') throw outside('such a test');
  for (const item of iterate(run.budget, value)) {
    const tested = read(item);
    const passes = name === undefined ? isTruthy(tested) : run.test(name, { positional: [tested, ...rest], named });
    if (passes === wanted) yield item;
  }
}

function* uniques(run: Run, value: Value, sensitive: boolean): Generator<Value> {
  const seen = new Set<unknown>();
  for (const item of iterate(run.budget, value)) {
    const key = dictKeyOf(typeof item === 'string' && !sensitive ? item.toLowerCase() : item);
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

function* pairsOf(run: Run, value: Value): Generator<Value> {
  if (isUndefined(value)) return;
  if (!isKind(value, 'dict')) throw pythonFault('Can only get item pairs from a mapping.');
  for (const { key, value: held } of value.entries.values()) {
    spendSteps(run.budget, 1);
    yield tupleOf([key, held]);
  }
}

function combined(run: Run, { positional, named }: Arguments): Value {
  if (positional.length === 0) throw pythonFault('combine expected at least 1 argument, got 0');
  if (named.size > 0) throw outside('combine with options');
  const dicts = positional.map((one): PyDict => {
    if (!isKind(one, 'dict')) throw pythonFault(`combine expected a dict, got ${typeName(one)}`);
    return one;
  });
  spendSteps(
    run.budget,
    dicts.reduce((sum, { entries }) => sum + entries.size, 0),
  );
  return dictOf(dicts.flatMap(({ entries }) => [...entries.values()].map(({ key, value }) => [key, value] as const)));
}

function* flattened(run: Run, value: Value, depth: number): Generator<Value> {
  if (depth > 30) throw outside('a list of such depth');
  if (typeof value === 'string' || !isIterable(value))
    throw pythonFault(`flatten expected a list, got ${typeName(value)}`);
  for (const item of iterate(run.budget, value)) {
    if (typeof item !== 'string' && isIterable(item)) yield* flattened(run, item, depth + 1);
    else yield item;
  }
}
