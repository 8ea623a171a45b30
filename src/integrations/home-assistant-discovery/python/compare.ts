import { outside, pythonFault, spendSteps, templateFault, type Budget } from './fault.ts';
import {
  dictGet,
  isCompound,
  isKind,
  isNumber,
  isUndefined,
  iterate,
  typeName,
  type Compound,
  type PyDict,
  type PyList,
  type Value,
} from './value.ts';

const MAX_DEPTH = 50;

export type Order = '<' | '<=' | '>' | '>=';

export function asNumber(value: boolean | bigint | number): bigint | number {
  return typeof value === 'boolean' ? (value ? 1n : 0n) : value;
}

/** Python's `==`. */
export function isEqual(budget: Budget, left: Value, right: Value): boolean {
  return equalAt(budget, [left, right], 0);
}

function equalAt(budget: Budget, [left, right]: readonly [Value, Value], depth: number): boolean {
  spendSteps(budget, 1);
  if (isNumber(left) && isNumber(right)) {
    const [a, b] = [asNumber(left), asNumber(right)];
    // Loose, because it compares an int with a float exactly, as Python does.
    return typeof a === typeof b ? a === b : !(a < b) && !(a > b) && !Number.isNaN(Number(a) + Number(b));
  }
  if (!isCompound(left) && !isCompound(right)) return left === right;
  if (isKind(left, 'markup') || isKind(right, 'markup')) return plain(left) === plain(right);
  if (!isCompound(left) || !isCompound(right)) return false;
  if (depth > MAX_DEPTH) throw outside('a structure of such depth');
  return compoundsEqual(budget, [left, right], depth);
}

function plain(value: Value): Value {
  return isKind(value, 'markup') ? value.text : value;
}

function compoundsEqual(budget: Budget, [left, right]: readonly [Compound, Compound], depth: number): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === 'undefined') return true;
  if (isSequence(left) && isSequence(right)) {
    return (
      left.items.length === right.items.length &&
      left.items.every((item, at) => equalAt(budget, [item, right.items[at] ?? null], depth + 1))
    );
  }
  if (left.kind === 'dict' && right.kind === 'dict') return dictsEqual(budget, [left, right], depth);
  if (left.kind === 'range' || left.kind === 'view') throw outside(`comparing a ${left.kind}`);
  if (left.kind === 'bytes' && right.kind === 'bytes') return left.bytes.equals(right.bytes);
  if (left.kind === 'moment' && right.kind === 'moment') return momentsOf(left, right)[0] === momentsOf(left, right)[1];
  if (left.kind === 'delta' && right.kind === 'delta') return left.us === right.us;
  return left === right;
}

function dictsEqual(budget: Budget, [left, right]: readonly [PyDict, PyDict], depth: number): boolean {
  if (left.entries.size !== right.entries.size) return false;
  for (const [key, { value }] of left.entries) {
    const other = right.entries.get(key);
    if (other === undefined || !equalAt(budget, [value, other.value], depth + 1)) return false;
  }
  return true;
}

function isSequence(value: Value): value is PyList {
  return isKind(value, 'list') || isKind(value, 'tuple');
}

function momentsOf(left: Value, right: Value): readonly [number, number] {
  if (!isKind(left, 'moment') || !isKind(right, 'moment')) throw outside('comparing a time with something else');
  if (left.offsetMin === null || right.offsetMin === null) throw outside('comparing times without a zone');
  return [left.epochUs, right.epochUs];
}

/** Python's `<`, `<=`, `>` and `>=`. */
export function isOrdered(budget: Budget, order: Order, [left, right]: readonly [Value, Value]): boolean {
  spendSteps(budget, 1);
  for (const value of [left, right]) if (isUndefined(value)) throw templateFault(value.hint);
  if (isNumber(left) && isNumber(right)) return holds(order, asNumber(left), asNumber(right));
  if (typeof left === 'string' && typeof right === 'string') return textHolds(budget, order, [left, right]);
  if (isSequence(left) && isSequence(right) && left.kind === right.kind) {
    const at = left.items.findIndex((item, index) => {
      const other = right.items[index];
      return other === undefined || !isEqual(budget, item, other);
    });
    const [a, b] = [left.items[at], right.items[at]];
    if (at === -1 || a === undefined || b === undefined)
      return holds(order, BigInt(left.items.length), BigInt(right.items.length));
    return isOrdered(budget, order, [a, b]);
  }
  if (isKind(left, 'delta') && isKind(right, 'delta')) return holds(order, left.us, right.us);
  if (isKind(left, 'moment') && isKind(right, 'moment')) return holds(order, ...momentsOf(left, right));
  if (isKind(left, 'markup') || isKind(right, 'markup')) throw outside('comparing markup');
  if (isKind(left, 'view') || isKind(right, 'view')) throw outside('comparing views');
  if (isKind(left, 'bytes') || isKind(right, 'bytes')) throw outside('comparing bytes');
  throw pythonFault(`'${order}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

function holds(order: Order, left: bigint | number, right: bigint | number): boolean {
  switch (order) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

/** Python compares code points, JavaScript the halves of them. */
function textHolds(budget: Budget, order: Order, [left, right]: readonly [string, string]): boolean {
  const shorter = Math.min(left.length, right.length);
  spendSteps(budget, 1 + (shorter >> 6));
  let at = 0;
  while (at < shorter && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === shorter) return holds(order, BigInt(left.length), BigInt(right.length));
  return holds(order, rank(left.charCodeAt(at)), rank(right.charCodeAt(at)));
}

/** Surrogates stand for characters above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Python's `item in container`. */
export function isIn(budget: Budget, item: Value, container: Value): boolean {
  if (typeof container === 'string' || isKind(container, 'markup')) {
    const text = typeof container === 'string' ? container : container.text;
    if (isUndefined(item)) throw pythonFault(`'in <string>' requires string as left operand`);
    if (typeof item !== 'string')
      throw isKind(item, 'markup')
        ? outside('markup in a text')
        : pythonFault(`'in <string>' requires string as left operand, not ${typeName(item)}`);
    spendSteps(budget, 1 + (text.length >> 6));
    return text.includes(item);
  }
  if (isKind(container, 'dict')) {
    if (isUndefined(item)) return false;
    return dictGet(container, item) !== undefined;
  }
  if (isKind(container, 'view') && isCompound(item)) throw outside('a search in a view');
  if (isKind(container, 'range')) throw outside('a test for a value in a range');
  if (isKind(container, 'bytes')) throw outside('a search in bytes');
  for (const held of iterate(budget, container)) if (isSame(held, item) || isEqual(budget, held, item)) return true;
  return false;
}

/** Python's `is`, as far as it is the same for each run. */
function isSame(left: Value, right: Value): boolean {
  return isCompound(left) && left === right;
}
