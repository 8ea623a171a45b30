import * as z from 'zod/mini';
import { described, named } from '#http/note/described.ts';
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
    product: described('Says that a hub answers.', z.literal('hearthd')),
    version: described('Of the program, such as `0.2.0`.', z.string()),
    hub_id: described('Id of this hub, which stays the same for ever.', z.string()),
    name: z.string(),
    claimed: described('`false`: nobody is its owner yet, and `POST /api/v1/setup` makes one.', z.boolean()),
    api: described(
      'The versions of the API that this hub has.',
      z.array(
        z.object({
          version: described('Stands in each path, such as `v1`.', z.string()),
          status: described('`current`, or `deprecated` once a newer one takes its place.', z.string()),
          sunset: described('When this version ends; `null`: nobody plans that.', z.nullable(z.string())),
        }),
      ),
    ),
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
