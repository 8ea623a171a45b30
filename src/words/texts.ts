/** Every language has the same keys, with words of its own. */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Words]: Translation<Words[Key]> };

/** Each hole of a text has a value under its name. */
export type Values<Hole extends string = string> = Readonly<Record<Hole, string | number>>;

/** The hub says this to readers of any language: the id of a text, and the values of its holes. */
export type Wording = { readonly id: string; readonly with: Values };

/** The names of the holes in a text: `device` in `Water at {device}`. */
export type HolesOf<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesOf<Rest> : never;

/** A text with its holes filled. A value whose name ends in `_s` is a length of time in seconds. */
export function filled(text: string, values: Values, language = 'en'): string {
  return text.replace(/\{(\w+)\}/g, (_, hole: string) => {
    const value = values[hole] ?? '';
    return hole.endsWith('_s') ? lengthIn(language, Number(value)) : String(value);
  });
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** As people say it, in the largest unit of which there are two: `90 minutes`, `3 hours`. */
export function lengthIn(language: string, seconds: number): string {
  const [unitS, unit] = UNITS.find(([least]) => seconds >= least * 2) ?? [1, 'second'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(seconds / unitS),
  );
}

/** The first of some texts whose holes are all known, filled. */
export function firstFilled(texts: readonly string[], values: Partial<Values>): string {
  return filled(texts.find((one) => isWhole(one, values)) ?? '', values as Values);
}

function isWhole(text: string, values: Partial<Values>): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, hole = '']) => values[hole] !== undefined);
}

type Notice = { readonly title: string; readonly text: string; readonly wording?: Wording | undefined };
type NoticeTexts = Readonly<Record<string, { readonly title: string; readonly text?: string }>>;

/** Title and text of a notification in the words of a table. What people wrote has no id, and stays as it is. */
export function noticeIn(
  texts: NoticeTexts,
  { title, text, wording }: Notice,
  language = 'en',
): Pick<Notice, 'title' | 'text'> {
  const [, words] = Object.entries(texts).find(([id]) => id === wording?.id) ?? [];
  if (words === undefined) return { title, text };
  const values = wording?.with ?? {};
  return {
    title: filled(words.title, values, language),
    // What an older hub stored may have fewer values.
    text: words.text !== undefined && isWhole(words.text, values) ? filled(words.text, values, language) : text,
  };
}
