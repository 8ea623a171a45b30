import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import type { JsonObject } from '#base/json.ts';
import { callerOf, ownsHub } from '#http/rights/access.ts';
import { described } from '#http/note/described.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import { type Resource, revisedResource, showCreated, showIfChanged, showResource } from '#http/answer/resource.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { findOrRefuse, type InstanceTerms, type IntegrationDirectory } from './directory.ts';
import {
  integrationCreateSchema,
  integrationJson,
  integrationSchema,
  integrationUpdateSchema,
  SETTINGS_RIGHT,
} from './json.ts';
import * as notes from './notes.ts';
import { pairingRoutes } from './pairing.ts';
import { readReleasedChange, releasedFailure } from './released-settings.ts';

const PATH = '/api/v1/integration';
const ONE = '/api/v1/integration/:id';

type IntegrationRoutesDeps = { readonly integrations: IntegrationDirectory };

/** The configured integrations with their state and settings, and pairing. */
export function integrationRoutes({ integrations: directory }: IntegrationRoutesDeps): readonly Route[] {
  return [
    ...readingRoutes(directory),
    createRoute(directory),
    updateRoute(directory),
    removeRoute(directory),
    ...pairingRoutes(directory),
  ];
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
        json: directory.list().map((instance) => integrationJson(directory, instance, caller)),
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
      answers: { 200: integrationSchema, 304: null },
      handle: ({ params, caller, header }) =>
        showIfChanged(integrationResource(directory, params['id'] ?? '', caller), header),
    }),
  ];
}

function createRoute(directory: IntegrationDirectory): Route {
  return defineRoute({
    id: 'createIntegration',
    method: 'POST',
    path: PATH,
    summary: 'Add an integration whose settings are known',
    tag: 'Integration',
    note: notes.createIntegration,
    access: SETTINGS_RIGHT,
    // Its answer may have the codes of the Matter bridge.
    once: 'place',
    body: jsonBody(integrationCreateSchema),
    answers: { 201: integrationSchema },
    audit: 'integration.added',
    handle: async (request) => {
      const { settings = {}, ...wanted } = request.body;
      const { id } = await directory.add({ ...wanted, settings: jsonOf(settings) }, termsBy(request));
      const resource = integrationResource(directory, id, request.caller);
      return { ...showCreated(resource, `${PATH}/${id}`), auditDetail: id };
    },
  });
}

function updateRoute(directory: IntegrationDirectory): Route {
  return defineRoute({
    id: 'updateIntegration',
    method: 'PATCH',
    path: ONE,
    summary: 'Change the name or settings of an integration, or switch it on or off',
    tag: 'Integration',
    note: notes.updateIntegration,
    access: SETTINGS_RIGHT,
    body: mergePatchBody(integrationUpdateSchema),
    answers: { 200: integrationSchema },
    audit: ({ params, body: { settings = {}, ...rest } }) => {
      const others = Object.keys(rest).filter((name) => rest[name as keyof typeof rest] !== undefined);
      const names = [...others, ...Object.keys(settings)].toSorted();
      if (names.length === 0) return undefined;
      return { type: 'integration.changed', detail: `${params['id']} ${names.join(',')}` };
    },
    handle: async (request) => {
      const id = request.params['id'] ?? '';
      const { name, enabled, settings: bare = {}, ...released } = request.body;
      const settings = jsonOf(bare);
      const terms = termsBy(request);
      const { own, broker } = readReleasedChange(findOrRefuse(directory, id), released, directory.find);
      const changed: JsonObject = { ...own, ...settings };
      const isRelease = enabled === true && directory.isInSafeMode(id);
      const hasSettings = Object.keys(changed).length > 0;
      const change = { name, enabled, ...(hasSettings && { settings: changed }) };
      try {
        const locked = lockedTerms(directory, request);
        // Both are checked before one changes: a refusal leaves both as they are.
        if (broker !== undefined) {
          directory.check(id, change, locked);
          await directory.change(broker.id, { settings: broker.settings }, locked);
        }
        await directory.change(id, change, locked);
      } catch (cause) {
        throw Object.keys(released).length === 0 ? cause : releasedFailure(cause, settings);
      }
      if (isRelease) await directory.endSafeMode(id, terms);
      return showResource(integrationResource(directory, id, request.caller));
    },
  });
}

const removalSchema = z.strictObject({
  devices: described(
    '`keep` hides its devices until the same thing is set up again; `remove` forgets them.',
    z._default(z.enum(['keep', 'remove']), 'keep'),
  ),
  force: described(
    'Remove it even if devices do not answer, and so keep the keys of this home.',
    z.optional(z.boolean()),
  ),
});

function removeRoute(directory: IntegrationDirectory): Route {
  return defineRoute({
    id: 'removeIntegration',
    method: 'DELETE',
    path: ONE,
    summary: 'Remove an integration',
    tag: 'Integration',
    note: notes.removeIntegration,
    access: SETTINGS_RIGHT,
    query: removalSchema,
    answers: { 204: null },
    audit: ({ params, query }) => ({ type: 'integration.removed', detail: `${params['id']} ${query.devices}` }),
    handle: async (request) => {
      const id = request.params['id'] ?? '';
      findOrRefuse(directory, id);
      const { devices, force: isForced = false } = request.query;
      await directory.remove(id, devices, { ...lockedTerms(directory, request), isForced });
      return { status: 204 };
    },
  });
}

/** Every body is JSON. */
function jsonOf(settings: Readonly<Record<string, unknown>>): JsonObject {
  return settings as JsonObject;
}

function termsBy(request: Parameters<typeof callerOf>[0] & { readonly authorize: () => Caller }): InstanceTerms {
  const caller = callerOf(request);
  return { authorize: () => void request.authorize(), mayReachHub: ownsHub(caller), userId: caller.user.id };
}

/** The same for a change of the integration in the path, as long as it has the revision of If-Match. */
function lockedTerms(directory: IntegrationDirectory, request: RouteRequest<unknown, unknown>): InstanceTerms {
  const terms = termsBy(request);
  const authorize = (): void => {
    terms.authorize();
    requiredRevision(request.header('if-match'), findOrRefuse(directory, request.params['id'] ?? '').revision);
  };
  return { ...terms, authorize };
}

function integrationResource(directory: IntegrationDirectory, id: string, caller: Caller | undefined): Resource {
  return revisedResource(integrationJson(directory, findOrRefuse(directory, id), caller));
}
