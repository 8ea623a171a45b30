import { parseExpression, parseOr, parseTuple } from './expression.ts';
import { outside, pythonFault, reserve, spend, syntaxFault, templateFault } from './fault.ts';
import { expect, expectName, isNext, take, variableIn, type Expression, type Parser, type Run } from './parser.ts';
import { textOf } from './text.ts';
import { isKind, isTruthy, iterate, type Namespace, type Value } from './value.ts';

/** A statement that is read: it puts its text, and says how it leaves the loop around it, if it does. */
type Statement = (run: Run, put: Put) => 'break' | 'continue' | undefined;
type Put = (text: string) => undefined;
type Assign = (run: Run, value: Value) => undefined;
/** A body stands in so many others, perhaps in a loop, and after `set`s that gave names. */
type Place = { readonly depth: number; readonly isInLoop: boolean; readonly own: Set<string> };

const MAX_DEPTH = 30;
/** Jinja2 has these, and this interpreter has not. */
const OTHERS = new Set('macro call filter block extends include import from print with autoescape raw'.split(' '));

/** Throws TemplateFault. */
export function parseStatements(parser: Parser): Statement {
  return parseBody(parser, [], { depth: 0, isInLoop: false, own: new Set() });
}

/** Statements up to one of these words, which is not taken. */
function parseBody(parser: Parser, ends: readonly string[], outer: Place): Statement {
  const place = { ...outer, depth: outer.depth + 1 };
  if (place.depth > MAX_DEPTH) throw outside('statements of such depth');
  const body: Statement[] = [];
  const run: Statement = (run, put) => {
    for (const statement of body) {
      spend();
      const left = statement(run, put);
      if (left !== undefined) return left;
    }
    return undefined;
  };
  for (let token = parser.tokens[parser.at]; token !== undefined; token = parser.tokens[parser.at]) {
    parser.at += 1;
    if (token.type === 'data') {
      if (token.text !== '') body.push(writing(token.text));
    } else {
      if (token.type === 'statement' && ends.some((end) => isNext(parser, end))) return run;
      body.push(token.type === 'print' ? parsePrint(parser, place) : parseStatement(parser, place));
      expectEnd(parser);
    }
  }
  if (ends.length > 0) throw syntaxFault(`expected ${ends.join(' or ')}`);
  return run;
}

const writing =
  (text: string): Statement =>
  (_run, put) =>
    put(text);

function expectEnd(parser: Parser): void {
  if (parser.tokens[parser.at]?.type !== 'end') throw syntaxFault('expected the end of the tag');
  parser.at += 1;
}

/** Where each rendering has to ask for a name of Home Assistant's home, the template is refused when it is read. */
function certainly(parser: Parser, { depth, own }: Place, parse: (parser: Parser) => Expression): Expression {
  parser.certain = [];
  const expression = parse(parser);
  const name = depth === 1 ? parser.certain.find((one) => !own.has(one)) : undefined;
  if (name !== undefined) throw outside(`'${name}'`);
  return expression;
}

function parsePrint(parser: Parser, place: Place): Statement {
  const value = certainly(parser, place, parseTuple);
  return (run, put) => put(textOf(value(run)));
}

function parseStatement(parser: Parser, place: Place): Statement {
  parser.isPlain = false;
  const word = expectName(parser);
  switch (word) {
    case 'if':
      return parseIf(parser, place);
    case 'for':
      return parseFor(parser, place);
    case 'set':
      return parseSet(parser, place);
    case 'break':
    case 'continue':
      if (!place.isInLoop) throw syntaxFault(`${word} outside of a loop`);
      return () => word;
    default:
      throw OTHERS.has(word) ? outside(`{% ${word} %}`) : syntaxFault(`unknown statement '${word}'`);
  }
}

function parseIf(parser: Parser, place: Place): Statement {
  const branches: (readonly [Expression, Statement])[] = [];
  do {
    const test = branches.length === 0 ? certainly(parser, place, parseSubject) : parseSubject(parser);
    expectEnd(parser);
    branches.push([test, parseBody(parser, ['elif', 'else', 'endif'], place)]);
  } while (take(parser, 'elif'));
  const otherwise = parseOtherwise(parser, 'endif', place);
  return (run, put) => {
    const branch = branches.find(([test]) => isTruthy(test(run)));
    return (branch?.[1] ?? otherwise)(run, put);
  };
}

/** An `else` with its body, if there is one, and the word of the end. */
function parseOtherwise(parser: Parser, end: string, place: Place): Statement {
  let body = writing('');
  if (take(parser, 'else')) {
    expectEnd(parser);
    body = parseBody(parser, [end], place);
  }
  expect(parser, end);
  return body;
}

/** Where Jinja2 takes no `a if b else c` without parentheses. */
function parseSubject(parser: Parser): Expression {
  const subject = parseOr(parser);
  if (isNext(parser, ',')) throw outside('a tuple without parentheses');
  return subject;
}

function parseFor(parser: Parser, place: Place): Statement {
  const { assign } = parseTarget(parser, false);
  expect(parser, 'in');
  const over = certainly(parser, place, parseSubject);
  const only = take(parser, 'if') ? parseExpression(parser) : undefined;
  if (isNext(parser, 'recursive')) throw outside('a recursive loop');
  expectEnd(parser);
  const start = parser.at;
  const body = parseBody(parser, ['endfor', 'else'], { ...place, isInLoop: true });
  const asksForLoop = parser.tokens.slice(start, parser.at).some((one) => 'text' in one && one.text === 'loop');
  const otherwise = parseOtherwise(parser, 'endfor', place);
  return (run, put) => {
    const inner = (item: Value): Run => {
      const own = within(run);
      assign(own, item);
      return own;
    };
    const items = [...iterate(over(run))].filter((item) => only === undefined || isTruthy(only(inner(item))));
    for (const [at, item] of items.entries()) {
      const own = inner(item);
      if (asksForLoop) own.scope.variables.set('loop', loopAt(items, at));
      if (body(own, put) === 'break') break;
    }
    return items.length === 0 ? otherwise(within(run), put) : undefined;
  };
}

const within = ({ around, scope }: Run): Run => ({ around, scope: { variables: new Map(), outer: scope } });

function loopAt(items: readonly Value[], at: number): Namespace {
  const { length } = items;
  const counts = { index: at + 1, index0: at, revindex: length - at, revindex0: length - at - 1, length };
  const entries = new Map<string, Value>(Object.entries(counts).map(([name, count]) => [name, BigInt(count)]));
  entries.set('first', at === 0).set('last', at === length - 1);
  return { kind: 'namespace', entries };
}

function parseSet(parser: Parser, place: Place): Statement {
  const { assign, names } = parseTarget(parser, true);
  if (take(parser, '=')) {
    const value = certainly(parser, place, parseTuple);
    // From here on they are the template's own.
    for (const name of names) place.own.add(name);
    return (run) => assign(run, value(run));
  }
  if (isNext(parser, '|')) throw outside('a filter of a block');
  expectEnd(parser);
  const body = parseBody(parser, ['endset'], { ...place, isInLoop: false });
  expect(parser, 'endset');
  return (run) => {
    const parts: string[] = [];
    body(within(run), collecting(parts));
    return assign(run, parts.join(''));
  };
}

/** Puts texts there, as many as fit. */
export function collecting(parts: string[]): Put {
  let length = 0;
  return (text) => {
    length += text.length;
    reserve(length);
    parts.push(text);
    return undefined;
  };
}

type Target = { readonly names: readonly string[]; readonly assign: Assign };

function parseTarget(parser: Parser, withMembers: boolean): Target {
  const targets: Target[] = [];
  let isTuple = false;
  do {
    isTuple = targets.length > 0;
    if (isTuple && ['in', '=', ')'].some((end) => isNext(parser, end))) break;
    targets.push(parseOneTarget(parser, withMembers));
  } while (take(parser, ','));
  const [first] = targets;
  if (!isTuple && first !== undefined) return first;
  const assign: Assign = (run, value) => {
    const items = [...iterate(value)];
    if (items.length !== targets.length) throw pythonFault(`expected ${targets.length} values to unpack`);
    targets.forEach((target, at) => target.assign(run, items[at] ?? null));
    return undefined;
  };
  return { names: targets.flatMap(({ names }) => names), assign };
}

/** Python's own words, and variables of the compiled template. */
const TAKEN = new Set('true false none True False None loop self caller'.split(' '));

function parseOneTarget(parser: Parser, withMembers: boolean): Target {
  if (take(parser, '(')) {
    const inside = parseTarget(parser, withMembers);
    expect(parser, ')');
    return inside;
  }
  const name = expectName(parser);
  if (TAKEN.has(name)) throw outside(`a variable named ${name}`);
  if (!withMembers || !take(parser, '.'))
    return { names: [name], assign: ({ scope }, value) => void scope.variables.set(name, value) };
  const member = expectName(parser);
  const assign: Assign = ({ scope }, value) => {
    const of = variableIn(scope, name) ?? null;
    if (!isKind(of, 'namespace')) throw templateFault('cannot assign attribute on non-namespace object');
    of.entries.set(member, value);
    return undefined;
  };
  return { names: [], assign };
}
