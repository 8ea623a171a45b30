import { LANGUAGES, type LanguageCode, speak, spokenLanguage } from './language.ts';

/** Each is loaded whole, by those who read it. */
const LOADS = {
  en: () => Promise.resolve({}),
} as const satisfies Partial<Record<LanguageCode, () => Promise<Readonly<Record<string, object>>>>>;

const KEY = 'hearthd.language';

export function isLanguage(code: unknown): code is LanguageCode {
  return typeof code === 'string' && Object.hasOwn(LOADS, code);
}

/** What somebody chose in this browser, else the first of the browser's languages that the page speaks. */
export function wantedLanguage(page: Window): LanguageCode {
  const kept = readKept(page);
  if (isLanguage(kept)) return kept;
  const own = page.navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return own.find(isLanguage) ?? 'en';
}

/** Loads the words before anything is drawn. The page speaks English if they do not come. */
export async function loadLanguage(page: Window, code: LanguageCode): Promise<void> {
  page.document.documentElement.lang = 'en';
  if (code === 'en') return;
  try {
    speak(code, await LOADS[code as 'en']());
    page.document.documentElement.lang = code;
  } catch (cause) {
    // The files of another version of the hub, or no connection: the page says so itself, in English.
    if (!(cause instanceof TypeError)) throw cause;
  }
}

/** Keeps what an account or a person at this browser chose; `null` is what the browser says. Reloads if that is another language. */
export function chooseLanguage(page: Window, code: string | null): void {
  keep(page, isLanguage(code) ? code : null);
  if (wantedLanguage(page) !== spokenLanguage()) page.location.reload();
}

/** Those that the page speaks, by their own names. */
export function languageNames(): readonly (readonly [code: LanguageCode, name: string])[] {
  return Object.keys(LOADS)
    .filter(isLanguage)
    .map((code) => [code, LANGUAGES[code]]);
}

function readKept(page: Window): string | null {
  try {
    return page.localStorage.getItem(KEY);
  } catch (cause) {
    // The storage is closed to this page.
    if (cause instanceof DOMException) return null;
    throw cause;
  }
}

function keep(page: Window, code: LanguageCode | null): void {
  try {
    if (code === null) page.localStorage.removeItem(KEY);
    else page.localStorage.setItem(KEY, code);
  } catch (cause) {
    // A browser that keeps nothing goes by its own languages.
    if (!(cause instanceof DOMException)) throw cause;
  }
}
