import { outside, pythonFault, spend, templateFault } from './fault.ts';

/*
 * The values of Python that a template can have. None is `null`, an int a `bigint`, a float a `number`. A dict is a Map,
 * so no name in a payload or template reaches a prototype.
 */
export type Value = null | boolean | bigint | number | string | Compound;

export type Compound = PyList | PyDict | Undefined | PyFunction | Lazy | Namespace | PyBytes | Moment | Delta;

/** A view is what `items()` and `range` give: it is read like a list, but not spelled or compared like one. */
export type PyList = Items<'list'> | Items<'tuple'> | Items<'view'>;
type Items<Kind> = { readonly kind: Kind; readonly items: readonly Value[] };
export type PyDict = { readonly kind: 'dict'; readonly entries: ReadonlyMap<DictKey, DictEntry> };
export type DictEntry = { readonly key: Value; readonly value: Value };
/** Equal keys of Python (1, 1.0 and True) are one key. */
type DictKey = null | bigint | number | string;
/** Nothing: it prints as an empty text, and most other uses of it are an error. */
type Undefined = { readonly kind: 'undefined'; readonly hint: string };
export type Arguments = { readonly positional: readonly Value[]; readonly named: ReadonlyMap<string, Value> };
/** A type of Python, like `dict`, has the names of its values. */
type PyFunction = { readonly kind: 'function'; readonly call: Call; readonly isType?: true };
type Call = (args: Arguments) => Value;
/** A lazy list is made while it is read, once: the result of `map` and `select`. */
type Lazy = { readonly kind: 'lazy'; readonly iterator: Iterator<Value> };
export type Namespace = { readonly kind: 'namespace'; readonly entries: Map<string, Value> };
/** A payload that is no text, and what `pack` makes. */
type PyBytes = { readonly kind: 'bytes'; readonly bytes: Buffer };

/** A datetime of Python: aware with an offset, or naive (`null`), where `epochUs` is its wall time as if in UTC. */
export type Moment = {
  readonly kind: 'moment';
  readonly epochUs: number;
  readonly offsetMin: number | null;
  /** Where its offset changes with the season. */
  readonly zone?: ZoneOffset;
};

export type Delta = { readonly kind: 'delta'; readonly us: number };

/** How many minutes the home's time is ahead of UTC then. */
export type ZoneOffset = (epochMs: number) => number;

export const listOf = (items: readonly Value[]): PyList => ({ kind: 'list', items });
export const tupleOf = (items: readonly Value[]): PyList => ({ kind: 'tuple', items });
export const viewOf = (items: readonly Value[]): PyList => ({ kind: 'view', items });
export const undefinedOf = (hint: string): Undefined => ({ kind: 'undefined', hint });
export const functionOf = (call: Call): PyFunction => ({ kind: 'function', call });
export const lazyOf = (iterator: Iterator<Value>): Lazy => ({ kind: 'lazy', iterator });
export const isCompound = (value: Value): value is Compound => typeof value === 'object' && value !== null;
export const isUndefined = (value: Value): value is Undefined => isCompound(value) && value.kind === 'undefined';

export function isKind<K extends Compound['kind']>(
  value: Value,
  kind: K,
): value is Extract<Compound, { readonly kind: K }> {
  return isCompound(value) && value.kind === kind;
}

export function isSequence(value: Value): value is Items<'list'> | Items<'tuple'> {
  return isKind(value, 'list') || isKind(value, 'tuple');
}

export function isNumber(value: Value): value is boolean | bigint | number {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

export function asNumber(value: boolean | bigint | number): bigint | number {
  return typeof value === 'boolean' ? BigInt(value) : value;
}

const TYPE_NAMES = table({ boolean: 'bool', bigint: 'int', number: 'float', string: 'str', moment: 'datetime' });

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  const type = isCompound(value) ? value.kind : typeof value;
  return TYPE_NAMES.get(type) ?? type;
}

export function isTruthy(value: Value): boolean {
  if (typeof value === 'number') return value !== 0;
  if (!isCompound(value)) return Boolean(value);
  return value.kind === 'delta' ? value.us !== 0 : sizeOf(value) !== 0;
}

/** How many items or characters it has; `undefined` for what has none. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
  if (isKind(value, 'dict')) return value.entries.size;
  if (isKind(value, 'bytes')) return value.bytes.length;
  if (isSequence(value) || isKind(value, 'view')) return value.items.length;
  return isUndefined(value) ? 0 : undefined;
}

export const isIterable = (value: Value): boolean => isKind(value, 'lazy') || sizeOf(value) !== undefined;

/** Each item costs a step. Throws for what Python cannot iterate over. */
export function* iterate(value: Value): Generator<Value> {
  for (const item of itemsOf(value)) {
    spend();
    yield item;
  }
}

function itemsOf(value: Value): Iterable<Value> {
  if (typeof value === 'string') return value;
  if (isKind(value, 'dict')) return Array.from(value.entries.values(), ({ key }) => key);
  if (isSequence(value) || isKind(value, 'view')) return value.items;
  if (isKind(value, 'bytes')) return Array.from(value.bytes, BigInt);
  // An iterator stays where the last reader left it, so `for … of` may not close it.
  if (isKind(value, 'lazy')) return { [Symbol.iterator]: () => ({ next: () => value.iterator.next() }) };
  if (isUndefined(value)) return [];
  throw pythonFault(`'${typeName(value)}' object is not iterable`);
}

/** Throws for what Python cannot hash. */
function dictKeyOf(value: Value): DictKey {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (!isCompound(value)) return typeof value === 'boolean' ? BigInt(value) : value;
  if (value.kind === 'list' || value.kind === 'dict') throw pythonFault(`unhashable type: '${typeName(value)}'`);
  throw outside(`a ${typeName(value)} as a key`);
}

export function dictOf(pairs: Iterable<readonly [Value, Value]>): PyDict {
  const entries = new Map<DictKey, DictEntry>();
  for (const [key, value] of pairs) {
    const own = dictKeyOf(key);
    // The first of equal keys stays, with the value of the last.
    entries.set(own, { key: entries.get(own)?.key ?? key, value });
  }
  return { kind: 'dict', entries };
}

/** `undefined` where the dict has no such key. */
export const dictGet = (dict: PyDict, key: Value): Value | undefined => dict.entries.get(dictKeyOf(key))?.value;

export function pairsOf(dict: PyDict): readonly (readonly [Value, Value])[] {
  return Array.from(dict.entries.values(), ({ key, value }) => [key, value] as const);
}

export function callValue(value: Value, args: Arguments): Value {
  if (isKind(value, 'function')) return value.call(args);
  if (isUndefined(value)) throw templateFault(value.hint);
  throw pythonFault(`'${typeName(value)}' object is not callable`);
}

/** Templates ask these for the time. */
export type Surroundings = { readonly nowMs: () => number; readonly zoneOffset: ZoneOffset };

/** A filter, a test, a function, or a method, which has its value before its arguments. */
export type Callable = (args: Arguments, around: Surroundings) => Value;

/** Each parameter has its argument, in their order. The first is always there. */
export type BoundArguments = readonly [Value, ...(Value | undefined)[]];

/** Takes parameters by place or name; `value default?` has one that may be missing. */
export function taking(parameters: string, call: (bound: BoundArguments, around: Surroundings) => Value): Callable {
  const all = parameters.split(' ').filter((name) => name !== '');
  const names = all.map((name) => name.replace('?', ''));
  const required = all.filter((name) => !name.endsWith('?')).length;
  return ({ positional, named }, around) => {
    if (positional.length > names.length) throw pythonFault('too many arguments');
    const given: (Value | undefined)[] = names.map((_, at) => positional[at]);
    for (const [name, value] of named) {
      const at = names.indexOf(name);
      if (at === -1 || given[at] !== undefined) throw pythonFault(`an unexpected argument '${name}'`);
      given[at] = value;
    }
    if (given.slice(0, required).includes(undefined)) throw pythonFault('missing arguments');
    return call(given as unknown as BoundArguments, around);
  };
}

export function table<T>(...entries: readonly Readonly<Record<string, T>>[]): ReadonlyMap<string, T> {
  return new Map(entries.flatMap((some) => Object.entries(some)));
}

/** A whole number that a function needs. */
export function wholeNumber(value: Value | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(asNumber(value));
  throw pythonFault(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

export function textArgument(value: Value | undefined, otherwise = ''): string {
  if (value === undefined) return otherwise;
  if (typeof value !== 'string') throw pythonFault(`must be str, not ${typeName(value)}`);
  return value;
}

export function flag(value: Value | undefined, otherwise = false): boolean {
  return value === undefined ? otherwise : isTruthy(value);
}

/** Returns the default of a filter whose value is none that it takes. Throws TemplateFault without one. */
export function fallback(otherwise: Value | undefined, value: Value): Value {
  if (otherwise === undefined) throw pythonFault(`a ${typeName(value)} does not fit, and no default was specified`);
  return otherwise;
}
