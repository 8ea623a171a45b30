import { boundTo, flag, textArgument } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { isEqual, isIn, isOrdered, type Order } from '#integrations/home-assistant-discovery/python/compare.ts';
import { outside, pythonFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import { operated } from '#integrations/home-assistant-discovery/python/operators.ts';
import { compilePattern, isFound } from '#integrations/home-assistant-discovery/python/pattern.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import {
  isCompound,
  isIterable,
  isKind,
  isNumber,
  isUndefined,
  type Arguments,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import { isFiniteNumber } from './number-filters.ts';
import { isAscii } from '#integrations/home-assistant-discovery/python/text.ts';
import type { Run } from './run.ts';

export type Test = (run: Run, args: Arguments) => boolean;

const ofOne =
  (holds: (value: Value, run: Run) => boolean): Test =>
  (run, args) => {
    const [value = null] = boundTo(['value'], 1, args);
    return holds(value, run);
  };

const ofTwo =
  (holds: (run: Run, left: Value, right: Value) => boolean): Test =>
  (run, args) => {
    const [left = null, right = null] = boundTo(['a', 'b'], 2, args);
    return holds(run, left, right);
  };

const equal = ofTwo((run, left, right) => isEqual(run.budget, left, right));
const unequal = ofTwo((run, left, right) => !isEqual(run.budget, left, right));
const ordered = (order: Order): Test => ofTwo((run, left, right) => isOrdered(run.budget, order, [left, right]));

export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', ofOne((value) => !isUndefined(value))],
  ['undefined', ofOne(isUndefined)],
  ['none', ofOne((value) => value === null)],
  ['true', ofOne((value) => value === true)],
  ['false', ofOne((value) => value === false)],
  ['boolean', ofOne((value) => typeof value === 'boolean')],
  ['integer', ofOne((value) => typeof value === 'bigint')],
  ['float', ofOne((value) => typeof value === 'number')],
  ['number', ofOne((value) => isNumber(value))],
  ['string', ofOne((value) => typeof value === 'string' || isKind(value, 'markup'))],
  ['mapping', ofOne((value) => isKind(value, 'dict'))],
  ['iterable', ofOne(isIterable)],
  [
    'sequence',
    ofOne(
      (value) =>
        typeof value === 'string' ||
        (isCompound(value) && ['list', 'tuple', 'dict', 'range', 'undefined', 'markup', 'bytes'].includes(value.kind)),
    ),
  ],
  ['list', ofOne((value) => isKind(value, 'list'))],
  ['tuple', ofOne((value) => isKind(value, 'tuple'))],
  ['datetime', ofOne((value) => isKind(value, 'moment'))],
  ['is_number', ofOne(isFiniteNumber)],
  ['odd', ofOne((value, run) => isEqual(run.budget, operated(run.budget, '%', [value, 2n]), 1n))],
  ['even', ofOne((value, run) => isEqual(run.budget, operated(run.budget, '%', [value, 2n]), 0n))],
  ['divisibleby', ofTwo((run, left, right) => isEqual(run.budget, operated(run.budget, '%', [left, right]), 0n))],
  ['lower', ofOne((value, run) => cased(run, value, 'lower'))],
  ['upper', ofOne((value, run) => cased(run, value, 'upper'))],
  ['in', ofTwo((run, left, right) => isIn(run.budget, left, right))],
  ['contains', ofTwo((run, left, right) => isIn(run.budget, right, left))],
  [
    'sameas',
    ofTwo((_run, left, right) => {
      const isOne = (value: Value): boolean => value === null || typeof value === 'boolean';
      if (!isOne(left) && !isOne(right)) throw outside('whether two values are one');
      return left === right;
    }),
  ],
  ...(['==', 'eq', 'equalto'] as const).map((name) => [name, equal] as const),
  ...(['!=', 'ne'] as const).map((name) => [name, unequal] as const),
  ...(['<', 'lt', 'lessthan'] as const).map((name) => [name, ordered('<')] as const),
  ...(['<=', 'le'] as const).map((name) => [name, ordered('<=')] as const),
  ...(['>', 'gt', 'greaterthan'] as const).map((name) => [name, ordered('>')] as const),
  ...(['>=', 'ge'] as const).map((name) => [name, ordered('>=')] as const),
  ['match', matching('start')],
  ['search', matching('anywhere')],
]);

function cased(run: Run, value: Value, which: 'lower' | 'upper'): boolean {
  const text = textOf(run.budget, value);
  if (!isAscii(text)) throw outside('the case of characters beyond ASCII');
  return which === 'lower' ? /[a-z]/.test(text) && !/[A-Z]/.test(text) : /[A-Z]/.test(text) && !/[a-z]/.test(text);
}

function matching(where: 'start' | 'anywhere'): Test {
  return (run, args) => {
    const [value = null, find, ignores] = boundTo(['value', 'find', 'ignorecase'], 1, args);
    if (isKind(value, 'markup') || isUndefined(find ?? null)) throw outside('such a search');
    if (find === null) throw pythonFault('first argument must be string or compiled pattern');
    return isFound(compilePattern(textArgument(find, ''), flag(ignores)), textOf(run.budget, value), where);
  };
}
