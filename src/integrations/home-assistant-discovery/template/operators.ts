import { outside, pythonFault, reserve, spend, templateFault } from './fault.ts';
import { atWall, deltaOf, wallUsOf } from './moment.ts';
import { arithmetic, type BinaryOperator } from './number.ts';
import { printed, textOf } from './text.ts';
import {
  asNumber,
  dictGet,
  isCompound,
  isKind,
  isNumber,
  isSequence,
  isUndefined,
  iterate,
  typeName,
  type Moment,
  type Value,
} from './value.ts';

type Order = '<' | '<=' | '>' | '>=';
export type Comparison = Order | '==' | '!=' | 'in' | 'not in';

/** A binary operator of Python, for all types that have it; `~` joins texts. */
export function operated(operator: BinaryOperator | '~', left: Value, right: Value): Value {
  spend();
  if (operator === '~') return limited(textOf(left) + textOf(right));
  if (isNumber(left) && isNumber(right)) return arithmetic(operator, [asNumber(left), asNumber(right)]);
  if (operator === '%' && typeof left === 'string') return limited(printed(left, right));
  const known =
    timesOperated(operator, left, right) ??
    (operator === '+'
      ? added(left, right)
      : operator === '*'
        ? (repeated(left, right) ?? repeated(right, left))
        : undefined);
  if (known !== undefined) return limited(known);
  for (const value of [left, right]) {
    if (isUndefined(value)) throw templateFault(value.hint);
    const isBeyond = isKind(value, 'view') || isKind(value, 'bytes') || (operator === '*' && isSequence(value));
    if (isBeyond) throw outside(`${operator} with a ${typeName(value)}`);
  }
  throw pythonFault(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);
}

/** Charges a new value for its length. Throws for a text or list that is too long to go on with. */
export function limited<V extends Value>(value: V): V {
  const length = typeof value === 'string' ? value.length : isSequence(value) ? value.items.length : 0;
  reserve(length);
  spend(length >> 6);
  return value;
}

function added(left: Value, right: Value): Value | undefined {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (!isSequence(left) || !isSequence(right) || left.kind !== right.kind) return undefined;
  spend(left.items.length + right.items.length);
  return { kind: left.kind, items: [...left.items, ...right.items] };
}

function repeated(what: Value, times: Value): Value | undefined {
  if (typeof what !== 'string' || !isNumber(times)) return undefined;
  if (typeof times === 'number') throw pythonFault("can't multiply sequence by non-int of type 'float'");
  const count = Math.max(0, Number(times));
  reserve(what.length * count);
  return what === '' ? '' : what.repeat(count);
}

/** Where one side at least is a time or a span of time; `undefined` where Python has no such operator. */
function timesOperated(operator: string, left: Value, right: Value): Value | undefined {
  const sign = operator === '+' ? 1 : operator === '-' ? -1 : 0;
  if (isKind(left, 'moment') && isKind(right, 'moment') && sign === -1) {
    if (!areAlike(left, right)) throw pythonFault("can't subtract offset-naive and offset-aware datetimes");
    // Two times of one zone differ by what its clocks show.
    const isOneZone = left.zone !== undefined && left.zone === right.zone;
    return deltaOf(isOneZone ? wallUsOf(left) - wallUsOf(right) : left.epochUs - right.epochUs);
  }
  if (isKind(left, 'delta') && isKind(right, 'delta') && sign !== 0) return deltaOf(left.us + sign * right.us);
  const [moment, delta] = isKind(left, 'moment') ? [left, right] : [right, left];
  if (isKind(moment, 'moment') && isKind(delta, 'delta') && (sign === 1 || (sign === -1 && moment === left)))
    return atWall(wallUsOf(moment) + sign * delta.us, moment);
  if (sign === 0 && (isKind(left, 'delta') || isKind(right, 'delta'))) throw outside(`${operator} with a timedelta`);
  return undefined;
}

const areAlike = (left: Moment, right: Moment): boolean => (left.offsetMin === null) === (right.offsetMin === null);

/** `-value` and `+value`. */
export function signed(operator: '-' | '+', value: Value): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  const number = asNumber(value);
  return operator === '-' ? -number : number;
}

/** Python's `==`. */
export function isEqual(left: Value, right: Value): boolean {
  spend();
  if (isNumber(left) && isNumber(right)) {
    const [a, b] = [asNumber(left), asNumber(right)];
    // An int is compared with a float exactly, as Python does.
    return typeof a === typeof b ? a === b : !(a < b) && !(a > b) && !Number.isNaN(Number(a) + Number(b));
  }
  if (!isCompound(left) || !isCompound(right)) return left === right;
  if (isSequence(left) && isSequence(right)) {
    const { kind, items } = right;
    return (
      left.kind === kind &&
      left.items.length === items.length &&
      left.items.every((item, at) => isEqual(item, items[at] ?? null))
    );
  }
  if (isKind(left, 'dict') && isKind(right, 'dict')) {
    const { entries } = right;
    return (
      left.entries.size === entries.size &&
      [...left.entries].every(([key, { value }]) => {
        const other = entries.get(key);
        return other !== undefined && isEqual(value, other.value);
      })
    );
  }
  if (isKind(left, 'bytes') && isKind(right, 'bytes')) return left.bytes.equals(right.bytes);
  if (isKind(left, 'moment') && isKind(right, 'moment')) return areAlike(left, right) && left.epochUs === right.epochUs;
  if (isKind(left, 'delta') && isKind(right, 'delta')) return left.us === right.us;
  if (isKind(left, 'view') && isKind(right, 'view')) throw outside('comparing views');
  return left === right || (isUndefined(left) && isUndefined(right));
}

/** Python's `<`, `<=`, `>` and `>=`. */
export function isOrdered(order: Order, left: Value, right: Value): boolean {
  spend();
  for (const value of [left, right]) if (isUndefined(value)) throw templateFault(value.hint);
  if (isNumber(left) && isNumber(right)) return holds(order, asNumber(left), asNumber(right));
  if (typeof left === 'string' && typeof right === 'string') return holds(order, left, right);
  if (isKind(left, 'delta') && isKind(right, 'delta')) return holds(order, left.us, right.us);
  if (isKind(left, 'moment') && isKind(right, 'moment')) {
    if (!areAlike(left, right)) throw pythonFault("can't compare offset-naive and offset-aware datetimes");
    return holds(order, left.epochUs, right.epochUs);
  }
  if (isCompound(left) && isCompound(right) && left.kind === right.kind) throw outside(`the order of a ${left.kind}`);
  throw pythonFault(`'${order}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

function holds<T extends bigint | number | string>(order: Order, left: T, right: T): boolean {
  if (order === '<') return left < right;
  if (order === '<=') return left <= right;
  return order === '>' ? left > right : left >= right;
}

/** Python's `item in container`. */
export function isIn(item: Value, container: Value): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    throw pythonFault(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (isKind(container, 'dict')) return !isUndefined(item) && dictGet(container, item) !== undefined;
  for (const held of iterate(container)) if ((isCompound(held) && held === item) || isEqual(held, item)) return true;
  return false;
}

export function compared(comparison: Comparison, left: Value, right: Value): boolean {
  if (comparison === '==' || comparison === '!=') return isEqual(left, right) === (comparison === '==');
  if (comparison === 'in' || comparison === 'not in') return isIn(left, right) === (comparison === 'in');
  return isOrdered(comparison, left, right);
}
