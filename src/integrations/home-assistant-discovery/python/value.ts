import type { Delta, Moment } from './moment.ts';
import { outside, pythonFault, spendSteps, templateFault, type Budget } from './fault.ts';

/*
 * The values of Python that a template can have. None is `null`, an int a `bigint`, a float a `number`. A dict is a Map,
 * so no name in a payload or template reaches a prototype.
 */
export type Value = null | boolean | bigint | number | string | Compound;

export type Compound =
  | PyList
  | PyDict
  | Undefined
  | PyFunction
  | Lazy
  | Namespace
  | Markup
  | Range
  | Loop
  | View
  | PyBytes
  | Moment
  | Delta;

export type PyList = { readonly kind: 'list' | 'tuple'; readonly items: readonly Value[] };
export type PyDict = { readonly kind: 'dict'; readonly entries: ReadonlyMap<DictKey, DictEntry> };
export type DictEntry = { readonly key: Value; readonly value: Value };
/** Equal keys of Python (1, 1.0 and True) are one key. */
export type DictKey = null | bigint | number | string;
/** Nothing: it prints as an empty text, and most other uses of it are an error. */
export type Undefined = { readonly kind: 'undefined'; readonly hint: string };
export type Arguments = { readonly positional: readonly Value[]; readonly named: ReadonlyMap<string, Value> };
export type PyFunction = {
  readonly kind: 'function';
  readonly call: (args: Arguments) => Value;
  /** Whether it is a class of Python. */
  readonly isType?: true;
};
/** What is made while it is read, once: the result of `map` and `select`. */
export type Lazy = { readonly kind: 'lazy'; readonly iterator: Iterator<Value> };
export type Namespace = { readonly kind: 'namespace'; readonly entries: Map<string, Value> };
/** A text that Jinja escapes others for, as `tojson` makes it. */
export type Markup = { readonly kind: 'markup'; readonly text: string };
export type Range = {
  readonly kind: 'range';
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: number;
};
export type Loop = {
  readonly kind: 'loop';
  readonly items: readonly Value[];
  index: number;
  readonly depth: number;
  changed: readonly Value[] | null;
};

/** What `items()` and its like give. */
export type View = { readonly kind: 'view'; readonly items: readonly Value[] };

/** A payload that is no text, and what `pack` makes. */
export type PyBytes = { readonly kind: 'bytes'; readonly bytes: Buffer };

export const listOf = (items: readonly Value[]): PyList => ({ kind: 'list', items });
export const tupleOf = (items: readonly Value[]): PyList => ({ kind: 'tuple', items });
export const undefinedOf = (hint: string): Undefined => ({ kind: 'undefined', hint });
export const functionOf = (call: PyFunction['call']): PyFunction => ({ kind: 'function', call });
export const lazyOf = (iterator: Iterator<Value>): Lazy => ({ kind: 'lazy', iterator });

export function isCompound(value: Value): value is Compound {
  return typeof value === 'object' && value !== null;
}

export function isUndefined(value: Value): value is Undefined {
  return isCompound(value) && value.kind === 'undefined';
}

type OfKind<K extends Compound['kind']> = Compound extends infer C
  ? C extends { kind: infer X }
    ? K extends X
      ? C
      : never
    : never
  : never;

export function isKind<K extends Compound['kind']>(value: Value, kind: K): value is OfKind<K> {
  return isCompound(value) && value.kind === kind;
}

export function isNumber(value: Value): value is boolean | bigint | number {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'str';
  if (value.kind === 'moment') return 'datetime';
  if (value.kind === 'delta') return 'timedelta';
  return value.kind;
}

export function isTruthy(value: Value): boolean {
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'string') return value !== '';
  switch (value.kind) {
    case 'list':
    case 'tuple':
    case 'view':
      return value.items.length > 0;
    case 'dict':
      return value.entries.size > 0;
    case 'undefined':
      return false;
    case 'markup':
      return value.text !== '';
    case 'bytes':
      return value.bytes.length > 0;
    case 'range':
      return value.length > 0;
    case 'delta':
      return value.us !== 0;
    case 'function':
    case 'lazy':
    case 'namespace':
    case 'moment':
      return true;
    default:
      throw outside('the loop as a value');
  }
}

/** Throws for what Python cannot hash. */
export function dictKeyOf(value: Value): DictKey {
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw outside('nan as a key');
    return Number.isInteger(value) ? BigInt(value) : value;
  }
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
export function dictGet(dict: PyDict, key: Value): Value | undefined {
  return dict.entries.get(dictKeyOf(key))?.value;
}

/** Characters as Python counts them: code points. */
export function charactersOf(budget: Budget, text: string): readonly string[] {
  spendSteps(budget, 1 + (text.length >> 3));
  return Array.from(text);
}

export function lengthOf(budget: Budget, value: Value): number {
  if (typeof value === 'string') return codePointLength(budget, value);
  if (isCompound(value)) {
    switch (value.kind) {
      case 'list':
      case 'tuple':
      case 'view':
        return value.items.length;
      case 'dict':
        return value.entries.size;
      case 'undefined':
        return 0;
      case 'range':
        return value.length;
      case 'loop':
        return value.items.length;
      case 'markup':
        return codePointLength(budget, value.text);
      case 'bytes':
        return value.bytes.length;
      case 'function':
      case 'lazy':
      case 'namespace':
      case 'moment':
      case 'delta':
        break;
    }
  }
  throw pythonFault(`object of type '${typeName(value)}' has no len()`);
}

function codePointLength(budget: Budget, text: string): number {
  spendSteps(budget, 1 + (text.length >> 6));
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) length -= 1;
  }
  return length;
}

/** Each item costs a step. Throws for what Python cannot iterate over. */
export function* iterate(budget: Budget, value: Value): Generator<Value> {
  for (const item of itemsOf(budget, value)) {
    spendSteps(budget, 1);
    yield item;
  }
}

function itemsOf(budget: Budget, value: Value): Iterable<Value> {
  if (typeof value === 'string') return charactersOf(budget, value);
  if (isCompound(value)) {
    switch (value.kind) {
      case 'list':
      case 'tuple':
      case 'view':
        return value.items;
      case 'dict':
        return keysOf(value);
      case 'undefined':
        return [];
      case 'markup':
        return charactersOf(budget, value.text);
      case 'range':
        return rangeItems(value);
      case 'bytes':
        return byteItems(value);
      case 'lazy':
        // An iterator stays where the last reader left it, so `for … of` may not close it.
        return { [Symbol.iterator]: () => ({ next: () => value.iterator.next() }) };
      case 'loop':
        throw outside('the loop as a value');
      case 'function':
      case 'namespace':
      case 'moment':
      case 'delta':
        break;
    }
  }
  throw pythonFault(`'${typeName(value)}' object is not iterable`);
}

export function isIterable(value: Value): boolean {
  if (typeof value === 'string') return true;
  if (!isCompound(value)) return false;
  return value.kind !== 'function' && value.kind !== 'namespace' && value.kind !== 'moment' && value.kind !== 'delta';
}

function* keysOf(dict: PyDict): Generator<Value> {
  for (const { key } of dict.entries.values()) yield key;
}

function* byteItems({ bytes }: PyBytes): Generator<Value> {
  for (const byte of bytes) yield BigInt(byte);
}

function* rangeItems({ start, step, length }: Range): Generator<Value> {
  for (let at = 0; at < length; at += 1) yield start + step * BigInt(at);
}

/** `callable` is what a call of it would be; a text for people. */
export function callValue(value: Value, args: Arguments): Value {
  if (isKind(value, 'function')) return value.call(args);
  if (isUndefined(value)) throw templateFault(value.hint);
  if (isCompound(value) && (value.kind === 'loop' || value.kind === 'markup')) throw outside(`calling a ${value.kind}`);
  throw pythonFault(`'${typeName(value)}' object is not callable`);
}
