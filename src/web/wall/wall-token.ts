import { signal } from '@preact/signals';
import { type BrowserTokens, type Shelf } from '#web/state/account/token-store.ts';

const KEY = 'hearthd.wall';

export type WallToken = BrowserTokens & {
  /** An empty one forgets what was there. */
  readonly put: (token: string) => void;
};

/** The API token of a screen on the wall: kept by its browser, and never in an address. */
export function openWallToken(shelf: Shelf): WallToken {
  let token = shelf.getItem(KEY) ?? '';
  const nameOf = (): string | null => (token === '' ? null : `wall ${token.slice(-8)}`);
  const login = signal(nameOf());
  const put = (next: string): void => {
    token = next;
    login.value = nameOf();
    if (token === '') shelf.removeItem(KEY);
    else shelf.setItem(KEY, token);
  };
  return {
    login,
    put,
    load: () => (token === '' ? null : { accessToken: token, refreshToken: '' }),
    // The hub refused it.
    save: (tokens) => {
      if (tokens === null) put('');
    },
    knownAs: () => undefined,
  };
}
