import { hasOwn } from '#web/since-2021.ts';

/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type LanguageCode = keyof typeof LANGUAGES;

export function isLanguage(code: unknown): code is LanguageCode {
  return typeof code === 'string' && hasOwn(LANGUAGES, code);
}
