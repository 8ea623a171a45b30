import { outside, pythonFault, TemplateFault } from './fault.ts';
import { isAscii } from './text.ts';
import { listOf, tupleOf, type PyList, type Value } from './value.ts';

/** A regular expression of Python as one of JavaScript. It may take for ever, so nothing of it runs on the event loop. */
export type Pattern = { readonly expression: RegExp; readonly isOfAscii: boolean };

const TOKEN =
  /\\(?:x[\da-f]{2}|u[\da-f]{4}|[\s\S])|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:P?<[A-Za-z_]\w*>|[:=!]|<[=!])|\(\?|[*+?}]\+|\{\d*(?:,\d*)?\}|[\s\S]/giu;
/** What means the same in both, or the same for texts of ASCII. */
const ESCAPES = new Set('dDwWsSbBnrtfv');
const PLACES: Readonly<Record<string, string>> = { $: '(?=\\n?$)', '.': '[^\\n]', '{': '\\{', '}': '\\}', ']': '\\]' };

/** Throws TemplateFault for what is not the same in both. */
export function compilePattern(source: string, ignoresCase: boolean): Pattern {
  const ignoring = source.startsWith('(?i)');
  let isOfAscii = ignoresCase || ignoring;
  const translated = (ignoring ? source.slice(4) : source).replaceAll(TOKEN, (token) => {
    if (token.startsWith('[')) {
      if (token.length === 1) throw pythonFault('unterminated character set');
      isOfAscii ||= /\\[dws]/i.test(token);
      return classOf(token);
    }
    if (token.startsWith('\\')) {
      isOfAscii ||= /^\\[dwsb]/i.test(token);
      return escapeOf(token);
    }
    if (/^\(\?P?<[A-Za-z_]/.test(token)) return token.replace('P', '');
    if (token === '(?' || /^[*+?}]\+$/.test(token)) throw outside('such a pattern');
    if (/^\{,\d+\}$/.test(token)) return `{0${token.slice(1)}`;
    return token.length > 1 && token !== '{}' && token !== '{,}'
      ? token
      : Array.from(token, (one) => PLACES[one] ?? one).join('');
  });
  try {
    return { expression: new RegExp(translated, ignoresCase || ignoring ? 'giu' : 'gu'), isOfAscii };
  } catch (cause) {
    if (cause instanceof SyntaxError) throw pythonFault('the pattern is none');
    throw cause;
  }
}

function escapeOf(token: string): string {
  const letter = token[1] ?? '';
  if (letter === 'A') return '^';
  if (letter === 'Z') return '$';
  if (token.length > 2 || ESCAPES.has(letter)) return token;
  if (token.length === 1 || /[A-Za-z\d]/.test(letter)) throw outside('such an escape in a pattern');
  return /[$()*+.?[\\\]^{|}/]/.test(letter) ? token : letter;
}

function classOf(token: string): string {
  const isNegated = token.startsWith('[^');
  const inside = token.slice(isNegated ? 2 : 1, -1);
  if (inside.includes('[:') || /--|&&|\|\||~~/.test(inside)) throw outside('such a set of characters');
  const own = inside.replaceAll(/\\(?:x[\da-f]{2}|u[\da-f]{4}|[\s\S])|[\s\S]/giu, (one) =>
    one === '\\-' ? one : one.startsWith('\\') ? escapeOf(one) : /[[\]]/.test(one) ? `\\${one}` : one,
  );
  return `[${isNegated ? '^' : ''}${own}]`;
}

function search({ expression, isOfAscii }: Pattern, text: string): RegExp {
  if (isOfAscii && !isAscii(text)) throw outside('such a pattern for characters beyond ASCII');
  expression.lastIndex = 0;
  return expression;
}

/** Whether the text begins with what the pattern means, or has it anywhere. */
export function isFound(pattern: Pattern, text: string, where: 'start' | 'anywhere'): boolean {
  const { source, flags } = search(pattern, text);
  return new RegExp(source, where === 'start' ? `${flags}y` : flags).test(text);
}

/** Python's `findall`. */
export function allFound(pattern: Pattern, text: string): PyList {
  const found: Value[] = [];
  for (const [whole, ...groups] of text.matchAll(search(pattern, text))) {
    const parts = groups.map((group) => group ?? '');
    found.push(parts.length > 1 ? tupleOf(parts) : (parts[0] ?? whole));
  }
  return listOf(found);
}

const PART = /\\(?:([1-9]\d?)|g<(\w+)>|([\s\S]?))/g;
const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** More at once than the heap of the thread would end the hub, and not the thread. */
const MOST_TEXT = 262_144;

/** Python's `sub`. */
export function substituted(pattern: Pattern, text: string, replacement: string): string {
  // A group has two characters in the replacement, and at most the whole text in its place.
  const hasGroups = replacement.includes('\\');
  if (hasGroups && (replacement.length / 2) * text.length > 8 * MOST_TEXT) throw tooMuch();
  let result = '';
  let end = 0;
  for (const match of text.matchAll(search(pattern, text))) {
    result += text.slice(end, match.index) + (hasGroups ? filled(replacement, match) : replacement);
    if (result.length > MOST_TEXT) throw tooMuch();
    end = match.index + match[0].length;
  }
  return result + text.slice(end);
}

function tooMuch(): TemplateFault {
  return new TemplateFault('budget', 'the template makes too much text');
}

function filled(replacement: string, match: RegExpExecArray): string {
  return replacement.replaceAll(PART, (...part: (string | undefined)[]) => {
    const [, number, name, letter = ''] = part;
    if (number === undefined && name === undefined) {
      if (!Object.hasOwn(NAMED, letter)) throw outside('such an escape in a replacement');
      return NAMED[letter] ?? '';
    }
    const at = Number(number ?? name);
    const isThere = Number.isNaN(at) ? Object.hasOwn(match.groups ?? {}, name ?? '') : at < match.length;
    if (!isThere) throw pythonFault('invalid group reference');
    return (Number.isNaN(at) ? match.groups?.[name ?? ''] : match[at]) ?? '';
  });
}
