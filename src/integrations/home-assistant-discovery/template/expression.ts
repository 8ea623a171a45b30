import { outside, spend, syntaxFault } from './fault.ts';
import { FILTERS, TESTS } from './filters.ts';
import { globalNamed, isOfItsHome } from './functions.ts';
import { itemOf, memberOf, sliceOf } from './member.ts';
import { compared, limited, operated, signed, type Comparison } from './operators.ts';
import {
  expect,
  expectName,
  grown,
  isNext,
  nested,
  perhaps,
  take,
  variableIn,
  type Expression,
  type Parser,
  type Run,
} from './parser.ts';
import { callValue, dictOf, isTruthy, undefinedOf, type Arguments, type Value, table } from './value.ts';

const nothing: Expression = () =>
  undefinedOf('the inline if-expression evaluated to false and no else section was defined.');

export function parseExpression(parser: Parser): Expression {
  const { length } = parser.certain;
  return nested(parser, () =>
    grown(parseOr(parser), (yes) => {
      if (!take(parser, 'if')) return undefined;
      parser.isPlain = false;
      parser.certain.length = length;
      const test = parseOr(parser);
      const no = take(parser, 'else') ? perhaps(parser, parseExpression) : nothing;
      return (run) => (isTruthy(test(run)) ? yes(run) : no(run));
    }),
  );
}

/** An expression that is no `a if b else c`. */
export function parseOr(parser: Parser): Expression {
  return parseLogical(parser, 'or', () => parseLogical(parser, 'and', parseNot));
}

function parseLogical(parser: Parser, word: 'and' | 'or', parse: (parser: Parser) => Expression): Expression {
  return grown(parse(parser), (left) => {
    if (!take(parser, word)) return undefined;
    parser.isPlain = false;
    const right = perhaps(parser, parse);
    return (run) => {
      const value = left(run);
      return isTruthy(value) === (word === 'and') ? right(run) : value;
    };
  });
}

function parseNot(parser: Parser): Expression {
  if (!take(parser, 'not')) return parseComparison(parser);
  parser.isPlain = false;
  const of = nested(parser, parseNot);
  return (run) => !isTruthy(of(run));
}

function parseComparison(parser: Parser): Expression {
  const first = parseBinary(parser, 0);
  const others: (readonly [Comparison, Expression])[] = [];
  for (let next = takeComparison(parser); next !== undefined; next = takeComparison(parser))
    others.push([next, parseBinary(parser, 0)]);
  if (others.length === 0) return first;
  parser.isPlain = false;
  return (run) => {
    let left = first(run);
    return others.every(([comparison, other]) => {
      const right = other(run);
      const holds = compared(comparison, left, right);
      left = right;
      return holds;
    });
  };
}

function takeComparison(parser: Parser): Comparison | undefined {
  if (isNext(parser, 'not') && isNext(parser, 'in', 1)) {
    parser.at += 2;
    return 'not in';
  }
  return (['==', '!=', '<', '<=', '>', '>=', 'in'] as const).find((text) => take(parser, text));
}

/** From those that bind least. */
const LEVELS = [['+', '-'], ['~'], ['*', '/', '//', '%'], ['**']] as const;
const PLAIN: ReadonlySet<string> = new Set(['+', '-', '*', '/', 'value', 'value_json']);

function parseBinary(parser: Parser, level: number): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return parseUnary(parser, true);
  return grown(parseBinary(parser, level + 1), (left) => {
    const operator = operators.find((text) => take(parser, text));
    if (operator === undefined) return undefined;
    if (!PLAIN.has(operator)) parser.isPlain = false;
    const right = parseBinary(parser, level + 1);
    return (run) => operated(operator, left(run), right(run));
  });
}

function parseUnary(parser: Parser, withFilters: boolean): Expression {
  const operator = (['-', '+'] as const).find((text) => take(parser, text));
  const of = operator === undefined ? parsePrimary(parser) : nested(parser, () => parseUnary(parser, false));
  const node = parsePostfix(parser, operator === undefined ? of : (run) => signed(operator, of(run)));
  return withFilters ? parseFilters(parser, node) : node;
}

function parsePostfix(parser: Parser, start: Expression): Expression {
  return grown(start, (of) => {
    if (take(parser, '.')) return parseMember(parser, of);
    if (take(parser, '[')) return parseSubscript(parser, of);
    return isNext(parser, '(') ? parseCall(parser, of) : undefined;
  });
}

function parseMember(parser: Parser, of: Expression): Expression {
  const token = parser.tokens[parser.at];
  if (token?.type !== 'number') {
    const name = expectName(parser);
    return (run) => memberOf(of(run), name, run.around);
  }
  parser.at += 1;
  return (run) => itemOf(of(run), token.value, run.around);
}

function parseSubscript(parser: Parser, of: Expression): Expression {
  const parts: (Expression | null)[] = [];
  do parts.push(isNext(parser, ':') || isNext(parser, ']') ? null : parseExpression(parser));
  while (take(parser, ':'));
  if (isNext(parser, ',')) throw outside('a subscript of several values');
  expect(parser, ']');
  if (parts.length > 3) throw syntaxFault('a slice of more than three parts');
  const [key = null] = parts;
  if (parts.length === 1 && key !== null) return (run) => itemOf(of(run), key(run), run.around);
  parser.isPlain = false;
  if (parts.length === 1) throw outside('an empty subscript');
  return (run) =>
    sliceOf(
      of(run),
      parts.map((part) => part?.(run) ?? null),
    );
}

function parseCall(parser: Parser, of: Expression): Expression {
  const given = parseArguments(parser);
  return (run) => limited(callValue(of(run), argumentsOf(run, given)));
}

function parseFilters(parser: Parser, start: Expression): Expression {
  return grown(start, (of) => {
    if (take(parser, '|')) return parseApplied(parser, of, 'filter');
    if (isNext(parser, '(')) return parseCall(parser, of);
    if (!take(parser, 'is')) return undefined;
    const isNegated = take(parser, 'not');
    const test = parseApplied(parser, of, 'test');
    return isNegated ? (run) => !isTruthy(test(run)) : test;
  });
}

/** A filter or a test of a value. */
function parseApplied(parser: Parser, of: Expression, type: 'filter' | 'test'): Expression {
  parser.isPlain = false;
  const name = expectName(parser);
  if (isNext(parser, '.')) throw outside('a name with a dot');
  const hasBrackets = isNext(parser, '(');
  const given = hasBrackets ? parseArguments(parser) : type === 'test' ? parseTestArgument(parser) : NOTHING_GIVEN;
  return (run) => {
    const args = argumentsOf(run, given, of(run));
    const call = (type === 'filter' ? FILTERS : TESTS).get(name);
    if (call === undefined) throw outside(`the ${type} ${name}`);
    return limited(call(args, run.around));
  };
}

type Given = { readonly positional: readonly Expression[]; readonly named: readonly (readonly [string, Expression])[] };
const NOTHING_GIVEN: Given = { positional: [], named: [] };

/** Parses the argument that a test has without parentheses. */
function parseTestArgument(parser: Parser): Given {
  const type = parser.tokens[parser.at]?.type;
  const isValue =
    type === 'string' || type === 'number' || type === 'name' || isNext(parser, '[') || isNext(parser, '{');
  if (!isValue || ['else', 'or', 'and'].some((word) => isNext(parser, word))) return NOTHING_GIVEN;
  if (isNext(parser, 'is')) throw syntaxFault('two tests in a row');
  return { positional: [parsePostfix(parser, parsePrimary(parser))], named: [] };
}

function parseArguments(parser: Parser): Given {
  parser.isPlain = false;
  expect(parser, '(');
  const positional: Expression[] = [];
  const named: (readonly [string, Expression])[] = [];
  parseItems(parser, ')', () => {
    if (isNext(parser, '*') || isNext(parser, '**')) throw outside('arguments from a list');
    if (isNext(parser, '=', 1)) {
      const name = expectName(parser);
      expect(parser, '=');
      if (named.some(([other]) => other === name)) throw syntaxFault('an argument given twice');
      named.push([name, parseExpression(parser)]);
    } else if (named.length > 0) throw syntaxFault('an argument without a name after one with a name');
    else positional.push(parseExpression(parser));
  });
  return { positional, named };
}

function argumentsOf(run: Run, { positional, named }: Given, ...first: readonly Value[]): Arguments {
  const values = [...first, ...positional.map((one) => one(run))];
  // What is made of texts costs their length.
  spend(values.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length >> 6 : 0), 1));
  return { positional: values, named: new Map(named.map(([name, value]) => [name, value(run)])) };
}

/** Parses the items between commas up to this bracket. Returns whether there was a comma. */
function parseItems(parser: Parser, end: string, parse: () => void): boolean {
  let hasComma = false;
  while (!isNext(parser, end)) {
    parse();
    if (!take(parser, ',')) break;
    hasComma = true;
  }
  expect(parser, end);
  return hasComma;
}

/** A tuple without parentheses, or one expression. */
export function parseTuple(parser: Parser): Expression {
  const items = [parseExpression(parser)];
  const isTuple = isNext(parser, ',');
  while (take(parser, ',') && parser.tokens[parser.at]?.type !== 'end') items.push(parseExpression(parser));
  return isTuple ? sequence(parser, 'tuple', items) : (items[0] ?? nothing);
}

function sequence(parser: Parser, kind: 'list' | 'tuple', items: readonly Expression[]): Expression {
  parser.isPlain = false;
  return (run) => ({ kind, items: items.map((item) => item(run)) });
}

const WORDS = table({ true: true, True: true, false: false, False: false, none: null, None: null });

function parsePrimary(parser: Parser): Expression {
  const token = parser.tokens[parser.at];
  parser.at += 1;
  if (token?.type === 'name') return parseName(parser, token.text);
  if (token?.type === 'number') return () => token.value;
  if (token?.type === 'operator') return parseBracketed(parser, token.text);
  if (token?.type !== 'string') throw syntaxFault('expected an expression');
  let { text } = token;
  for (let next = parser.tokens[parser.at]; next?.type === 'string'; next = parser.tokens[parser.at]) {
    text += next.text;
    parser.at += 1;
  }
  return () => text;
}

function parseName(parser: Parser, name: string): Expression {
  const word = WORDS.get(name);
  if (word !== undefined) return () => word;
  if (!PLAIN.has(name)) parser.isPlain = false;
  if (isOfItsHome(name)) parser.certain.push(name);
  return ({ scope, around }) => {
    spend();
    const variable = variableIn(scope, name);
    return variable === undefined ? globalNamed(name, around) : variable;
  };
}

function parseBracketed(parser: Parser, bracket: string): Expression {
  if (bracket === '{') {
    parser.isPlain = false;
    const pairs: (readonly [Expression, Expression])[] = [];
    parseItems(parser, '}', () => {
      const key = parseExpression(parser);
      expect(parser, ':');
      pairs.push([key, parseExpression(parser)]);
    });
    return (run) => dictOf(pairs.map(([key, value]) => [key(run), value(run)] as const));
  }
  if (bracket !== '(' && bracket !== '[') throw syntaxFault(`unexpected '${bracket}'`);
  const items: Expression[] = [];
  const hasComma = parseItems(parser, bracket === '(' ? ')' : ']', () => items.push(parseExpression(parser)));
  const [first] = items;
  if (bracket === '(' && first !== undefined && !hasComma) return first;
  return sequence(parser, bracket === '(' ? 'tuple' : 'list', items);
}
