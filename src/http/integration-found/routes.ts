import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import { described } from '#http/note/described.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { foundJson, foundSchema } from './json.ts';
import * as notes from './notes.ts';

type FoundRoutesDeps = {
  readonly integrationsFound: {
    /** The ignored ones as well. */
    readonly things: () => readonly FoundThing[];
    /** On disk when it resolves. Throws what `authorize` throws; `undefined` if it is gone. */
    readonly ignore: (id: string, terms: AuthorizedTerms) => Promise<FoundThing | undefined>;
    readonly restore: (id: string, terms: AuthorizedTerms) => Promise<FoundThing | undefined>;
  };
};

const querySchema = z.strictObject({
  ignored: described('Shows the ignored ones instead.', z.optional(z.boolean())),
});

/** Things that the hub discovered and that could become integrations. */
export function integrationFoundRoutes({ integrationsFound }: FoundRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listFoundIntegrations',
      method: 'GET',
      path: '/api/v1/integration_found',
      summary: 'List what was discovered and can be set up',
      tag: 'Integration',
      note: notes.listFoundIntegrations,
      access: 'hub:manage',
      query: querySchema,
      answers: { 200: z.array(foundSchema) },
      handle: ({ query: { ignored = false } }) => {
        const things = integrationsFound.things().filter(({ isIgnored }) => isIgnored === ignored);
        return { status: 200, json: things.map(foundJson) };
      },
    }),
    defineRoute({
      id: 'ignoreFoundIntegration',
      method: 'POST',
      path: '/api/v1/integration_found/:id/ignore',
      summary: 'Stop showing something that was discovered',
      tag: 'Integration',
      note: notes.ignoreFoundIntegration,
      access: 'hub:manage',
      answers: { 200: foundSchema },
      audit: (_request, { auditDetail }) => ({ type: 'integration.ignored', detail: auditDetail }),
      handle: async ({ params, authorize }) => {
        const found = await integrationsFound.ignore(params['id'] ?? '', { authorize });
        if (found === undefined) throw new HubError('NOT_FOUND', 'It is not there any more.');
        return { status: 200, json: foundJson(found), auditDetail: found.kind };
      },
    }),
    defineRoute({
      id: 'restoreFoundIntegration',
      method: 'POST',
      path: '/api/v1/integration_found/:id/restore',
      summary: 'Show something that was ignored again',
      tag: 'Integration',
      note: notes.restoreFoundIntegration,
      access: 'hub:manage',
      answers: { 200: foundSchema },
      audit: (_request, { auditDetail }) => ({ type: 'integration.restored', detail: auditDetail }),
      handle: async ({ params, authorize }) => {
        const found = await integrationsFound.restore(params['id'] ?? '', { authorize });
        if (found === undefined) throw new HubError('NOT_FOUND', 'It is not there any more.');
        return { status: 200, json: foundJson(found), auditDetail: found.kind };
      },
    }),
  ];
}
