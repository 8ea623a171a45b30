import { type ReadonlySignal, signal } from '@preact/signals';
import type { Tokens, TokenStore } from '#web/client/sign-in.ts';

const SESSION_KEY = 'hearthd.session';
const KNOWN_KEY = 'hearthd.known';

/**
 * The refresh token is in the browser's storage, where all tabs share it; the access token stays in memory. Every call
 * reads the storage again: a tab that used a token which another tab has already exchanged would end the
 * session. Web Locks are not there over plain http, and not needed: tabs that exchange the same token at the same time
 * get the same successor.
 */
export type BrowserTokens = TokenStore & {
  /** Changes with each login in any tab; `null` while no one is signed in. */
  readonly login: ReadonlySignal<string | null>;
  /** An earlier refresh token, by which the hub knows this browser. */
  readonly knownAs: () => string | undefined;
};

type Kept = { readonly login: string; readonly refreshToken: string };
export type Shelf = {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
};
/** The token store needs these of a window. Its storage may not be there. */
type Page = {
  readonly localStorage: Shelf;
  readonly addEventListener: (type: 'storage', listener: (event: { readonly key: string | null }) => void) => void;
};

export function openBrowserTokens(page: Page): BrowserTokens {
  const shelf = shelfOf(page);
  const login = signal(read(shelf)?.login ?? null);
  let accessToken = '';

  const load = (): Tokens | null => {
    const kept = read(shelf);
    if (kept?.login !== login.peek()) {
      accessToken = '';
      login.value = kept?.login ?? null;
    }
    return kept === null ? null : { accessToken, refreshToken: kept.refreshToken };
  };
  page.addEventListener('storage', ({ key }) => {
    if (key === SESSION_KEY || key === null) load();
  });
  return {
    login,
    load,
    save: (tokens, isNewLogin = false) => {
      const kept = read(shelf);
      accessToken = tokens?.accessToken ?? '';
      if (tokens === null) {
        if (kept !== null) shelf.setItem(KNOWN_KEY, kept.refreshToken);
        shelf.removeItem(SESSION_KEY);
        login.value = null;
      } else {
        const name = isNewLogin || kept === null ? newName() : kept.login;
        shelf.setItem(SESSION_KEY, JSON.stringify({ login: name, refreshToken: tokens.refreshToken } satisfies Kept));
        login.value = name;
      }
    },
    knownAs: () => shelf.getItem(KNOWN_KEY) ?? undefined,
  };
}

function read(shelf: Shelf): Kept | null {
  const text = shelf.getItem(SESSION_KEY);
  if (text === null) return null;
  try {
    const { login, refreshToken } = JSON.parse(text) as Partial<Kept>;
    return typeof login === 'string' && typeof refreshToken === 'string' ? { login, refreshToken } : null;
  } catch (cause) {
    // Not written by this page: ignore it.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join('');
}

/** A browser that keeps nothing still has a page that works until it is left. */
export function shelfOf(page: Pick<Page, 'localStorage'>): Shelf {
  try {
    const { localStorage } = page;
    localStorage.setItem('hearthd.try', '');
    localStorage.removeItem('hearthd.try');
    return localStorage;
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    const memory = new Map<string, string>();
    return {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    };
  }
}
