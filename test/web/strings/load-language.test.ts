import { expect, test } from 'vitest';
import { adoptLanguage, chooseLanguage, keptLanguage, wantedLanguage } from '#web/strings/language/load-language.ts';

/** A browser that is set to these languages, and counts how often its page was loaded again. */
function browser(languages: readonly string[], keepsNothing = false) {
  const kept = new Map<string, string>();
  const refuse = (): never => {
    throw new DOMException('closed', 'SecurityError');
  };
  const page = {
    reloads: 0,
    navigator: { languages },
    localStorage: {
      getItem: (key: string) => (keepsNothing ? refuse() : (kept.get(key) ?? null)),
      setItem: (key: string, value: string) => (keepsNothing ? refuse() : void kept.set(key, value)),
      removeItem: (key: string) => (keepsNothing ? refuse() : void kept.delete(key)),
    },
    document: { documentElement: { lang: '' } },
    location: { reload: () => void (page.reloads += 1) },
  };
  return page;
}

test('the page speaks what was chosen, else the first language of the browser that it knows, else English', () => {
  const page = browser(['it-IT', 'FR-ca', 'de']);
  expect(wantedLanguage(page)).toBe('fr');
  chooseLanguage(page, 'es');
  expect([wantedLanguage(page), page.reloads]).toEqual(['es', 1]);
  chooseLanguage(page, '');
  expect(keptLanguage(page)).toBeNull();
  expect(wantedLanguage(browser(['it']))).toBe('en');
});

test('a browser takes over once what its person chose at another one', () => {
  const page = browser(['en']);
  for (const tag of [null, 'it', 'constructor', 'de-AT', 'de', 'de-CH']) adoptLanguage(page, tag);
  expect([keptLanguage(page), page.reloads]).toEqual(['de', 1]);
});

test('a browser that keeps nothing is not loaded again and again', () => {
  const page = browser(['en'], true);
  adoptLanguage(page, 'de');
  expect(page.reloads).toBe(0);
});
