import type { Variable } from '#core/variable/variable.ts';
import type { VariableRegistry } from '#core/variable/variable-registry.ts';
import { cursorOf, revisionTag } from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import { recordRoutes } from '#http/routing/record-routes.ts';
import { jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
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

const manage = { access: 'automation:manage', place: 'home' } as const;

/** The variables of the home: list, show, set, add, change, remove. */
export function variableRoutes(deps: VariableRoutesDeps): readonly Route[] {
  const { variables, eventCursor } = deps;
  const variable = recordRoutes<Variable>({
    noun: 'variable',
    tag: { name: 'Variable', description: 'Values that people and automations keep.', after: 'Notification' },
    path: '/api/v1/variable/:key',
    schema: variableSchema,
    audit: { unaudited: 'everybody who lives here can see the variables, and each says who has set it' },
    find: variables.findVariable,
    resource: (one) => ({
      etag: revisionTag(one),
      headers: cursorOf(deps),
      content: () => ({ json: variableJson(one) }),
    }),
    eventCursor,
  });
  return [
    variable.list(
      {
        id: 'listVariables',
        summary: 'List the variables by key',
        note: notes.listVariables,
        access: 'automation:read',
      },
      () => variables.variables().map(variableJson),
    ),
    variable.show({
      id: 'getVariable',
      summary: 'Show one variable',
      note: notes.getVariable,
      access: 'automation:read',
    }),
    variable.change(
      {
        id: 'setVariable',
        method: 'PUT',
        summary: 'Set a variable',
        note: notes.setVariable,
        access: 'mode:set',
        place: 'home',
        body: jsonBody(variableSettingSchema),
      },
      ({ key }, request, given) =>
        variables.setVariable(key, { value: request.body.value, by: issuerOf(callerOf(request)) }, given),
    ),
    variable.create(
      {
        id: 'createVariable',
        summary: 'Add a variable',
        note: notes.createVariable,
        ...manage,
        body: jsonBody(variableCreateSchema),
      },
      async ({ body, authorize }) => {
        const { min = null, max = null, options = [], ...rest } = body;
        const added = await variables.addVariable({ ...rest, min, max, options }, { authorize });
        return [added, added.key];
      },
    ),
    variable.change(
      {
        id: 'updateVariable',
        method: 'PATCH',
        summary: 'Change the name or limits of a variable',
        note: notes.updateVariable,
        ...manage,
        body: mergePatchBody(variableUpdateSchema),
      },
      ({ key }, { body }, given) => {
        const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        return variables.changeVariable(key, change, given);
      },
    ),
    variable.remove(
      { id: 'removeVariable', summary: 'Remove a variable', note: notes.removeVariable, ...manage },
      ({ key }, _, given) => variables.removeVariable(key, given),
    ),
  ];
}
