import type { PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { apiTokenRoutes } from '#http/api-token/routes.ts';
import { meRoutes } from '#http/user/me.ts';
import { sessionRoutes } from '#http/session/routes.ts';
import { userRoutes } from '#http/user/routes.ts';
import { openQuietHours } from '#core/notification/quiet-hours.ts';
import { openHomeViews } from '#core/home-view/home-view.ts';
import { wallRequestRoutes } from '#http/wall-request/routes.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { createTestClock, openAuth, OWNER } from './auth-harness.ts';
import { createTestApp } from './http-app.ts';
import { createMemoryStores } from './memory-stores.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` without a body. */
  readonly json: Record<string, unknown> & { readonly [key: string]: unknown };
  readonly text: string;
};
export type Call = (
  method: string,
  path: string,
  input?: { body?: unknown; token?: string; headers?: Record<string, string> },
) => Promise<Answer>;

/** The account calls behind the real router, over a real database file. */
export async function openAccountApp(given: { readonly hasher?: PasswordHasher } = {}) {
  const storage = storageInProcess(await createBench().openOwned());
  const hubClock = createTestClock();
  const stores = {
    ...createMemoryStores(),
    userStore: storage.users,
    sessionStore: storage.sessions,
    apiTokenStore: storage.apiTokens,
  };
  const hub = await openAuth({ stores, hubClock, ...given });
  const quietHours = await openQuietHours(storage.notifications);
  const homeViews = await openHomeViews(storage.homeViews);
  const routes = [sessionRoutes, meRoutes, userRoutes, apiTokenRoutes, wallRequestRoutes].flatMap((make) =>
    make({
      ...hub,
      registry: { findDevice: () => undefined },
      quietHours,
      homeViews,
      findRoom: () => undefined,
      nowMs: hub.hubClock.nowMs,
    }),
  );
  const { request } = createTestApp(routes, { authenticate: hub.authenticate, isClaimed: hub.accounts.hasOwner });

  const call: Call = async (method, path, { body, token, headers = {} } = {}) => {
    const answer = await request(`/api/v1/${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      json: (text === '' ? {} : JSON.parse(text)) as Answer['json'],
      text,
    };
  };
  const credentials = { email: OWNER.email, password: OWNER.password };
  return {
    hub,
    hubClock,
    call,
    credentials,
    setUp: () => call('POST', 'setup', { body: { ...credentials, claim_code: hub.claim.code() } }),
    /** The answer to a login, as text fields. */
    logIn: async (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
      const { json } = await call('POST', 'login', { body: { ...credentials, ...more }, headers });
      return json as { access_token: string; refresh_token: string; session_id: string };
    },
  };
}
