import { z } from 'zod/mini';
import { named } from '#http/note/described.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import type { HubIdentity } from '#core/hub-identity.ts';

type ApiRootDeps = {
  readonly hub: HubIdentity['identity'];
  readonly version: string;
  readonly isClaimed: () => boolean;
};

const apiRootSchema = named(
  'ApiRoot',
  z.object({
    product: z.literal('hearthd'),
    version: z.string(),
    hub_id: z.string(),
    name: z.string(),
    claimed: z.boolean(),
    api: z.array(z.object({ version: z.string(), status: z.string(), sunset: z.nullable(z.string()) })),
  }),
);

/** Only what a client needs to know before it has a token. */
export function apiRootRoutes({ hub, version, isClaimed }: ApiRootDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getApiRoot',
      method: 'GET',
      path: '/api',
      summary: 'Show which hub this is and which versions of the API it speaks',
      tag: 'Hub',
      note: () => ({
        description:
          'Shows a client that has no token yet which hub this is, whether it has an owner, and which versions of the API it speaks.',
        answerExample: {
          product: 'hearthd',
          version: '0.1.0',
          hub_id: '0198f1c2-7d6e-7000-8000-000000000000',
          name: 'Home',
          claimed: true,
          api: [{ version: 'v1', status: 'current', sunset: null }],
        },
      }),
      access: 'public',
      whileUnclaimed: true,
      answers: { 200: apiRootSchema },
      handle: () => ({
        status: 200,
        json: {
          product: 'hearthd',
          version,
          hub_id: hub().id,
          name: hub().name,
          claimed: isClaimed(),
          api: [{ version: 'v1', status: 'current', sunset: null }],
        },
      }),
    }),
  ];
}
