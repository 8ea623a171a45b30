/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type LanguageCode = keyof typeof LANGUAGES;

/** What every language has to have: the same keys, with words of its own. */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Words]: Translation<Words[Key]> };

type Dictionary = Readonly<Record<string, object>>;

/** Every part of the words that is loaded, by its name. */
const parts = new Map<string, Readonly<Record<'shown' | 'english', object>>>();
let dictionary: Dictionary = {};
let code: LanguageCode = 'en';

/** The language that the page speaks. */
export function spokenLanguage(): LanguageCode {
  return code;
}

/**
 * A part of the words, in the language that the page speaks. English comes with the code that needs it; another
 * language takes its place. Read them while drawing, not once when a module is loaded.
 */
export function words<Words extends object>(name: string, english: Words): Translation<Words> {
  const shown = { ...english, ...dictionary[name] };
  parts.set(name, { shown, english });
  return shown as unknown as Translation<Words>;
}

/** Puts the words of a language in place, for parts that are loaded later as well. English has no dictionary. */
export function speak(language: LanguageCode, spoken: Dictionary): void {
  code = language;
  dictionary = spoken;
  for (const [name, { shown, english }] of parts) Object.assign(shown, english, spoken[name]);
}

/** The English of every part that is loaded, by its name. */
export function wordsInEnglish(): Dictionary {
  return Object.fromEntries([...parts].map(([name, { english }]) => [name, english]));
}
