import { boundTo } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { itemOf, memberOf, sliceOf } from '#integrations/home-assistant-discovery/python/attribute.ts';
import { isEqual, isIn, isOrdered } from '#integrations/home-assistant-discovery/python/compare.ts';
import {
  outside,
  reserveText,
  spendSteps,
  templateFault,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import { negated, operated, positive } from '#integrations/home-assistant-discovery/python/operators.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import {
  callValue,
  dictOf,
  isKind,
  isTruthy,
  undefinedOf,
  type Arguments,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import { BYTE_FILTERS } from './byte-filters.ts';
import { globalNamed, isBeyond } from './functions.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { ORDER_FILTERS } from './order-filters.ts';
import { PATTERN_FILTERS } from './pattern-filters.ts';
import type { Filter, Run } from './run.ts';
import { SEQUENCE_FILTERS } from './sequence-filters.ts';
import type { CallArguments, Comparison, Expression } from '#integrations/home-assistant-discovery/syntax/tree.ts';
import { TESTS } from './tests.ts';
import { TEXT_FILTERS } from './text-filters.ts';
import { TIME_FILTERS, TIME_FUNCTIONS, TIMESTAMP_FILTERS } from './time-filters.ts';

export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...NUMBER_FILTERS,
  ...TEXT_FILTERS,
  ...SEQUENCE_FILTERS,
  ...ORDER_FILTERS,
  ...PATTERN_FILTERS,
  ...TIME_FILTERS,
  ...TIMESTAMP_FILTERS,
  ...TIME_FUNCTIONS,
  ...BYTE_FILTERS,
]);

/** What of them takes bytes as Python does. */
const WITH_BYTES = new Set(
  'pack unpack length count list first last default d is_defined iif typeof sum string'.split(' '),
);
const TESTS_WITH_BYTES = new Set(
  'defined undefined none string iterable sequence mapping number integer float boolean list eq ne == !='.split(' '),
);

/** Variables of a statement's body, and of those around it. */
export type Scope = { readonly variables: Map<string, Value>; readonly outer: OuterScope | null };
/** Nothing is set there. */
type OuterScope = { readonly variables: ReadonlyMap<string, Value>; readonly outer: OuterScope | null };

export function callFilter(run: Run, name: string, args: Arguments): Value {
  const filter = FILTERS.get(name);
  if (filter === undefined) throw outside(`the filter ${name}`);
  if (hasBytes(args) && !WITH_BYTES.has(name)) throw outside(`the filter ${name} of bytes`);
  spendSteps(run.budget, 1);
  if ('free' in filter) return filter.free(run, args);
  return filter.call(run, boundTo(filter.parameters, filter.required, args));
}

export function callTest(run: Run, name: string, args: Arguments): boolean {
  const test = TESTS.get(name);
  if (test === undefined) throw outside(`the test ${name}`);
  if (hasBytes(args) && !TESTS_WITH_BYTES.has(name)) throw outside(`the test ${name} of bytes`);
  spendSteps(run.budget, 1);
  return test(run, args);
}

function hasBytes({ positional }: Arguments): boolean {
  return positional.some((value) => isKind(value, 'bytes'));
}

function lookUp(run: Run, scope: Scope, name: string): Value {
  for (let at: OuterScope | null = scope; at !== null; at = at.outer) {
    const value = at.variables.get(name);
    if (value !== undefined) return value;
  }
  if (isBeyond(name)) throw outside(`'${name}'`);
  return globalNamed(run, name) ?? undefinedOf(`'${name}' is undefined`);
}

export function evaluate(run: Run, scope: Scope, expression: Expression): Value {
  spendSteps(run.budget, 1);
  const valueOf = (inner: Expression): Value => evaluate(run, scope, inner);
  switch (expression.type) {
    case 'constant':
      return expression.value;
    case 'name':
      return lookUp(run, scope, expression.name);
    case 'list':
    case 'tuple':
      return { kind: expression.type, items: expression.items.map(valueOf) };
    case 'dict':
      return dictOf(expression.pairs.map(([key, value]) => [valueOf(key), valueOf(value)] as const));
    case 'attribute':
      return memberOf(run.budget, valueOf(expression.of), expression.name);
    case 'item':
      return itemOf(run.budget, valueOf(expression.of), valueOf(expression.key));
    case 'slice':
      return sliceOf(
        run.budget,
        valueOf(expression.of),
        expression.parts.map((part) => (part === null ? null : valueOf(part))),
      );
    case 'call':
      return callValue(valueOf(expression.of), argumentsOf(run, scope, expression.args));
    case 'filter':
      return filtered(run, scope, expression);
    case 'test':
      return callTest(
        run,
        expression.name,
        withFirst(valueOf(expression.of), argumentsOf(run, scope, expression.args)),
      );
    case 'binary':
      return operated(run.budget, expression.operator, [valueOf(expression.left), valueOf(expression.right)]);
    case 'unary':
      return expression.operator === '-' ? negated(valueOf(expression.of)) : positive(valueOf(expression.of));
    case 'not':
      return !isTruthy(valueOf(expression.of));
    case 'and': {
      const left = valueOf(expression.left);
      return isTruthy(left) ? valueOf(expression.right) : left;
    }
    case 'or': {
      const left = valueOf(expression.left);
      return isTruthy(left) ? left : valueOf(expression.right);
    }
    case 'join':
      return joined(run, expression.parts.map(valueOf));
    case 'compare':
      return compared(run, scope, expression);
    default:
      if (isTruthy(valueOf(expression.test))) return valueOf(expression.yes);
      return expression.no === null
        ? undefinedOf('the inline if-expression evaluated to false and no else section was defined.')
        : valueOf(expression.no);
  }
}

function filtered(run: Run, scope: Scope, { of, name, args }: Expression & { readonly type: 'filter' }): Value {
  if (of === null) throw templateFault('a filter without a value');
  const value = evaluate(run, scope, of);
  return callFilter(run, name, withFirst(value, argumentsOf(run, scope, args)));
}

function withFirst(value: Value, { positional, named }: Arguments): Arguments {
  return { positional: [value, ...positional], named };
}

function argumentsOf(run: Run, scope: Scope, { positional, named }: CallArguments): Arguments {
  return {
    positional: positional.map((one) => evaluate(run, scope, one)),
    named: new Map(named.map(([name, value]) => [name, evaluate(run, scope, value)])),
  };
}

function joined(run: Run, values: readonly Value[]): string {
  return values
    .map((value) => {
      const text = textOf(run.budget, value);
      reserveText(run.budget, text.length);
      return text;
    })
    .join('');
}

function compared(run: Run, scope: Scope, { first, others }: Expression & { readonly type: 'compare' }): boolean {
  let left = evaluate(run, scope, first);
  for (const [comparison, expression] of others) {
    const right = evaluate(run, scope, expression);
    if (!holds(run, comparison, [left, right])) return false;
    left = right;
  }
  return true;
}

function holds(run: Run, comparison: Comparison, [left, right]: readonly [Value, Value]): boolean {
  switch (comparison) {
    case '==':
      return isEqual(run.budget, left, right);
    case '!=':
      return !isEqual(run.budget, left, right);
    case 'in':
      return isIn(run.budget, left, right);
    case 'not in':
      return !isIn(run.budget, left, right);
    default:
      return isOrdered(run.budget, comparison, [left, right]);
  }
}
