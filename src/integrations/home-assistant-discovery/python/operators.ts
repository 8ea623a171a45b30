import { outside, pythonFault, reserveText, spendSteps, templateFault, type Budget } from './fault.ts';
import { arithmetic, unsupportedOperands, type BinaryOperator } from './number.ts';
import { asNumber } from './compare.ts';
import { printed } from './printf.ts';
import { operatedTimes } from './delta.ts';
import { isKind, isNumber, isUndefined, typeName, type PyList, type Value } from './value.ts';

/** A binary operator of Python, for all types that have it. */
export function operated(budget: Budget, operator: BinaryOperator, [left, right]: readonly [Value, Value]): Value {
  spendSteps(budget, 1);
  if (isNumber(left) && isNumber(right)) return arithmetic(budget, operator, [asNumber(left), asNumber(right)]);
  if (operator === '%' && typeof left === 'string') return printed(budget, left, right);
  const ofTimes = operatedTimes(operator, left, right);
  if (ofTimes !== undefined) return ofTimes;
  if (isKind(left, 'view') || isKind(right, 'view')) throw outside(`${operator} with a view`);
  if (isKind(left, 'bytes') || isKind(right, 'bytes')) throw outside(`${operator} with bytes`);
  if (isUndefined(left) || isUndefined(right)) throw unsupportedOperands(operator, left, right);
  if (operator === '+') return added(budget, left, right);
  if (operator === '*') {
    if (isNumber(right)) return repeated(budget, left, right);
    if (isNumber(left)) return repeated(budget, right, left);
  }
  throw unsupportedOperands(operator, left, right);
}

function added(budget: Budget, left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    reserveText(budget, left.length + right.length);
    return left + right;
  }
  if (isList(left) && isList(right) && left.kind === right.kind) {
    spendSteps(budget, left.items.length + right.items.length);
    return { kind: left.kind, items: [...left.items, ...right.items] };
  }
  throw unsupportedOperands('+', left, right);
}

function isList(value: Value): value is PyList {
  return isKind(value, 'list') || isKind(value, 'tuple');
}

function repeated(budget: Budget, what: Value, times: boolean | bigint | number): Value {
  if (typeof what !== 'string' && !isList(what)) throw unsupportedOperands('*', what, times);
  if (typeof times === 'number') throw pythonFault("can't multiply sequence by non-int of type 'float'");
  const asked = asNumber(times);
  if (asked > 9_223_372_036_854_775_807n) throw pythonFault("cannot fit 'int' into an index-sized integer");
  const count = asked > 0n ? Number(asked) : 0;
  if (typeof what === 'string') {
    reserveText(budget, what.length * count);
    return what.length === 0 ? '' : what.repeat(count);
  }
  spendSteps(budget, what.items.length * count);
  return {
    kind: what.kind,
    items: what.items.length === 0 ? [] : Array.from({ length: count }, () => what.items).flat(),
  };
}

export function negated(value: Value): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value))
    throw isKind(value, 'markup')
      ? outside('markup')
      : pythonFault(`bad operand type for unary -: '${typeName(value)}'`);
  const number = asNumber(value);
  return typeof number === 'bigint' ? -number : -number;
}

export function positive(value: Value): Value {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`bad operand type for unary +: '${typeName(value)}'`);
  return asNumber(value);
}
