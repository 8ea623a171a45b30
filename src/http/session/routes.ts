import * as z from 'zod/mini';
import { ACCESS_TOKEN_S } from '#auth/session/access-token.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';
import type { SignIn } from '#auth/sign-in/sign-in.ts';
import { HubError } from '#base/hub-error.ts';
import { linkedPage, linkedPageShape } from '#http/answer/linked-page.ts';
import { sessionOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { ACCOUNT_BODY_BYTES } from '#http/user/json.ts';
import {
  clientNameFrom,
  loginSchema,
  refreshedSchema,
  refreshSchema,
  sessionJson,
  sessionSchema,
  setupSchema,
  signedInJson,
  signedInSchema,
} from './json.ts';
import * as notes from './notes.ts';

type SessionRoutesDeps = {
  readonly signIn: Pick<SignIn, 'setUp' | 'logIn' | 'refresh'>;
  readonly sessions: Pick<Sessions, 'sessionsOf' | 'endSessions'>;
};

/** Claiming a new hub, logging in and out, new access tokens, and the caller's own sessions; it cannot see those of others. */
export function sessionRoutes(deps: SessionRoutesDeps): readonly Route[] {
  return [...signInRoutes(deps), ...ownSessionRoutes(deps)];
}

/** Login and refresh ignore unknown fields, so that scripts written for another hub do not break. */
function signInRoutes({ signIn }: SessionRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'setUpHub',
      method: 'POST',
      path: '/api/v1/setup',
      summary: 'Claim a new hub and become its owner',
      tag: 'Account',
      note: notes.setUpHub,
      access: 'public',
      whileUnclaimed: true,
      body: jsonBody(setupSchema, ACCOUNT_BODY_BYTES),
      answers: { 201: signedInSchema },
      audit: { unaudited: 'the claim writes its own entry, which also covers refusals' },
      handle: async ({ body, header, peer }) => {
        const request = {
          claimCode: body.claim_code,
          email: body.email,
          password: body.password,
          name: body.name ?? body.email.replace(/@.*$/, ''),
          hubName: body.hub_name ?? null,
          clientName: clientNameFrom(body.client_name, header('user-agent')),
          rotating: body.rotate === true,
        };
        return { status: 201, json: signedInJson(await signIn.setUp(request, peer)) };
      },
    }),
    defineRoute({
      id: 'login',
      method: 'POST',
      path: '/api/v1/login',
      summary: 'Log in with e-mail address and password',
      tag: 'Account',
      note: notes.login,
      access: 'public',
      body: { schema: loginSchema, maxBytes: ACCOUNT_BODY_BYTES, anyJson: true },
      answers: { 200: signedInSchema },
      audit: { unaudited: 'the login writes its own entry, which also covers refusals' },
      handle: async ({ body, header, peer }) => {
        const request = {
          email: body.email,
          password: body.password,
          clientName: clientNameFrom(body.client_name, header('user-agent')),
          rotating: body.rotate === true,
          clientToken: body.client_token ?? null,
        };
        return { status: 200, json: signedInJson(await signIn.logIn(request, peer)) };
      },
    }),
    refreshRoute(signIn),
  ];
}

function refreshRoute(signIn: Pick<SignIn, 'refresh'>): Route {
  return defineRoute({
    id: 'refreshAccessToken',
    method: 'POST',
    path: '/api/v1/access_token',
    summary: 'Get a new access token with the refresh token',
    tag: 'Account',
    note: notes.refreshAccessToken,
    access: 'public',
    body: {
      schema: refreshSchema,
      maxBytes: ACCOUNT_BODY_BYTES,
      anyJson: true,
      form: true,
      whenEmpty: (header) => {
        const bearer = /^bearer +([^ ]+) *$/i.exec(header('authorization') ?? '')?.[1];
        return bearer === undefined ? {} : { refresh_token: bearer };
      },
    },
    answers: { 200: refreshedSchema },
    audit: { unaudited: 'a refresh changes no right; the sign-in notes a copied token that comes back' },
    handle: async ({ body, peer }) => {
      const { accessToken, refreshToken, refreshExpiresInS } = await signIn.refresh(body.refresh_token, peer);
      const json: z.infer<typeof refreshedSchema> = {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_S,
        refresh_expires_in: refreshExpiresInS,
        ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
      };
      return { status: 200, json };
    },
  });
}

function ownSessionRoutes({ sessions }: SessionRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'logout',
      method: 'POST',
      path: '/api/v1/logout',
      summary: 'End the session of this access token',
      tag: 'Account',
      access: 'session',
      answers: { 204: null },
      audit: () => ({ type: 'session.revoked', detail: 'logout' }),
      handle: async (request) => {
        const { user, sessionId } = sessionOf(request);
        await sessions.endSessions(user.id, [sessionId]);
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'listSessions',
      method: 'GET',
      path: '/api/v1/session',
      summary: 'List your sessions, the last used first',
      tag: 'Account',
      note: notes.listSessions,
      access: 'session',
      query: z.strictObject(linkedPageShape),
      answers: { 200: z.array(sessionSchema) },
      handle: (request) => {
        const { user, sessionId } = sessionOf(request);
        const shown = sessions.sessionsOf(user.id).map((session) => sessionJson(session, sessionId));
        return linkedPage(shown, request);
      },
    }),
    defineRoute({
      id: 'endSession',
      method: 'DELETE',
      path: '/api/v1/session/:id',
      summary: 'End one of your sessions',
      tag: 'Account',
      access: 'session',
      answers: { 204: null },
      audit: ({ params }) => ({ type: 'session.revoked', sessionId: params['id'] as SessionId }),
      handle: async (request) => {
        const ended = await sessions.endSessions(sessionOf(request).user.id, [request.params['id'] as SessionId]);
        if (ended === 0) throw new HubError('NOT_FOUND', 'There is no such session.');
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'endOtherSessions',
      method: 'DELETE',
      path: '/api/v1/session',
      summary: 'End all your sessions but this one',
      tag: 'Account',
      access: 'session',
      answers: { 204: null },
      audit: () => ({ type: 'session.revoked', detail: 'all_others' }),
      handle: async (request) => {
        const { user, sessionId } = sessionOf(request);
        const others = sessions.sessionsOf(user.id).flatMap(({ id }) => (id === sessionId ? [] : [id]));
        await sessions.endSessions(user.id, others);
        return { status: 204 };
      },
    }),
  ];
}
