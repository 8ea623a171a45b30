import { expect, test } from 'vitest';
import { adoptLanguage, chooseLanguage, followLanguage, keptLanguage } from '#web/strings/language/chosen-language.ts';

/** A browser that counts how often its page was loaded again, and gives the hub what is asked for. */
function browser(keeps: { readonly storage?: boolean; readonly cookie?: boolean } = {}) {
  const { storage: keepsStorage = true, cookie: keepsCookie = true } = keeps;
  const kept = new Map<string, string>();
  const jar = new Map<string, string>();
  const refuse = (): never => {
    throw new DOMException('closed', 'SecurityError');
  };
  const page = {
    reloads: 0,
    jar,
    localStorage: {
      getItem: (key: string) => (keepsStorage ? (kept.get(key) ?? null) : refuse()),
      setItem: (key: string, value: string) => (keepsStorage ? void kept.set(key, value) : refuse()),
      removeItem: (key: string) => (keepsStorage ? void kept.delete(key) : refuse()),
    },
    document: {
      get cookie() {
        return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      },
      set cookie(text: string) {
        const [, name = '', value = '', rest = ''] = /^(\w+)=(\w*)(.*)$/.exec(text) ?? [];
        if (rest.includes('Max-Age=0')) jar.delete(name);
        else if (keepsCookie) jar.set(name, value);
      },
    },
    location: { reload: () => void (page.reloads += 1) },
  };
  return page;
}

test('what is chosen is kept, asked of the hub, and shown by loading the page anew', () => {
  const page = browser();
  chooseLanguage(page, 'es', 'fr');
  expect([keptLanguage(page), page.document.cookie, page.reloads]).toEqual(['es', 'hearthd_language=es', 1]);
  chooseLanguage(page, 'es', 'es');
  expect(page.reloads).toBe(1);
  chooseLanguage(page, '', 'es');
  expect([keptLanguage(page), page.document.cookie, page.reloads]).toEqual([null, '', 2]);
});

test('a browser that forgot its cookie asks once more, and not again if the hub does not follow', () => {
  const page = browser();
  chooseLanguage(page, 'de', 'de');
  page.jar.clear();
  expect([followLanguage(page, 'en'), page.reloads, page.document.cookie]).toEqual([false, 1, 'hearthd_language=de']);
  expect([followLanguage(page, 'en'), page.reloads]).toEqual([true, 1]);
  expect([followLanguage(page, 'de'), page.reloads]).toEqual([true, 1]);
});

test('a browser takes over once what its person chose at another one', () => {
  const page = browser();
  for (const tag of [null, 'it', 'constructor', 'de-AT', 'de', 'de-CH']) adoptLanguage(page, tag, 'en');
  expect([keptLanguage(page), page.reloads]).toEqual(['de', 1]);
});

test.each([{ storage: false }, { cookie: false }])('a browser that keeps nothing (%o) is not loaded again', (keeps) => {
  const page = browser(keeps);
  adoptLanguage(page, 'de', 'en');
  expect([followLanguage(page, 'en'), page.reloads]).toEqual([true, 0]);
});
