import { outside, syntaxFault } from './fault.ts';
import { table, type Surroundings, type Value } from './value.ts';

type Token =
  | { readonly type: 'data' | 'name' | 'operator' | 'string'; readonly text: string }
  | { readonly type: 'number'; readonly value: bigint | number }
  | { readonly type: 'print' | 'statement' | 'end' };

/** Longer templates are refused before they are read. */
const MAX_LENGTH = 32_768;
/** Behind a point a number is an index, as in `list.0.name`. */
const TOKEN =
  /(?<float>(?<!\.)\d[\d_]*(?:\.\d[\d_]*(?:e[+-]?\d+)?|e[+-]?\d+))|(?<int>0[box][\da-f_]+|\d[\d_]*)|(?<name>[a-z_]\w*)|'(?<single>[^'\\]*(?:\\[\s\S][^'\\]*)*)'|"(?<double>[^"\\]*(?:\\[\s\S][^"\\]*)*)"|(?<operator>\/\/|\*\*|[=!<>]=|[-+*/%~[\](){}<>=.:|,;])/iy;
const SPACE = /\s*/y;
const CLOSING = table({ '{': '}', '(': ')', '[': ']' });

/** The tokens of a template, by the rules of Jinja2. Throws TemplateFault. */
export function tokensOf(template: string): readonly Token[] {
  if (template.length > MAX_LENGTH) throw outside('a template of this length');
  const source = template.replace(/\r\n?/g, '\n');
  const tokens: Token[] = [];
  let at = 0;
  for (const { index, 0: tag } of source.matchAll(/\{[{%#][-+]?/g)) {
    // It stands in a tag or a comment.
    if (index < at) continue;
    const data = source.slice(at, index);
    tokens.push({ type: 'data', text: tag.endsWith('-') ? data.trimEnd() : data });
    at = index + tag.length;
    if (tag.startsWith('{#')) at = commentEnd(source, at);
    else {
      tokens.push({ type: tag.startsWith('{{') ? 'print' : 'statement' });
      at = readInside(source, at, { tokens, end: tag.startsWith('{{') ? '}}' : '%}' });
    }
  }
  tokens.push({ type: 'data', text: source.slice(at) });
  return tokens;
}

function commentEnd(source: string, at: number): number {
  const end = source.indexOf('#}', at);
  if (end === -1) throw syntaxFault('a comment without its end');
  return source[end - 1] === '-' && end > at ? afterSpace(source, end + 2) : end + 2;
}

function afterSpace(source: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(source);
  return SPACE.lastIndex;
}

type Inside = { readonly tokens: Token[]; readonly end: string };

/** The tokens of one tag. Returns where the text behind it begins. */
function readInside(source: string, start: number, { tokens, end }: Inside): number {
  const open: string[] = [];
  for (let at = afterSpace(source, start); at < source.length; at = afterSpace(source, TOKEN.lastIndex)) {
    const sign = source[at] === '-' || (source[at] === '+' && end === '%}') ? 1 : 0;
    if (open.length === 0 && source.startsWith(end, at + sign)) {
      tokens.push({ type: 'end' });
      return source[at] === '-' ? afterSpace(source, at + 3) : at + sign + 2;
    }
    TOKEN.lastIndex = at;
    const token = tokenOf(TOKEN.exec(source)?.groups, source[at] ?? '');
    tokens.push(token);
    const text = token.type === 'operator' ? token.text : '';
    const closing = CLOSING.get(text);
    if (closing !== undefined) open.push(closing);
    else if (/^[})\]]$/.test(text) && open.pop() !== text) throw syntaxFault(`unexpected '${text}'`);
  }
  return source.length;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>> | undefined, first: string): Token {
  if (groups === undefined)
    throw first > '\u007f' ? outside('a name beyond ASCII') : syntaxFault(`unexpected '${first}'`);
  const { float, int, name, single, double, operator } = groups;
  if (name !== undefined) return { type: 'name', text: name };
  if (operator !== undefined) return { type: 'operator', text: operator };
  if (float !== undefined) return { type: 'number', value: Number(float.replaceAll('_', '')) };
  if (int === undefined) return { type: 'string', text: unescaped(single ?? double ?? '') };
  const digits = int.replaceAll('_', '');
  const isInt = digits.length <= 20 && /^(?:0b[01]+|0o[0-7]+|0x[\da-f]+|[1-9]\d*|0+)$/i.test(digits);
  if (!isInt) throw syntaxFault(`the number ${digits.slice(0, 20)}`);
  return { type: 'number', value: BigInt(digits) };
}

const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([\s\S]))/gi;
const SIMPLE = table({ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' });

/** The text of a string literal, as Python's codec `unicode-escape` reads it. */
function unescaped(literal: string): string {
  return literal.replace(ESCAPE, (found: string, ...[octal, byte, short, long, letter]: (string | undefined)[]) => {
    if (letter !== undefined) {
      if ('NxuU'.includes(letter)) throw outside(`the escape ${found}`);
      return SIMPLE.get(letter) ?? (/[\\'"]/.test(letter) ? letter : found);
    }
    const point = octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw outside(`the escape ${found}`);
    return String.fromCodePoint(point);
  });
}

/** Variables of a statement's body, and of those around it. */
type Scope = { readonly variables: Map<string, Value>; readonly outer: Scope | null };
export type Run = { readonly around: Surroundings; readonly scope: Scope };
/** An expression that is read: it gives its value. Throws TemplateFault. */
export type Expression = (run: Run) => Value;

/** Deeper expressions and longer rows of operators are refused, because reading and running them recurses. */
const MAX_DEPTH = 60;

/** Tokens, how far they are read, and what was seen there. */
export type Parser = {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
  /** It only reads members of a message and calculates with them: that takes no time worth a thread. */
  isPlain: boolean;
  /** Names of Home Assistant's own home that the expression asks for, whichever of its branches are taken. */
  certain: string[];
};

export function isNext(parser: Parser, text: string, ahead = 0): boolean {
  const token = parser.tokens[parser.at + ahead];
  return (token?.type === 'operator' || token?.type === 'name') && token.text === text;
}

export function take(parser: Parser, text: string): boolean {
  const isThere = isNext(parser, text);
  if (isThere) parser.at += 1;
  return isThere;
}

export function expect(parser: Parser, text: string): void {
  if (!take(parser, text)) throw syntaxFault(`expected '${text}'`);
}

export function expectName(parser: Parser): string {
  const token = parser.tokens[parser.at];
  if (token?.type !== 'name') throw syntaxFault('expected a name');
  parser.at += 1;
  return token.text;
}

/** Grows an expression for as long as there is more of it. */
export function grown(start: Expression, grow: (left: Expression) => Expression | undefined): Expression {
  let left = start;
  for (let length = 0; length <= MAX_DEPTH; length += 1) {
    const more = grow(left);
    if (more === undefined) return left;
    left = more;
  }
  throw outside('an expression of such length');
}

export function nested(parser: Parser, parse: (parser: Parser) => Expression): Expression {
  parser.depth += 1;
  if (parser.depth > MAX_DEPTH) throw outside('an expression of such depth');
  const expression = parse(parser);
  parser.depth -= 1;
  return expression;
}

/** A part that not each rendering takes. */
export function perhaps(parser: Parser, parse: (parser: Parser) => Expression): Expression {
  const { length } = parser.certain;
  const expression = parse(parser);
  parser.certain.length = length;
  return expression;
}

export function variableIn(scope: Scope, name: string): Value | undefined {
  let at: Scope | null = scope;
  while (at !== null && !at.variables.has(name)) at = at.outer;
  return at?.variables.get(name);
}
