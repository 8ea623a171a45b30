import { z } from 'zod/mini';
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
    email: z.string().check(z.maxLength(MAX_EMAIL_LENGTH)),
    password: loginPasswordSchema,
    client_name: z.nullish(z.string()),
    rotate: z.nullish(z.boolean()),
    client_token: z.nullish(z.string()),
  }),
);
export const setupSchema = named(
  'SetupRequest',
  z.strictObject({
    claim_code: z.string().check(z.maxLength(64)),
    email: emailSchema,
    password: newPasswordSchema,
    name: z.optional(nameSchema),
    hub_name: z.optional(nameSchema),
    /** As in a login. */
    client_name: z.optional(z.string()),
    rotate: z.optional(z.boolean()),
  }),
);
export const refreshSchema = named('RefreshRequest', z.object({ refresh_token: z.string() }));

export const signedInSchema = named(
  'SignedIn',
  z.object({
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: described('Seconds for which the access token is valid.', z.int()),
    refresh_expires_in: described('Seconds for which the refresh token is valid.', z.int()),
    session_id: z.uuid(),
    user: meSchema,
  }),
);

export const refreshedSchema = named(
  'RefreshedToken',
  z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_expires_in: described('Seconds until the refresh token ends.', z.int()),
    refresh_token: described('Only in a rotating session: use this one from now on.', z.optional(z.string())),
  }),
);

export const sessionSchema = named(
  'Session',
  z.object({
    id: z.uuid(),
    client_name: z.nullable(z.string()),
    address: z.string(),
    created_at: timeSchema,
    last_used_at: timeSchema,
    expires_at: timeSchema,
    current: z.boolean(),
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
    shape: { session: z.object({ id: z.string() }) },
    json: ({ sessionId }) => ({ session: { id: sessionId } }),
  },
});
