import { hasOwn } from '#web/since-2021.ts';

/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type LanguageCode = keyof typeof LANGUAGES;

export function isLanguage(code: unknown): code is LanguageCode {
  return typeof code === 'string' && hasOwn(LANGUAGES, code);
}

/** What every language has to have: the same keys, with words of its own. */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Words]: Translation<Words[Key]> };
