import type { SignedIn } from './api.ts';
import { HubProblem, problemFrom } from './hub-problem.ts';
import { within } from './within.ts';

/**
 * `accessToken` is empty if only the refresh token was kept: then the first request gets one. `refreshToken` is empty
 * with an API token: once the hub refuses that, it is forgotten.
 */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string };

/** Where the tokens are kept; all clients that share one (the tabs of a browser) stay signed in together. */
export type TokenStore = {
  readonly load: () => Tokens | null;
  /** `isNewLogin`: the tokens do not renew the present ones. Another person may have logged in. */
  readonly save: (tokens: Tokens | null, isNewLogin?: boolean) => void;
};

export type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly clientName?: string | undefined;
  /** An earlier refresh token, by which the hub recognizes this browser. */
  readonly clientToken?: string | undefined;
};
export type NewOwner = Omit<Credentials, 'clientToken'> & {
  readonly claimCode: string;
  readonly name?: string | undefined;
  readonly hubName?: string | undefined;
};

/** Sends requests for the person who is signed in. */
export type SignIn = {
  readonly logIn: (credentials: Credentials) => Promise<void>;
  /** Claims a new hub and is signed in as its owner. */
  readonly setUp: (owner: NewOwner) => Promise<void>;
  readonly logOut: () => Promise<void>;
  readonly isSignedIn: () => boolean;
  /** Returns the answer with any status. Renews a refused access token. Throws HubProblem when signed out. */
  readonly send: (path: string, init?: Init) => Promise<Response>;
};

export type Init = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  readonly signal?: AbortSignal;
};

export type SignInDeps = {
  /** As `http://hearthd.local:8080`; empty for the origin of the page. */
  readonly baseUrl: string;
  readonly store: TokenStore;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
};

type TokenAnswer = Pick<SignedIn, 'access_token'> & Partial<Pick<SignedIn, 'refresh_token'>>;

/** Passwords are hashed slowly on purpose, and a small hub does one after the other. */
const LOGIN_MS = 30_000;
/**
 * Far less than the minute for which the hub takes a refresh token that another tab has exchanged: one that has waited
 * longer, for example for a free connection of the browser, must not be sent any more: it would end the session.
 */
const RENEW_MS = 10_000;

export function createSignIn({ baseUrl, store, fetch }: SignInDeps): SignIn {
  let renewing: Promise<Tokens> | undefined;

  const post = (path: string, body: unknown, withinMs = LOGIN_MS): Promise<TokenAnswer> =>
    within(withinMs, async (signal) => {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
      const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
      if (!answer.ok) throw await problemFrom(answer);
      return (await answer.json()) as TokenAnswer;
    });
  const keep = ({ access_token, refresh_token }: TokenAnswer, old?: Tokens): void => {
    const refreshToken = refresh_token ?? old?.refreshToken ?? '';
    if (old === undefined) return store.save({ accessToken: access_token, refreshToken }, true);
    const now = store.load()?.refreshToken;
    // Another tab may have renewed the tokens, logged out, or logged in as another person in the meantime.
    if (now === old.refreshToken || now === refreshToken) store.save({ accessToken: access_token, refreshToken });
  };
  const renew = async (old: Tokens): Promise<Tokens> => {
    if (old.refreshToken === '') {
      store.save(null);
      throw new HubProblem(401, { code: 'UNAUTHORIZED' }, null);
    }
    try {
      keep(await post('/api/v1/access_token', { refresh_token: old.refreshToken }, RENEW_MS), old);
    } catch (cause) {
      const isRefused = cause instanceof HubProblem && cause.code === 'INVALID_REFRESH_TOKEN';
      if (!isRefused) throw cause;
      const now = store.load();
      if (now !== null && now.refreshToken !== old.refreshToken) return renew(now);
      store.save(null);
      throw cause;
    }
    const tokens = present();
    return isUsable(tokens, old) ? tokens : renew(tokens);
  };
  const present = (): Tokens => {
    const tokens = store.load();
    if (tokens === null) throw new HubProblem(401, { code: 'UNAUTHORIZED' }, null);
    return tokens;
  };
  /** When many requests are refused at once, only one renews the token; another tab may have done so already. */
  const renewed = (refused: Tokens): Promise<Tokens> => {
    const tokens = present();
    if (isUsable(tokens, refused)) return Promise.resolve(tokens);
    renewing ??= renew(tokens).finally(() => (renewing = undefined));
    return renewing;
  };
  const withAccess = (tokens: Tokens): Promise<Tokens> | Tokens =>
    tokens.accessToken === '' ? renewed(tokens) : tokens;
  const sendAs = (tokens: Tokens, path: string, init: Init): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${tokens.accessToken}` },
    });
  const send: SignIn['send'] = async (path, init = {}) => {
    const tokens = await withAccess(present());
    const answer = await sendAs(tokens, path, init);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    return sendAs(await renewed(tokens), path, init);
  };
  return {
    logIn: async ({ email, password, clientName, clientToken }) => {
      const known = { client_name: clientName, client_token: clientToken };
      keep(await post('/api/v1/login', { email, password, ...known, rotate: true }));
    },
    setUp: async ({ claimCode, email, password, name, hubName, clientName }) => {
      const names = { name, hub_name: hubName, client_name: clientName };
      keep(await post('/api/v1/setup', { claim_code: claimCode, email, password, ...names, rotate: true }));
    },
    logOut: async () => {
      try {
        await send('/api/v1/logout', { method: 'POST' });
      } finally {
        store.save(null);
      }
    },
    isSignedIn: () => store.load() !== null,
    send,
  };
}

function isUsable({ accessToken }: Tokens, refused: Tokens): boolean {
  return accessToken !== '' && accessToken !== refused.accessToken;
}
