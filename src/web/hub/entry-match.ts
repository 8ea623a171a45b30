import type { IconName } from '#web/icon-lines.ts';
import { folded } from '#web/state/device/home-filter.ts';

/** The words of a page, as its strings have them. */
export type Words = string | readonly string[] | ((...values: never[]) => string) | { readonly [name: string]: Words };
export type Entry = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string | undefined;
  /** The search finds the page by these too. */
  readonly inside: readonly Words[];
};
/**
 * The entry, if each word stands in its lines or in one label inside its page, which then is its second line. `undefined`
 * if not.
 */
export function matchOf(entry: Entry, query: string): Entry | undefined {
  const words = folded(query).split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => folded(text).includes(word));
  if (fits(`${entry.title} ${entry.text ?? ''}`)) return entry;
  if (words.every((word) => word.length < LEAST_LETTERS)) return undefined;
  const begins = (text: string): boolean => {
    const own = folded(text).split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const label = entry.inside.flatMap(labelsIn).find(begins);
  return label === undefined ? undefined : { ...entry, text: label };
}

/** Fewer would find something inside each page. */
const LEAST_LETTERS = 3;
/** Longer texts and sentences explain: their words are of other pages too. */
const LONGEST_LABEL = 40;
const SENTENCE = /[.!?…]$/;

function labelsIn(words: Words): readonly string[] {
  if (typeof words === 'function') return [];
  if (typeof words === 'string') return words.length > LONGEST_LABEL || SENTENCE.test(words) ? [] : [words];
  return Object.values(words).flatMap(labelsIn);
}
