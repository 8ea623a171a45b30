import * as z from 'zod/mini';
import { ACCESS_TOKEN_S } from '#auth/session/access-token.ts';
import type { Session, SessionId } from '#auth/session/session.ts';
import { REFRESH_TOKEN_S } from '#auth/session/sessions.ts';
import type { SignedIn } from '#auth/sign-in/sign-in.ts';
import { MAX_EMAIL_LENGTH } from '#core/person/user.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { emailSchema, meJson, meSchema, newPasswordSchema } from '#http/user/json.ts';
import { described, limited, named } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

/** The specification has only `email` and `password`; the rest is optional. */
const loginPasswordSchema = limited(
  { maxLength: 1024 },
  z.string().check(z.refine((password) => Buffer.byteLength(password) <= 1024)),
);
export const loginSchema = named(
  'LoginRequest',
  z.object({
    email: described(
      'E-mail address of the account, in upper or lower case.',
      z.string().check(z.maxLength(MAX_EMAIL_LENGTH)),
    ),
    password: described('At most 1,024 bytes of UTF-8.', loginPasswordSchema),
    client_name: described(
      'What the list of sessions calls this client; by default its `User-Agent`.',
      z.nullish(z.string()),
    ),
    rotate: described(
      '`true`: each use of the refresh token gives a new one and ends the old one; by default it stays the same for 30 days.',
      z.nullish(z.boolean()),
    ),
    client_token: described(
      'The last refresh token of this client, even an expired one: it is then known, and a flood of wrong passwords does not slow it down.',
      z.nullish(z.string()),
    ),
  }),
);
export const setupSchema = named(
  'SetupRequest',
  z.strictObject({
    claim_code: described(
      'The code that the hub shows on its console and with `hearthd claim`; case and hyphens do not matter.',
      z.string().check(z.maxLength(64)),
    ),
    email: described('E-mail address with which the owner will log in.', emailSchema),
    password: described(
      'The password of the owner: at least 10 characters, and not one that is guessed first.',
      newPasswordSchema,
    ),
    name: described('What people call the owner; by default what stands before the `@`.', z.optional(nameSchema)),
    hub_name: described('What people call the hub; by default it keeps its name.', z.optional(nameSchema)),
    client_name: described(
      'What the list of sessions calls this client; by default its `User-Agent`.',
      z.optional(z.string()),
    ),
    rotate: described('As at a login.', z.optional(z.boolean())),
  }),
);
export const refreshSchema = named(
  'RefreshRequest',
  z.object({
    refresh_token: described('From the login, or in a rotating session from the last answer of this call.', z.string()),
  }),
);

export const signedInSchema = named(
  'SignedIn',
  z.object({
    access_token: described('Goes into the field `Authorization: Bearer …` of every other call.', z.string()),
    refresh_token: described('Gives new access tokens with `POST /api/v1/access_token`.', z.string()),
    token_type: described('How it is sent (RFC 6750).', z.literal('Bearer')),
    expires_in: described('Seconds for which the access token is valid.', z.int()),
    refresh_expires_in: described('Seconds for which the refresh token is valid.', z.int()),
    session_id: described('Id of this login in the list of sessions.', z.uuid()),
    user: described('The person who logged in.', meSchema),
  }),
);

export const refreshedSchema = named(
  'RefreshedToken',
  z.object({
    access_token: described('Goes into the field `Authorization: Bearer …` of every other call.', z.string()),
    token_type: described('How it is sent (RFC 6750).', z.literal('Bearer')),
    expires_in: described('Seconds for which the access token is valid.', z.int()),
    refresh_expires_in: described('Seconds until the refresh token ends.', z.int()),
    refresh_token: described('Only in a rotating session: use this one from now on.', z.optional(z.string())),
  }),
);

export const sessionSchema = named(
  'Session',
  z.object({
    id: z.uuid(),
    client_name: described(
      'What the client said at the login, or its `User-Agent`; `null`: neither.',
      z.nullable(z.string()),
    ),
    address: described('Socket address of the client at the last use.', z.string()),
    created_at: timeSchema,
    last_used_at: described('When one of its tokens was used last.', timeSchema),
    expires_at: described('When its refresh token ends.', timeSchema),
    current: described('It is the one of this call.', z.boolean()),
  }),
);

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

export function sessionJson(session: Session, current: SessionId): z.infer<typeof sessionSchema> {
  return {
    id: session.id,
    client_name: session.clientName,
    address: session.address,
    created_at: timeJson(session.createdAtMs),
    last_used_at: timeJson(session.lastUsedAtMs),
    expires_at: timeJson(session.expiresAtMs),
    current: session.id === current,
  };
}

const MAX_CLIENT_NAME_LENGTH = 100;

/** The name of a client in the list of sessions: the name that it gives itself, else its user agent. */
export function clientNameFrom(own: string | null | undefined, userAgent: string | undefined): string | null {
  const name = (own ?? userAgent ?? '').replaceAll(/[\p{Cc}\p{Surrogate}]/gu, ' ').trim();
  return name === '' ? null : Array.from(name).slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}

declareEvents(190, null, {
  // Sent only to that session, as the last event of its streams.
  'session.revoked': {
    shape: { session: described('The login that ended.', z.object({ id: z.string() })) },
    json: ({ sessionId }) => ({ session: { id: sessionId } }),
  },
});
