import * as z from 'zod/mini';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { integrationKindJson, integrationKindSchema, type ListedKind } from './json.ts';
import * as notes from './notes.ts';

/** The kinds of integrations that the program knows. */
export function integrationKindRoutes({
  integrationKinds,
}: {
  readonly integrationKinds: () => readonly ListedKind[];
}): readonly Route[] {
  return [
    defineRoute({
      id: 'listIntegrationKinds',
      method: 'GET',
      path: '/api/v1/integration_kind',
      summary: 'List the kinds of integrations that can be set up',
      tag: 'Integration',
      note: notes.listIntegrationKinds,
      access: 'hub:manage',
      answers: { 200: z.array(integrationKindSchema) },
      handle: () => ({ status: 200, json: integrationKinds().map(integrationKindJson) }),
    }),
  ];
}
