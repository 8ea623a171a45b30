import { outside } from '#integrations/home-assistant-discovery/python/fault.ts';
import { parsePrimary } from './primary-parser.ts';
import { parseFilters, parsePostfix } from './postfix-parser.ts';
import type { Comparison, Expression } from './tree.ts';
import { isOperator, isWord, limitRow, takeOperator, takeWord, type Stream } from './token-stream.ts';

/** Deeper expressions are refused, because reading and running them recurses. */
const MAX_DEPTH = 60;
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

export function parseExpression(stream: Stream): Expression {
  return nested(stream, parseChoice);
}

/** An expression that is no `a if b else c`. */
export function parseOrOnly(stream: Stream): Expression {
  return nested(stream, parseOr);
}

function nested(stream: Stream, parse: (stream: Stream) => Expression): Expression {
  stream.depth += 1;
  if (stream.depth > MAX_DEPTH) throw outside('an expression of such depth');
  const expression = parse(stream);
  stream.depth -= 1;
  return expression;
}

function parseChoice(stream: Stream): Expression {
  let expression = parseOr(stream);
  for (let length = 0; takeWord(stream, 'if'); length += 1) {
    limitRow(length);
    const test = parseOr(stream);
    const no = takeWord(stream, 'else') ? nested(stream, parseChoice) : null;
    expression = { type: 'choice', test, yes: expression, no };
  }
  return expression;
}

function parseOr(stream: Stream): Expression {
  let left = parseAnd(stream);
  for (let length = 0; takeWord(stream, 'or'); length += 1) {
    limitRow(length);
    left = { type: 'or', left, right: parseAnd(stream) };
  }
  return left;
}

function parseAnd(stream: Stream): Expression {
  let left = parseNot(stream);
  for (let length = 0; takeWord(stream, 'and'); length += 1) {
    limitRow(length);
    left = { type: 'and', left, right: parseNot(stream) };
  }
  return left;
}

function parseNot(stream: Stream): Expression {
  if (takeWord(stream, 'not')) return { type: 'not', of: nested(stream, parseNot) };
  return parseCompare(stream);
}

function parseCompare(stream: Stream): Expression {
  const first = parseSum(stream);
  const others: (readonly [Comparison, Expression])[] = [];
  for (;;) {
    const comparison = takeComparison(stream);
    if (comparison === undefined) break;
    others.push([comparison, parseSum(stream)]);
  }
  return others.length === 0 ? first : { type: 'compare', first, others };
}

function takeComparison(stream: Stream): Comparison | undefined {
  const token = stream.tokens[stream.at];
  if (token?.type === 'operator' && COMPARISONS.has(token.text)) {
    stream.at += 1;
    return token.text as Comparison;
  }
  if (takeWord(stream, 'in')) return 'in';
  if (!isWord(stream, 'not') || !isWord(stream, 'in', 1)) return undefined;
  stream.at += 2;
  return 'not in';
}

function parseSum(stream: Stream): Expression {
  let left = parseJoin(stream);
  for (let length = 0; ; length += 1) {
    limitRow(length);
    const operator = isOperator(stream, '+') ? '+' : isOperator(stream, '-') ? '-' : undefined;
    if (operator === undefined) return left;
    stream.at += 1;
    left = { type: 'binary', operator, left, right: parseJoin(stream) };
  }
}

function parseJoin(stream: Stream): Expression {
  const first = parseProduct(stream);
  if (!isOperator(stream, '~')) return first;
  const parts = [first];
  while (takeOperator(stream, '~')) parts.push(parseProduct(stream));
  return { type: 'join', parts };
}

function parseProduct(stream: Stream): Expression {
  let left = parsePower(stream);
  for (let length = 0; ; length += 1) {
    limitRow(length);
    const operator = (['*', '/', '//', '%'] as const).find((text) => isOperator(stream, text));
    if (operator === undefined) return left;
    stream.at += 1;
    left = { type: 'binary', operator, left, right: parsePower(stream) };
  }
}

function parsePower(stream: Stream): Expression {
  let left = parseUnary(stream, true);
  for (let length = 0; takeOperator(stream, '**'); length += 1) {
    limitRow(length);
    left = { type: 'binary', operator: '**', left, right: parseUnary(stream, true) };
  }
  return left;
}

function parseUnary(stream: Stream, withFilter: boolean): Expression {
  const operator = isOperator(stream, '-') ? '-' : isOperator(stream, '+') ? '+' : undefined;
  if (operator === undefined) {
    const plain = parsePostfix(stream, parsePrimary(stream));
    return withFilter ? parseFilters(stream, plain) : plain;
  }
  stream.at += 1;
  const of = nested(stream, (inner) => parseUnary(inner, false));
  const node = parsePostfix(stream, { type: 'unary', operator, of });
  return withFilter ? parseFilters(stream, node) : node;
}
