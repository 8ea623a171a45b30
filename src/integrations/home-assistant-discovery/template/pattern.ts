import { outside, pythonFault, reserve } from './fault.ts';
import { listOf, table, tupleOf, type PyList } from './value.ts';

const TOKEN = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P?[<>=]?|\{(?:\d+(?:,\d*)?|,\d+)\}|[[\]{}$.]/g;
/** JavaScript writes these in another way. */
const OTHERS = table({
  '(?P<': '(?<',
  '\\A': '^',
  '\\Z': '$',
  '\\d': '\\p{Nd}',
  '\\w': '[\\p{L}\\p{N}_]',
  '\\W': '[^\\p{L}\\p{N}_]',
  '.': '[^\\n]',
  $: '(?=\\n?$)',
  ']': '\\]',
  '{': '\\{',
  '}': '\\}',
});

/**
 * A regular expression of Python as one of JavaScript. It may take for ever, so nothing of it runs on the event loop.
 * Throws TemplateFault for what JavaScript does not have.
 */
export function compilePattern(source: string, ignoresCase: boolean): RegExp {
  const isIgnoring = source.startsWith('(?i)');
  const translated = (isIgnoring ? source.slice(4) : source).replaceAll(TOKEN, (token) => {
    if (token.startsWith('\\')) return escapeOf(token);
    if (token.startsWith('[') && token.length > 1) return classOf(token);
    if (token.startsWith('{,')) return `{0${token.slice(1)}`;
    return OTHERS.get(token) ?? token;
  });
  try {
    return new RegExp(translated, ignoresCase || isIgnoring ? 'giu' : 'gu');
  } catch (cause) {
    if (cause instanceof SyntaxError) throw outside('such a pattern');
    throw cause;
  }
}

function escapeOf(token: string): string {
  const [, sign = ''] = token;
  // Where a sign needs no backslash, JavaScript wants none.
  return OTHERS.get(token) ?? (/[\w$()*+./?[\\\]^{|}]/.test(sign) ? token : sign);
}

function classOf(token: string): string {
  const inside = token.replace(/^\[\^?/, '').slice(0, -1);
  const own = inside.replaceAll(/\\[\s\S]|[[\]]/g, (one) => {
    if (one === '\\w') return '\\p{L}\\p{N}_';
    if (one === '\\W' || one === '\\-') return one;
    return one.length === 1 ? `\\${one}` : escapeOf(one);
  });
  return `[${token.startsWith('[^') ? '^' : ''}${own}]`;
}

/** Whether the text begins with what the pattern means, or has it anywhere. */
export function isFound({ source, flags }: RegExp, text: string, where: 'start' | 'anywhere'): boolean {
  return new RegExp(source, where === 'start' ? `${flags}y` : flags).test(text);
}

/** Python's `findall`. */
export function allMatches(pattern: RegExp, text: string): PyList {
  const found = Array.from(text.matchAll(pattern), ([whole, ...groups]) => {
    const parts = groups.map((group) => group ?? '');
    return parts.length > 1 ? tupleOf(parts) : (parts[0] ?? whole);
  });
  return listOf(found);
}

/** Python's `sub`. */
export function substituted(pattern: RegExp, text: string, replacement: string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    result += text.slice(end, match.index) + filled(replacement, match);
    reserve(result.length);
    end = match.index + match[0].length;
  }
  return result + text.slice(end);
}

const PART = /\\(?:([1-9]\d?)|g<(\w+)>|([\s\S]?))/g;
const LETTERS = table({ n: '\n', t: '\t', r: '\r', '\\': '\\' });

function filled(replacement: string, match: RegExpExecArray): string {
  // A group is at most the whole text, and needs two characters in the replacement.
  if (replacement.includes('\\')) reserve((replacement.length / 2) * match[0].length);
  return replacement.replaceAll(PART, (...[, number, name, letter]: (string | undefined)[]) => {
    if (number === undefined && name === undefined) {
      const meant = LETTERS.get(letter ?? '');
      if (meant === undefined) throw outside('such an escape in a replacement');
      return meant;
    }
    const at = Number(number ?? name);
    const isThere = Number.isNaN(at) ? Object.hasOwn(match.groups ?? {}, name ?? '') : at < match.length;
    if (!isThere) throw pythonFault('invalid group reference');
    return (Number.isNaN(at) ? match.groups?.[name ?? ''] : match[at]) ?? '';
  });
}
