import { beforeEach, expect, test } from 'vitest';
import { createSignIn, type SignInDeps } from '#web/client/sign-in.ts';
import { type BrowserTokens, openBrowserTokens } from '#web/state/account/token-store.ts';

/** The storage that the tabs of a browser share. Each change is an event in the other tabs. */
function createBrowser() {
  const kept = new Map<string, string>();
  const tabs: { readonly tell: () => void; readonly page: object }[] = [];
  const changed = (by: object): void => {
    for (const { page, tell } of tabs) if (page !== by) tell();
  };
  return {
    kept,
    openTab: (): BrowserTokens => {
      const listeners: ((event: { readonly key: string | null }) => void)[] = [];
      const page = {
        localStorage: {
          getItem: (key: string) => kept.get(key) ?? null,
          setItem: (key: string, value: string) => {
            kept.set(key, value);
            changed(page);
          },
          removeItem: (key: string) => {
            kept.delete(key);
            changed(page);
          },
        },
        addEventListener: (_type: string, listener: (typeof listeners)[0]) => void listeners.push(listener),
      };
      const tell = (): void => {
        for (const listener of listeners) listener({ key: null });
      };
      tabs.push({ page, tell });
      return openBrowserTokens(page);
    },
  };
}

/** A number for the hub's tokens, `name-access-N` and `name-refresh-N`. */
let turn: number;
/** Runs before the hub answers an exchange of tokens. */
let meanwhile: (() => Promise<void>) | undefined;
const json = (value: unknown): Response => new Response(JSON.stringify(value));
const fetch: SignInDeps['fetch'] = async (url, init) => {
  const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, string>) : {};
  if (url.endsWith('/login')) {
    const name = body['email'] ?? '';
    return json({ access_token: `${name}-access-0`, refresh_token: `${name}-refresh-0` });
  }
  if (url.endsWith('/access_token')) {
    const [name] = (body['refresh_token'] ?? '').split('-');
    const given = { access_token: `${name}-access-${turn}`, refresh_token: `${name}-refresh-${turn}` };
    const run = meanwhile;
    meanwhile = undefined;
    await run?.();
    return json(given);
  }
  const bearer = new Headers(init?.headers).get('authorization') ?? '';
  return bearer.endsWith(`-access-${turn}`) || bearer.endsWith('-access-0')
    ? json(bearer.replace('Bearer ', '').split('-')[0])
    : new Response('', { status: 401 });
};
beforeEach(() => {
  turn = 1;
  meanwhile = undefined;
});

const signInOf = (store: BrowserTokens) => createSignIn({ baseUrl: '', store, fetch });
const whoAmI = async (store: BrowserTokens): Promise<unknown> =>
  await (await signInOf(store).send('/api/v1/me')).json();

test('each login gets its own name, also just after a login in another tab', async () => {
  const browser = createBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  await signInOf(first).logIn({ email: 'ada', password: 'cup river stamp' });
  const login = second.login.value;
  expect(login).toBe(first.login.value);
  await signInOf(second).logIn({ email: 'ben', password: 'lake stone candle' });
  expect(second.login.value).not.toBe(login);
  expect(first.login.value).toBe(second.login.value);
  expect(await Promise.all([first, second].map(whoAmI))).toEqual(['ben', 'ben']);
});

test('a renewal that another person’s login has overtaken mixes up no tokens', async () => {
  const browser = createBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  await signInOf(first).logIn({ email: 'ada', password: 'cup river stamp' });
  first.save({ accessToken: 'spoilt', refreshToken: 'ada-refresh-0' });
  meanwhile = () => signInOf(second).logIn({ email: 'ben', password: 'lake stone candle' });
  expect(await whoAmI(first)).toBe('ben');
  expect(first.load()).toMatchObject({ accessToken: 'ben-access-1' });
});

test('a renewal that another tab has finished with the same successor keeps its token', async () => {
  const browser = createBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  await signInOf(first).logIn({ email: 'ada', password: 'cup river stamp' });
  const login = first.login.value;
  first.save({ accessToken: 'spoilt', refreshToken: 'ada-refresh-0' });
  meanwhile = async () => void (await whoAmI(second));
  expect(await whoAmI(first)).toBe('ada');
  expect([first.load()?.accessToken, first.login.value]).toEqual(['ada-access-1', login]);
});
