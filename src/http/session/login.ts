import { z } from 'zod/mini';
import { ACCESS_TOKEN_S } from '#auth/session/access-token.ts';
import { REFRESH_TOKEN_S } from '#auth/session/sessions.ts';
import type { SignedIn, SignIn } from '#auth/sign-in/sign-in.ts';
import { MAX_EMAIL_LENGTH } from '#core/person/user.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { ACCOUNT_BODY_BYTES, meJson, meSchema } from '#http/user/me.ts';

/** What a client shows for itself; only `email` and `password` are the specification's, the rest may be missing. */
export const loginPasswordSchema = z.string().check(z.refine((password) => Buffer.byteLength(password) <= 1024));
export const loginSchema = z.object({
  email: z.string().check(z.maxLength(MAX_EMAIL_LENGTH)),
  password: loginPasswordSchema,
  client_name: z.nullish(z.string()),
  rotate: z.nullish(z.boolean()),
  client_token: z.nullish(z.string()),
});

export const signedInSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_expires_in: z.int(),
  session_id: z.uuid(),
  user: meSchema,
});

/** Fields that it does not know are ignored: a stranger's script must not break. */
export function loginRoutes(deps: { readonly signIn: Pick<SignIn, 'logIn'> }): readonly Route[] {
  return [
    defineRoute({
      id: 'login',
      method: 'POST',
      path: '/api/v1/login',
      summary: 'Log in with e-mail address and password',
      access: 'public',
      body: { schema: loginSchema, maxBytes: ACCOUNT_BODY_BYTES, anyJson: true },
      answers: { 200: signedInSchema },
      audit: { unaudited: 'the login notes itself: it knows of what it refuses as well' },
      handle: async ({ body, header, peer }) => {
        const request = {
          email: body.email,
          password: body.password,
          clientName: clientNameFrom(body.client_name, header('user-agent')),
          rotating: body.rotate === true,
          clientToken: body.client_token ?? null,
        };
        return { status: 200, json: signedInJson(await deps.signIn.logIn(request, peer)) };
      },
    }),
  ];
}

export function signedInJson({ user, session, accessToken, refreshToken }: SignedIn): z.infer<typeof signedInSchema> {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_S,
    refresh_expires_in: REFRESH_TOKEN_S,
    session_id: session.id,
    user: meJson(user),
  };
}

const MAX_CLIENT_NAME_LENGTH = 100;

/** How the list of sessions names a client: by its own word, else as its program calls itself. */
export function clientNameFrom(own: string | null | undefined, userAgent: string | undefined): string | null {
  const name = (own ?? userAgent ?? '').replaceAll(/[\p{Cc}\p{Surrogate}]/gu, ' ').trim();
  return name === '' ? null : Array.from(name).slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}
