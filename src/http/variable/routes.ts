import { z } from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import type { Variable } from '#core/variable/variable.ts';
import type { VariableChange, VariableRegistry } from '#core/variable/variable-registry.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  revisionTag,
  showCreated,
  showResource,
  showUnlessKnown,
} from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import type { Route, RouteRequest } from '#http/routing/route.ts';
import { defineRoute, jsonBody, mergePatchBody } from '#http/routing/route.ts';
import {
  variableCreateSchema,
  variableJson,
  variableSchema,
  variableSettingSchema,
  variableUpdateSchema,
} from './json.ts';
import * as notes from './notes.ts';

type VariableRoutesDeps = {
  readonly variables: VariableRegistry;
  readonly eventCursor: () => string;
};

const PATH = '/api/v1/variable';
const ONE = '/api/v1/variable/:key';
const UNAUDITED = { unaudited: 'everybody who lives here can see the variables, and each says who has set it' };

/** The variables of the home: list, show, set, add, change, remove. */
export function variableRoutes(deps: VariableRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps), removeRoute(deps)];
}

function readingRoutes(deps: VariableRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listVariables',
      method: 'GET',
      path: PATH,
      summary: 'List the variables by key',
      tag: 'Variable',
      note: notes.listVariables,
      access: 'automation:read',
      answers: { 200: z.array(variableSchema), 304: null },
      handle: ({ header }) => {
        const json = deps.variables.variables().map(variableJson);
        return showUnlessKnown(listResource(json, cursorOf(deps)), header);
      },
    }),
    defineRoute({
      id: 'getVariable',
      method: 'GET',
      path: ONE,
      summary: 'Show one variable',
      tag: 'Variable',
      note: notes.getVariable,
      access: 'automation:read',
      answers: { 200: variableSchema, 304: null },
      handle: (request) => showUnlessKnown(variableResource(deps, variableOf(deps, request)), request.header),
    }),
  ];
}

function changingRoutes(deps: VariableRoutesDeps): readonly Route[] {
  const { variables } = deps;
  return [
    defineRoute({
      id: 'setVariable',
      method: 'PUT',
      path: ONE,
      summary: 'Set a variable',
      tag: 'Variable',
      note: notes.setVariable,
      access: 'mode:set',
      place: 'home',
      body: jsonBody(variableSettingSchema),
      answers: { 200: variableSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const { key, revision } = variableOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), revision);
        const wish = { value: request.body.value, by: issuerOf(callerOf(request)) };
        const given = { ifRevision, authorize: request.authorize };
        return showResource(variableResource(deps, await variables.setVariable(key, wish, given)));
      },
    }),
    defineRoute({
      id: 'createVariable',
      method: 'POST',
      path: PATH,
      summary: 'Add a variable',
      tag: 'Variable',
      note: notes.createVariable,
      access: 'automation:manage',
      place: 'home',
      body: jsonBody(variableCreateSchema),
      answers: { 201: variableSchema },
      audit: UNAUDITED,
      handle: async ({ body, authorize }) => {
        const { min = null, max = null, options = [], ...rest } = body;
        const variable = await variables.addVariable({ ...rest, min, max, options }, { authorize });
        return showCreated(variableResource(deps, variable), `${PATH}/${variable.key}`);
      },
    }),
    defineRoute({
      id: 'updateVariable',
      method: 'PATCH',
      path: ONE,
      summary: 'Change the name or limits of a variable',
      tag: 'Variable',
      note: notes.updateVariable,
      access: 'automation:manage',
      place: 'home',
      body: mergePatchBody(variableUpdateSchema),
      answers: { 200: variableSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const { key, revision } = variableOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), revision);
        const given = { ifRevision, authorize: request.authorize };
        const change = Object.fromEntries(
          Object.entries(request.body).filter(([, value]) => value !== undefined),
        ) as VariableChange;
        return showResource(variableResource(deps, await variables.changeVariable(key, change, given)));
      },
    }),
  ];
}

function removeRoute(deps: VariableRoutesDeps): Route {
  const { variables } = deps;
  return defineRoute({
    id: 'removeVariable',
    method: 'DELETE',
    path: ONE,
    summary: 'Remove a variable',
    tag: 'Variable',
    note: notes.removeVariable,
    access: 'automation:manage',
    place: 'home',
    answers: { 204: null },
    audit: UNAUDITED,
    handle: async (request) => {
      const { key, revision } = variableOf(deps, request);
      const ifRevision = requiredRevision(request.header('if-match'), revision);
      await variables.removeVariable(key, { ifRevision, authorize: request.authorize });
      return { status: 204 };
    },
  });
}

function variableOf(
  { variables }: VariableRoutesDeps,
  { params }: Pick<RouteRequest<unknown, unknown>, 'params'>,
): Variable {
  const variable = variables.findVariable(params['key'] ?? '');
  if (variable === undefined) throw new HubError('NOT_FOUND', 'There is no such variable.');
  return variable;
}

function variableResource(deps: VariableRoutesDeps, variable: Variable): Resource {
  return {
    etag: revisionTag(variable),
    headers: cursorOf(deps),
    content: () => ({ json: variableJson(variable) }),
  };
}
