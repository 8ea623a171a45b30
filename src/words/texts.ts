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

/** A text with its holes filled. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, hole: string) => String(values[hole] ?? ''));
}

type Notice = { readonly title: string; readonly text: string; readonly wording?: Wording };
type NoticeTexts = Readonly<Record<string, { readonly title: string; readonly text?: string }>>;

/** Title and text of a notification in the words of a table. What people wrote has no id, and stays as it is. */
export function noticeIn(texts: NoticeTexts, { title, text, wording }: Notice): Pick<Notice, 'title' | 'text'> {
  const [, words] = Object.entries(texts).find(([id]) => id === wording?.id) ?? [];
  if (words === undefined) return { title, text };
  const values = wording?.with ?? {};
  return { title: filled(words.title, values), text: words.text === undefined ? text : filled(words.text, values) };
}
