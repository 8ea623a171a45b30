import type { SignIn } from '#auth/sign-in/sign-in.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { clientNameFrom, signedInJson, signedInSchema } from '#http/session/json.ts';
import { ACCOUNT_BODY_BYTES, setupSchema } from './json.ts';

/** The first call to a new hub. */
export function setupRoutes(deps: { readonly signIn: Pick<SignIn, 'setUp'> }): readonly Route[] {
  return [
    defineRoute({
      id: 'setUpHub',
      method: 'POST',
      path: '/api/v1/setup',
      summary: 'Claim a new hub and become its owner',
      access: 'public',
      whileUnclaimed: true,
      body: { schema: setupSchema, maxBytes: ACCOUNT_BODY_BYTES },
      answers: { 201: signedInSchema },
      audit: { unaudited: 'the claim notes itself: it knows of what it refuses as well' },
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
        return { status: 201, json: signedInJson(await deps.signIn.setUp(request, peer)) };
      },
    }),
  ];
}
