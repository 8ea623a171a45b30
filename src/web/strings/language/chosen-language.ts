import { isLanguage, LANGUAGES, type LanguageCode } from './language.ts';

/** The browser keeps the language with these. */
type Page = {
  readonly localStorage: {
    readonly getItem: (key: string) => string | null;
    readonly setItem: (key: string, value: string) => void;
    readonly removeItem: (key: string) => void;
  };
  readonly document: { cookie: string };
  readonly location: { readonly reload: () => void };
};

const KEY = 'hearthd.language';
/** Tells the hub which page to send. Browsers forget it after days: it is written anew with each visit. */
const COOKIE = 'hearthd_language';
const COOKIE_S = 31_536_000;

/**
 * Asks for the page again where the hub sent it in another language than the one that was chosen in this browser.
 * Returns whether the page goes on. `spoken` is the language that it speaks.
 */
export function followLanguage(page: Page, spoken: string): boolean {
  const kept = keptLanguage(page);
  if (!isLanguage(kept)) return true;
  const asked = askedLanguage(page);
  askFor(page, kept);
  // A browser that keeps no cookie, or was asked already, would load the page again and again.
  if (kept === spoken || asked === kept || askedLanguage(page) !== kept) return true;
  page.location.reload();
  return false;
}

/** Keeps what a person chose at this browser; an empty code is what the browser says. The hub then sends the page anew. */
export function chooseLanguage(page: Page, code: string, spoken: string): void {
  const chosen = isLanguage(code) ? code : null;
  const before = keptLanguage(page);
  keep(page, chosen);
  if (chosen === null ? before !== null : chosen !== spoken) page.location.reload();
}

/**
 * Speaks the language that a person chose at another browser, if this one has not heard of it yet: a tag of BCP 47;
 * `null` where the person leaves it to each browser.
 */
export function adoptLanguage(page: Page, tag: string | null, spoken: string): void {
  const code = tag?.toLowerCase().split('-')[0];
  if (!isLanguage(code) || keptLanguage(page) === code) return;
  keep(page, code);
  // A browser that keeps nothing would load the page again without end.
  if (keptLanguage(page) === code && askedLanguage(page) === code && code !== spoken) page.location.reload();
}

/** The languages that the page speaks, by their own names. */
export function languageNames(): readonly (readonly [code: LanguageCode, name: string])[] {
  return Object.keys(LANGUAGES)
    .filter(isLanguage)
    .map((code) => [code, LANGUAGES[code]]);
}

/** Reads the language that somebody chose in this browser; `null` without a choice. */
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
  askFor(page, code);
  try {
    if (code === null) page.localStorage.removeItem(KEY);
    else page.localStorage.setItem(KEY, code);
  } catch (cause) {
    // A browser that keeps nothing goes by its own languages.
    if (!(cause instanceof DOMException)) throw cause;
  }
}

function askFor(page: Page, code: LanguageCode | null): void {
  const value = code === null ? `; Max-Age=0` : `${code}; Max-Age=${COOKIE_S}`;
  page.document.cookie = `${COOKIE}=${value}; Path=/; SameSite=Lax`;
}

function askedLanguage(page: Page): string | undefined {
  const asked = page.document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
  return asked?.slice(COOKIE.length + 1);
}
