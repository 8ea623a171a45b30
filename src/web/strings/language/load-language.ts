import { LANGUAGES, type LanguageCode, speak, spokenLanguage } from './language.ts';

/** Each is loaded whole, by those who read it. English is there already. */
export const LOADS: Partial<Record<LanguageCode, () => Promise<Readonly<Record<string, object>>>>> = {
  en: () => Promise.resolve({}),
  de: async () => (await import('#web/strings/de/de.ts')).de,
  fr: async () => (await import('#web/strings/fr/fr.ts')).fr,
  es: async () => (await import('#web/strings/es/es.ts')).es,
};

/** What of the browser decides about the language. */
type Page = {
  readonly navigator: { readonly languages: readonly string[] };
  readonly localStorage: {
    readonly getItem: (key: string) => string | null;
    readonly setItem: (key: string, value: string) => void;
    readonly removeItem: (key: string) => void;
  };
  readonly document: { readonly documentElement: { lang: string } };
  readonly location: { readonly reload: () => void };
};

const KEY = 'hearthd.language';

export function isLanguage(code: unknown): code is LanguageCode {
  return typeof code === 'string' && Object.hasOwn(LOADS, code);
}

/** What somebody chose in this browser, else the first of the browser's languages that the page speaks. */
export function wantedLanguage(page: Page): LanguageCode {
  const kept = keptLanguage(page);
  if (isLanguage(kept)) return kept;
  const own = page.navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return own.find(isLanguage) ?? 'en';
}

/** Loads the words before anything is drawn. The page speaks English if they do not come. */
export async function loadLanguage(page: Page, code: LanguageCode): Promise<void> {
  page.document.documentElement.lang = 'en';
  const load = LOADS[code];
  if (code === 'en' || load === undefined) return;
  try {
    speak(code, await load());
    page.document.documentElement.lang = code;
  } catch (cause) {
    // The files of another version of the hub, or no connection: the page says so itself, in English.
    if (!(cause instanceof TypeError)) throw cause;
  }
}

/** Keeps what a person chose at this browser; an empty code is what the browser says. The page is loaded anew for another language. */
export function chooseLanguage(page: Page, code: string): void {
  keep(page, isLanguage(code) ? code : null);
  if (wantedLanguage(page) !== spokenLanguage()) page.location.reload();
}

/**
 * Speaks the language that a person chose at another browser, if this one has not heard of it yet: a tag of BCP 47;
 * `null` where the person leaves it to each browser.
 */
export function adoptLanguage(page: Page, tag: string | null): void {
  const code = tag?.toLowerCase().split('-')[0];
  if (!isLanguage(code) || keptLanguage(page) === code) return;
  keep(page, code);
  // A browser that keeps nothing would load the page again without end.
  if (keptLanguage(page) === code && code !== spokenLanguage()) page.location.reload();
}

/** Those that the page speaks, by their own names. */
export function languageNames(): readonly (readonly [code: LanguageCode, name: string])[] {
  return Object.keys(LOADS)
    .filter(isLanguage)
    .map((code) => [code, LANGUAGES[code]]);
}

/** What somebody chose in this browser. */
export function keptLanguage(page: Page): string | null {
  try {
    return page.localStorage.getItem(KEY);
  } catch (cause) {
    // The storage is closed to this page.
    if (cause instanceof DOMException) return null;
    throw cause;
  }
}

function keep(page: Page, code: LanguageCode | null): void {
  try {
    if (code === null) page.localStorage.removeItem(KEY);
    else page.localStorage.setItem(KEY, code);
  } catch (cause) {
    // A browser that keeps nothing goes by its own languages.
    if (!(cause instanceof DOMException)) throw cause;
  }
}
