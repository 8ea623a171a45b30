import { outside, pythonFault, reserveText, spendSteps, type Budget } from './fault.ts';
import { isSpace } from './number.ts';

/** Python's `split`. `null` splits at runs of white space. */
export function splitText(text: string, separator: string | null, most: number): readonly string[] {
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  if (separator === null) return splitSpaces(text, limit);
  if (separator === '') throw pythonFault('empty separator');
  const parts: string[] = [];
  let start = 0;
  while (parts.length < limit) {
    const at = text.indexOf(separator, start);
    if (at === -1) break;
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

function splitSpaces(text: string, limit: number): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    if (at === text.length) return parts;
    if (parts.length >= limit) {
      parts.push(strippedOf(text.slice(at), null, 'end'));
      return parts;
    }
    const start = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    parts.push(text.slice(start, at));
  }
}

/** Without these characters at its ends; `null` means white space. */
export function strippedOf(text: string, characters: string | null, where: 'both' | 'start' | 'end'): string {
  if (characters !== null && characters.length > 1_000) throw outside('stripping so many characters');
  const some = characters === null ? null : new Set(characters);
  if (characters !== null && /[\ud800-\udfff]/.test(characters)) throw outside('stripping such characters');
  const goes = (at: number): boolean => (some === null ? isSpace(text.charCodeAt(at)) : some.has(text[at] ?? ''));
  let start = 0;
  let end = text.length;
  if (where !== 'end') while (start < end && goes(start)) start += 1;
  if (where !== 'start') while (end > start && goes(end - 1)) end -= 1;
  return text.slice(start, end);
}

export type Replacement = { readonly old: string; readonly next: string; readonly count: number };

/** Python's `replace`; a negative count means all. */
export function replaced(budget: Budget, text: string, { old, next, count }: Replacement): string {
  spendSteps(budget, 1 + (text.length >> 4));
  if (count === 0) return text;
  const limit = count < 0 ? Number.POSITIVE_INFINITY : count;
  if (old === '') return betweenAll(budget, text, { old, next, count: limit });
  const parts = splitText(text, old, count);
  reserveText(budget, text.length + (parts.length - 1) * next.length);
  return parts.join(next);
}

/** Python puts the text before, between and after all characters. */
function betweenAll(budget: Budget, text: string, { next, count }: Replacement): string {
  const characters = Array.from(text);
  reserveText(budget, text.length + Math.min(count, characters.length + 1) * next.length);
  const put = characters.map((one, at) => (at < count ? next + one : one)).join('');
  return characters.length < count ? put + next : put;
}

/** How often a text is in another, without overlaps. */
export function countOf(text: string, part: string): bigint {
  if (part === '') return BigInt(Array.from(text).length + 1);
  return BigInt(splitText(text, part, -1).length - 1);
}

export function capitalized(text: string): string {
  const [first = ''] = text;
  if (!isAscii(first)) throw outside('a capital beyond ASCII');
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Python's method `title`; the filter of that name is another. */
export function titled(text: string): string {
  if (!isAscii(text)) throw outside('titles beyond ASCII');
  return text.replace(/[A-Za-z]+/g, (word) => (word[0] ?? '').toUpperCase() + word.slice(1).toLowerCase());
}

/** Whether a text has a surrogate without its other half, which no UTF-8 can hold. */
export function hasHalfCharacter(text: string): boolean {
  return /\p{Cs}/u.test(text);
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
