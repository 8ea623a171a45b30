import { syntaxFault, outside } from '#integrations/home-assistant-discovery/python/fault.ts';
import { isSpace, stripped } from '#integrations/home-assistant-discovery/python/number.ts';
import { isAscii } from '#integrations/home-assistant-discovery/python/text.ts';
import { unescaped } from './string-escapes.ts';

export type Token =
  | { readonly type: 'data' | 'name' | 'operator' | 'string'; readonly text: string }
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'print' | 'statement' | 'end' };

/** Longer templates are refused before they are read. */
const MAX_TEMPLATE_LENGTH = 32_768;
const MAX_TOKENS = 10_000;

const OPERATORS = ['//', '**', '==', '!=', '>=', '<=', ...'+-/*%~[](){}><=.:|,;'.split('')];
const NAME_START = /^[\p{L}\p{Nl}_]/u;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const FLOAT = /^(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/i;
const INTEGER = /^(?:0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*)/i;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

type Lexing = { readonly source: string; at: number; readonly tokens: Token[] };

/** The tokens of a template, by the rules of Jinja2. Throws TemplateFault. */
export function tokensOf(template: string): readonly Token[] {
  if (template.length > MAX_TEMPLATE_LENGTH) throw outside('a template of this length');
  const lexing: Lexing = { source: template.replace(/\r\n?/g, '\n').replace(/\n$/, ''), at: 0, tokens: [] };
  while (lexing.at < lexing.source.length) readPart(lexing);
  return lexing.tokens;
}

function push(lexing: Lexing, token: Token): void {
  if (lexing.tokens.length >= MAX_TOKENS) throw outside('a template of this length');
  lexing.tokens.push(token);
}

/** Text up to the next `{{`, `{%` or `{#`, and what that begins. */
function readPart(lexing: Lexing): void {
  const { source } = lexing;
  let begin = source.indexOf('{', lexing.at);
  while (begin !== -1 && !'{%#'.includes(source[begin + 1] ?? ' ')) begin = source.indexOf('{', begin + 1);
  const data = source.slice(lexing.at, begin === -1 ? source.length : begin);
  if (begin === -1) {
    push(lexing, { type: 'data', text: data });
    lexing.at = source.length;
    return;
  }
  const sign = source[begin + 2] ?? '';
  const kept = sign === '-' ? strippedEnd(data) : data;
  if (kept !== '') push(lexing, { type: 'data', text: kept });
  lexing.at = begin + (sign === '-' || sign === '+' ? 3 : 2);
  const what = source[begin + 1];
  if (what === '#') return skipComment(lexing);
  if (what === '%' && readRaw(lexing)) return;
  push(lexing, { type: what === '{' ? 'print' : 'statement' });
  readInside(lexing, what === '{' ? '}}' : '%}');
}

function strippedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function skipSpace(lexing: Lexing): void {
  while (isSpace(lexing.source.charCodeAt(lexing.at))) lexing.at += 1;
}

function skipComment(lexing: Lexing): void {
  const end = lexing.source.indexOf('#}', lexing.at);
  if (end === -1) throw syntaxFault('a comment without its end');
  const sign = end > lexing.at ? lexing.source[end - 1] : '';
  lexing.at = end + 2;
  if (sign === '-') skipSpace(lexing);
}

/** `{% raw %}` is so rare that it is left to those who need it. */
function readRaw(lexing: Lexing): boolean {
  const head = stripped(lexing.source.slice(lexing.at, lexing.at + 64));
  if (!/^raw\s*-?%}/.test(head)) return false;
  throw outside('{% raw %}');
}

function readInside(lexing: Lexing, end: string): void {
  const open: string[] = [];
  for (;;) {
    const { source } = lexing;
    if (lexing.at >= source.length) return;
    if (open.length === 0 && readEnd(lexing, end)) return;
    if (isSpace(source.charCodeAt(lexing.at))) {
      skipSpace(lexing);
      continue;
    }
    if (readNumber(lexing) || readName(lexing) || readString(lexing)) continue;
    readOperator(lexing, open);
  }
}

function readEnd(lexing: Lexing, end: string): boolean {
  const { source, at } = lexing;
  const sign = source[at] === '-' || (source[at] === '+' && end === '%}') ? 1 : 0;
  if (!source.startsWith(end, at + sign)) return false;
  lexing.at = at + sign + 2;
  if (source[at] === '-') skipSpace(lexing);
  push(lexing, { type: 'end' });
  return true;
}

function readNumber(lexing: Lexing): boolean {
  const { source, at } = lexing;
  if (!isDigit(source.charCodeAt(at))) return false;
  const piece = numberPiece(source, at);
  const float = source[at - 1] === '.' ? undefined : FLOAT.exec(piece)?.[0];
  const found = float ?? INTEGER.exec(piece)?.[0] ?? '';
  lexing.at += found.length;
  const bare = found.replaceAll('_', '');
  if (float !== undefined) push(lexing, { type: 'float', value: Number(bare) });
  else if (bare.length > 4_300) throw syntaxFault('an int of so many digits');
  else push(lexing, { type: 'integer', value: BigInt(bare) });
  return true;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** All that could belong to the number that begins there, so that its patterns see no more. */
function numberPiece(source: string, at: number): string {
  let end = at;
  for (;;) {
    const one = source[end] ?? '';
    const isExponentSign = (one === '+' || one === '-') && /^e$/i.test(source[end - 1] ?? '');
    if (!isExponentSign && !/^[\dA-Za-z_.]$/.test(one)) return source.slice(at, end);
    end += 1;
  }
}

function readName(lexing: Lexing): boolean {
  const { source, at } = lexing;
  if (!NAME_START.test(source.slice(at, at + 2))) return false;
  NAME.lastIndex = at;
  const name = NAME.exec(source)?.[0] ?? '';
  lexing.at += name.length;
  // Python folds such names into others.
  if (!isAscii(name)) throw outside('a name beyond ASCII');
  push(lexing, { type: 'name', text: name });
  return true;
}

function readString(lexing: Lexing): boolean {
  const { source, at } = lexing;
  const quote = source[at];
  if (quote !== '"' && quote !== "'") return false;
  let end = at + 1;
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
  if (end >= source.length) throw syntaxFault('a text without its end');
  push(lexing, { type: 'string', text: unescaped(source.slice(at + 1, end)) });
  lexing.at = end + 1;
  return true;
}

function readOperator(lexing: Lexing, open: string[]): void {
  const { source, at } = lexing;
  const operator = OPERATORS.find((candidate) => source.startsWith(candidate, at));
  if (operator === undefined) throw syntaxFault(`unexpected character ${JSON.stringify(source[at] ?? '')}`);
  const closing = Object.hasOwn(CLOSING, operator) ? CLOSING[operator] : undefined;
  if (closing !== undefined) open.push(closing);
  else if ('})]'.includes(operator) && open.pop() !== operator) throw syntaxFault(`unexpected '${operator}'`);
  push(lexing, { type: 'operator', text: operator });
  lexing.at += operator.length;
}
