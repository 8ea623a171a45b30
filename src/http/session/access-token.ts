import { z } from 'zod/mini';
import { ACCESS_TOKEN_S } from '#auth/session/access-token.ts';
import type { SignIn } from '#auth/sign-in/sign-in.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { ACCOUNT_BODY_BYTES } from '#http/user/me.ts';

export const refreshSchema = z.object({ refresh_token: z.string() });

export const refreshedSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_expires_in: z.int(),
  refresh_token: z.optional(z.string()),
});

/** A new access token for a refresh token. An access token is neither needed nor looked at. */
export function accessTokenRoutes(deps: { readonly signIn: Pick<SignIn, 'refresh'> }): readonly Route[] {
  return [
    defineRoute({
      id: 'refreshAccessToken',
      method: 'POST',
      path: '/api/v1/access_token',
      summary: 'Get a new access token with the refresh token',
      access: 'public',
      body: { schema: refreshSchema, maxBytes: ACCOUNT_BODY_BYTES, anyJson: true },
      answers: { 200: refreshedSchema },
      audit: { unaudited: 'a refresh changes no right; a copied token that comes back is noted by the sign-in' },
      handle: async ({ body, peer }) => {
        const { accessToken, refreshToken, refreshExpiresInS } = await deps.signIn.refresh(body.refresh_token, peer);
        const json: z.infer<typeof refreshedSchema> = {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: ACCESS_TOKEN_S,
          refresh_expires_in: refreshExpiresInS,
          ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
        };
        return { status: 200, json };
      },
    }),
  ];
}
