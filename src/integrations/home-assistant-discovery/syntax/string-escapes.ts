import { outside, syntaxFault } from '#integrations/home-assistant-discovery/python/fault.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The text of a string literal, as Python's codec `unicode-escape` reads it. */
export function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal;
  return literal.replace(
    /\\([0-7]{1,3}|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|N|[\s\S]|$)/g,
    (found, escape: string) => {
      if (escape === '') throw syntaxFault('a text ends with a backslash');
      if (escape === 'N') throw outside('a character by its name');
      const first = escape[0] ?? '';
      const wanted = Object.hasOwn(HEX_LENGTH, first) ? HEX_LENGTH[first] : undefined;
      if (wanted !== undefined) return fromHex(escape.slice(1), wanted);
      if (/^[0-7]/.test(escape)) return String.fromCodePoint(Number.parseInt(escape, 8));
      return Object.hasOwn(SIMPLE, escape) ? (SIMPLE[escape] ?? '') : found;
    },
  );
}

function fromHex(digits: string, wanted: number): string {
  if (digits.length !== wanted) throw syntaxFault('an escape without its digits');
  const point = Number.parseInt(digits, 16);
  if (point > 0x10ffff) throw syntaxFault('an escape beyond Unicode');
  if (point >= 0xd800 && point <= 0xdfff) throw outside('half a character');
  return String.fromCodePoint(point);
}
