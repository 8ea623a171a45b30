import { outside, syntaxFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import { parseExpression, parseOrOnly } from './expression-parser.ts';
import { tokensOf } from './lexer.ts';
import { parseFilters } from './postfix-parser.ts';
import { parseTuple } from './primary-parser.ts';
import type { Expression, Statement, Target } from './tree.ts';
import { expectEnd, expectName, isOperator, isWord, takeOperator, takeWord, type Stream } from './token-stream.ts';

const MAX_DEPTH = 30;
/** What Jinja2 has and this interpreter has not. */
const OTHERS = new Set([
  'macro',
  'call',
  'filter',
  'block',
  'extends',
  'include',
  'import',
  'from',
  'print',
  'with',
  'autoescape',
  'raw',
]);

type Parsing = { readonly stream: Stream; depth: number; loops: number };

/** Throws TemplateFault. */
export function parseTemplate(source: string): readonly Statement[] {
  const stream: Stream = { tokens: tokensOf(source), at: 0, depth: 0, expression: parseExpression };
  const body = parseBody({ stream, depth: 0, loops: 0 }, []);
  if (stream.at < stream.tokens.length) throw syntaxFault('an end without its beginning');
  return body;
}

/** Statements up to one of these words, which is not taken. */
function parseBody(parsing: Parsing, ends: readonly string[]): readonly Statement[] {
  const { stream } = parsing;
  parsing.depth += 1;
  if (parsing.depth > MAX_DEPTH) throw outside('statements of such depth');
  const body: Statement[] = [];
  for (;;) {
    const token = stream.tokens[stream.at];
    if (token === undefined) {
      if (ends.length > 0) throw syntaxFault(`expected ${ends.join(' or ')}`);
      break;
    }
    stream.at += 1;
    if (token.type === 'data') body.push({ type: 'data', text: token.text });
    else if (token.type === 'print') {
      body.push({ type: 'print', value: parseTuple(stream) });
      expectEnd(stream);
    } else if (token.type === 'statement') {
      if (ends.some((end) => isWord(stream, end))) break;
      body.push(parseStatement(parsing));
      expectEnd(stream);
    } else throw syntaxFault('unexpected text');
  }
  parsing.depth -= 1;
  return body;
}

function parseStatement(parsing: Parsing): Statement {
  const { stream } = parsing;
  const word = expectName(stream);
  switch (word) {
    case 'if':
      return parseIf(parsing);
    case 'for':
      return parseFor(parsing);
    case 'set':
      return parseSet(parsing);
    case 'break':
    case 'continue':
      if (parsing.loops === 0) throw syntaxFault(`${word} outside of a loop`);
      return { type: word };
    default:
      throw OTHERS.has(word) ? outside(`{% ${word} %}`) : syntaxFault(`unknown statement '${word}'`);
  }
}

function parseIf(parsing: Parsing): Statement {
  const { stream } = parsing;
  const branches: (readonly [Expression, readonly Statement[]])[] = [];
  for (;;) {
    const test = parseTupleWithoutChoice(stream);
    expectEnd(stream);
    branches.push([test, parseBody(parsing, ['elif', 'else', 'endif'])]);
    if (takeWord(stream, 'elif')) continue;
    if (takeWord(stream, 'endif')) return { type: 'if', branches, otherwise: [] };
    stream.at += 1;
    expectEnd(stream);
    const otherwise = parseBody(parsing, ['endif']);
    stream.at += 1;
    return { type: 'if', branches, otherwise };
  }
}

/** Where Jinja2 takes no `a if b else c` without parentheses. */
function parseTupleWithoutChoice(stream: Stream): Expression {
  const first = parseOrOnly(stream);
  if (isOperator(stream, ',')) throw outside('a tuple without parentheses');
  return first;
}

function parseFor(parsing: Parsing): Statement {
  const { stream } = parsing;
  const target = parseTarget(stream, false);
  if (!takeWord(stream, 'in')) throw syntaxFault("expected 'in'");
  const over = parseTupleWithoutChoice(stream);
  const only = takeWord(stream, 'if') ? parseExpression(stream) : null;
  if (isWord(stream, 'recursive')) throw outside('a recursive loop');
  expectEnd(stream);
  parsing.loops += 1;
  const body = parseBody(parsing, ['endfor', 'else']);
  parsing.loops -= 1;
  let otherwise: readonly Statement[] = [];
  if (takeWord(stream, 'else')) {
    expectEnd(stream);
    otherwise = parseBody(parsing, ['endfor']);
  }
  stream.at += 1;
  return { type: 'for', target, over, only, body, otherwise };
}

function parseSet(parsing: Parsing): Statement {
  const { stream } = parsing;
  const target = parseTarget(stream, true);
  if (takeOperator(stream, '=')) return { type: 'set', target, value: parseTuple(stream) };
  const filter = isOperator(stream, '|') ? parseFilters(stream, null) : null;
  expectEnd(stream);
  const body = parseBody(parsing, ['endset']);
  stream.at += 1;
  return { type: 'set-block', target, filter, body };
}

function parseTarget(stream: Stream, withMembers: boolean): Target {
  const items: Target[] = [];
  let isTuple = false;
  for (;;) {
    items.push(parseOneTarget(stream, withMembers));
    if (!takeOperator(stream, ',')) break;
    isTuple = true;
    if (isWord(stream, 'in') || isOperator(stream, '=')) break;
  }
  const [first] = items;
  return isTuple || first === undefined ? { type: 'tuple', items } : first;
}

const CONSTANTS = new Set(['true', 'false', 'none', 'True', 'False', 'None']);

function parseOneTarget(stream: Stream, withMembers: boolean): Target {
  if (isOperator(stream, '(')) throw outside('a target in parentheses');
  const name = expectName(stream);
  if (CONSTANTS.has(name)) throw syntaxFault(`nothing can be assigned to '${name}'`);
  // Python's own variables of the compiled template.
  if (name === 'loop' || name === 'self' || name === 'caller') throw outside(`a variable named ${name}`);
  if (withMembers && takeOperator(stream, '.')) return { type: 'member', of: name, name: expectName(stream) };
  return { type: 'name', name };
}
