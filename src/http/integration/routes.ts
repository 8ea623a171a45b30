import { z } from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import { defineRoute, mergePatchBody, type Route, type RouteAnswer } from '#http/routing/route.ts';
import { findOrRefuse, type IntegrationDirectory } from './directory.ts';
import { integrationJson, integrationSchema, integrationUpdateSchema, SETTINGS_RIGHT } from './json.ts';
import { pairingRoutes } from './pairing.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/integration';
const ONE = '/api/v1/integration/:id';

/** The state and settings of the integrations, and pairing. */
export function integrationRoutes({
  integrations: directory,
}: {
  readonly integrations: IntegrationDirectory;
}): readonly Route[] {
  return [...readingRoutes(directory), settingsRoute(directory), ...pairingRoutes(directory)];
}

function readingRoutes(directory: IntegrationDirectory): readonly Route[] {
  return [
    defineRoute({
      id: 'listIntegrations',
      method: 'GET',
      path: PATH,
      summary: 'List the integrations with their state',
      tag: 'Integration',
      note: notes.listIntegrations,
      access: 'device:read',
      place: 'home',
      answers: { 200: z.array(integrationSchema) },
      handle: ({ caller }) => ({
        status: 200,
        json: directory.reports().map((report) => integrationJson(directory, report, caller)),
      }),
    }),
    defineRoute({
      id: 'getIntegration',
      method: 'GET',
      path: ONE,
      summary: 'Show one integration',
      tag: 'Integration',
      note: notes.getIntegration,
      access: 'device:read',
      place: 'home',
      answers: { 200: integrationSchema },
      handle: ({ params, caller }) => showIntegration(directory, params['id'] ?? '', caller),
    }),
  ];
}

function settingsRoute(directory: IntegrationDirectory): Route {
  return defineRoute({
    id: 'updateIntegration',
    method: 'PATCH',
    path: ONE,
    summary: 'Change the settings of an integration, or switch it on or off',
    tag: 'Integration',
    note: notes.updateIntegration,
    access: SETTINGS_RIGHT,
    body: mergePatchBody(integrationUpdateSchema),
    answers: { 200: integrationSchema },
    audit: ({ params, body }) => {
      const noted = changedFields('integration.changed', body);
      return noted && { ...noted, detail: `${params['id']} ${noted.detail}` };
    },
    handle: async ({ params, body, caller, authorize }) => {
      const id = params['id'] ?? '';
      const { name } = findOrRefuse(directory, id);
      const { base_topic: baseTopic, ...others } = body;
      const isRelease = body.enabled === true && directory.isInSafeMode(id);
      // Every integration can be started again; which other settings it has depends on the integration.
      if (directory.settingsOf(id) !== undefined) {
        await directory.changeSettings(id, { ...others, baseTopic }, { authorize });
      } else if (!isRelease || Object.keys(body).length > 1) {
        throw new HubError('NOT_SUPPORTED', `${name} has no settings.`);
      }
      if (isRelease) await directory.endSafeMode(id, { authorize });
      return showIntegration(directory, id, caller);
    },
  });
}

function showIntegration(directory: IntegrationDirectory, id: string, caller: Caller | undefined): RouteAnswer {
  findOrRefuse(directory, id);
  const report = directory.reports().find((one) => one.id === id);
  if (report === undefined) throw new HubError('NOT_FOUND', 'There is no such integration.');
  return { status: 200, json: integrationJson(directory, report, caller) };
}
