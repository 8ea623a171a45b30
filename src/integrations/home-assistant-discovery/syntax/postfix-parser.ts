import { outside, syntaxFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import { parsePrimary } from './primary-parser.ts';
import type { CallArguments, Expression } from './tree.ts';
import {
  expectName,
  expectOperator,
  isOperator,
  isWord,
  limitRow,
  takeOperator,
  takeWord,
  type Stream,
} from './token-stream.ts';

const NO_ARGUMENTS: CallArguments = { positional: [], named: [] };

export function parsePostfix(stream: Stream, start: Expression): Expression {
  let node = start;
  for (let length = 0; ; length += 1) {
    limitRow(length);
    if (takeOperator(stream, '.')) node = parseMember(stream, node);
    else if (takeOperator(stream, '[')) node = parseSubscript(stream, node);
    else if (isOperator(stream, '(')) node = { type: 'call', of: node, args: parseArguments(stream) };
    else return node;
  }
}

function parseMember(stream: Stream, of: Expression): Expression {
  const token = stream.tokens[stream.at];
  stream.at += 1;
  if (token?.type === 'name') return { type: 'attribute', of, name: token.text };
  if (token?.type !== 'integer') throw syntaxFault('expected a name or a number');
  return { type: 'item', of, key: { type: 'constant', value: token.value } };
}

function parseSubscript(stream: Stream, of: Expression): Expression {
  if (isOperator(stream, ']')) throw outside('an empty subscript');
  const parts: (Expression | null)[] = [];
  let isSlice = false;
  let wantsPart = true;
  for (;;) {
    if (takeOperator(stream, ':')) {
      if (wantsPart) parts.push(null);
      isSlice = true;
      wantsPart = true;
    } else if (isOperator(stream, ']')) {
      break;
    } else if (wantsPart) {
      parts.push(stream.expression(stream));
      wantsPart = false;
    } else throw isOperator(stream, ',') ? outside('a subscript of several values') : syntaxFault("expected ']'");
  }
  expectOperator(stream, ']');
  if (parts.length > 3) throw syntaxFault('a slice of more than three parts');
  const [key] = parts;
  if (isSlice) return { type: 'slice', of, parts };
  if (key === undefined || key === null) throw syntaxFault('expected an expression');
  return { type: 'item', of, key };
}

export function parseFilters(stream: Stream, start: Expression | null): Expression {
  let node = start;
  for (let length = 0; ; length += 1) {
    limitRow(length);
    if (takeOperator(stream, '|')) node = parseFilter(stream, node);
    else if (node !== null && takeWord(stream, 'is')) node = parseTest(stream, node);
    else if (node !== null && isOperator(stream, '(')) node = { type: 'call', of: node, args: parseArguments(stream) };
    else if (node === null) throw syntaxFault('expected a filter');
    else return node;
  }
}

function parseFilter(stream: Stream, of: Expression | null): Expression {
  const name = dottedName(stream);
  return { type: 'filter', of, name, args: isOperator(stream, '(') ? parseArguments(stream) : NO_ARGUMENTS };
}

function dottedName(stream: Stream): string {
  const name = expectName(stream);
  if (isOperator(stream, '.')) throw outside('a name with a dot');
  return name;
}

function parseTest(stream: Stream, of: Expression): Expression {
  const isNegated = takeWord(stream, 'not');
  const name = dottedName(stream);
  const test: Expression = { type: 'test', of, name, args: parseTestArguments(stream) };
  return isNegated ? { type: 'not', of: test } : test;
}

function parseTestArguments(stream: Stream): CallArguments {
  if (isOperator(stream, '(')) return parseArguments(stream);
  const token = stream.tokens[stream.at];
  const begins =
    token?.type === 'string' ||
    token?.type === 'integer' ||
    token?.type === 'float' ||
    isOperator(stream, '[') ||
    isOperator(stream, '{') ||
    token?.type === 'name';
  if (!begins || isWord(stream, 'else') || isWord(stream, 'or') || isWord(stream, 'and')) return NO_ARGUMENTS;
  if (isWord(stream, 'is')) throw syntaxFault('two tests in a row');
  return { positional: [parsePostfix(stream, parsePrimary(stream))], named: [] };
}

function parseArguments(stream: Stream): CallArguments {
  expectOperator(stream, '(');
  const positional: Expression[] = [];
  const named: (readonly [string, Expression])[] = [];
  let isFirst = true;
  while (!isOperator(stream, ')')) {
    if (!isFirst) expectOperator(stream, ',');
    if (!isFirst && isOperator(stream, ')')) break;
    isFirst = false;
    if (isOperator(stream, '*') || isOperator(stream, '**')) throw outside('arguments from a list');
    const token = stream.tokens[stream.at];
    if (token?.type === 'name' && isOperator(stream, '=', 1)) {
      stream.at += 2;
      if (named.some(([name]) => name === token.text)) throw syntaxFault('an argument given twice');
      named.push([token.text, stream.expression(stream)]);
    } else if (named.length > 0) throw syntaxFault('an argument without a name after one with a name');
    else positional.push(stream.expression(stream));
  }
  expectOperator(stream, ')');
  return { positional, named };
}
