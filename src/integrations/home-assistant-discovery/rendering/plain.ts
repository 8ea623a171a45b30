import { itemOf, memberOf } from '#integrations/home-assistant-discovery/python/attribute.ts';
import { type Budget, reserveText } from '#integrations/home-assistant-discovery/python/fault.ts';
import { stripped } from '#integrations/home-assistant-discovery/python/number.ts';
import { negated, operated } from '#integrations/home-assistant-discovery/python/operators.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import { undefinedOf, type Value } from '#integrations/home-assistant-discovery/python/value.ts';
import type { Expression, Statement } from '#integrations/home-assistant-discovery/syntax/tree.ts';

export type Variables = ReadonlyMap<string, Value>;

/** Names that no message and no entity gives mean something to the interpreter. */
const NAMES: ReadonlySet<string> = new Set(['value', 'value_json']);
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/']);
/** Of one rendering, on the event loop. */
const LIMITS: Budget = { steps: 1_000, characters: 65_536 };

/** What renders a template that only reads members and calculates with them; `undefined` for one that does more. */
export function plainRenderer(statements: readonly Statement[]): ((variables: Variables) => string) | undefined {
  const isPlain = statements.every((one) => one.type === 'data' || (one.type === 'print' && isPlainValue(one.value)));
  if (!isPlain) return undefined;
  return (variables) => {
    const budget = { ...LIMITS };
    const texts = statements.map((one) => {
      const text = one.type === 'print' ? textOf(budget, valueOf(one.value, variables, budget)) : '';
      reserveText(budget, text.length);
      return one.type === 'data' ? one.text : text;
    });
    return stripped(texts.join(''));
  };
}

function isPlainValue(expression: Expression): boolean {
  switch (expression.type) {
    case 'constant':
      return true;
    case 'name':
      return NAMES.has(expression.name);
    case 'attribute':
      return isPlainValue(expression.of);
    case 'item':
      return isPlainValue(expression.of) && expression.key.type === 'constant';
    case 'unary':
      return expression.operator === '-' && isPlainValue(expression.of);
    case 'binary':
      return ARITHMETIC.has(expression.operator) && isPlainValue(expression.left) && isPlainValue(expression.right);
    default:
      return false;
  }
}

function valueOf(expression: Expression, variables: Variables, budget: Budget): Value {
  const inner = (one: Expression): Value => valueOf(one, variables, budget);
  switch (expression.type) {
    case 'constant':
      return expression.value;
    case 'name': {
      const value = variables.get(expression.name);
      // None is a value.
      return value === undefined ? undefinedOf(`'${expression.name}' is undefined`) : value;
    }
    case 'attribute':
      return memberOf(budget, inner(expression.of), expression.name);
    case 'item':
      return itemOf(budget, inner(expression.of), inner(expression.key));
    case 'unary':
      return negated(inner(expression.of));
    case 'binary':
      return operated(budget, expression.operator, [inner(expression.left), inner(expression.right)]);
    default:
      throw new Error('the template is not plain');
  }
}
