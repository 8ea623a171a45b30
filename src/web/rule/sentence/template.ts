import { lastOf } from '#web/since-2021.ts';
import type { JsonObject } from './json.ts';

/** A part of a sentence: words, or the place of a member. */
type Part = string | { readonly name: string };

/** The parts of a template. `has` says which members are there; what needs others is left out. */
export function partsOf(template: string, has: (name: string) => boolean): readonly Part[] {
  return template.split(/(\[[^[\]]*\])/).flatMap((piece) => {
    if (!piece.startsWith('[')) return split(piece);
    const ways = piece.slice(1, -1).split('|');
    return split(ways.find((way) => membersOf(way).every(has)) ?? '');
  });
}

/** The members that a template names. */
export function membersOf(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function split(words: string): readonly Part[] {
  return words
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? { name: part.slice(1, -1) } : part));
}

const RARE: ReadonlySet<string> = new Set([
  'missed',
  'when_clock_unset',
  'late_max_s',
  'grace_s',
  'hysteresis',
  'accept_restored',
  'assumed',
  'expires_in',
  'skip_if_same',
]);

/** The part of an automation without what holds in rare cases: after the hub was off, or before its clock was set. */
export function usualOf(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !RARE.has(name)));
}

/** Puts words that stand beside each other together, and takes away the spaces and commas of what was left out. */
export function tidied<Other extends object>(pieces: readonly (string | Other)[]): readonly (string | Other)[] {
  const joined: (string | Other)[] = [];
  for (const piece of pieces) {
    const last = lastOf(joined);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  const clean = joined.map((piece) =>
    typeof piece === 'string'
      ? piece
          .replace(/\s+/g, ' ')
          .replace(/ (?=[,:;])/g, '')
          .replace(/,(?: ?,)+/g, ',')
      : piece,
  );
  return clean
    .map((piece, index) => {
      if (typeof piece !== 'string') return piece;
      const begun = index === 0 ? piece.replace(/^[\s,:;]+/, '') : piece;
      return index === clean.length - 1 ? begun.replace(/(?<![\s,:;])[\s,:;]+$/, '') : begun;
    })
    .filter((piece) => piece !== '');
}
