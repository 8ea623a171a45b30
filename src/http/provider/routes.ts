import { HubError, requireThing } from '#base/hub-error.ts';
import { PROVIDER_NAME } from '#core/provider/provider.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { requireSame } from '#http/routing/shown-too.ts';
import { commandRoutes } from './command.ts';
import { declaredDeviceRoutes, wrongProviderName } from './device.ts';
import type { ProviderDirectory, ProviderRoutesDeps } from './directory.ts';
import { providerJson, providerSchema, providerUpdateSchema } from './json.ts';
import { stateRoute } from './state.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/provider/:name';

/** Scripts that are integrations: each speaks for one provider, and reaches no other. */
export function providerRoutes(deps: ProviderRoutesDeps): readonly Route[] {
  return [...instanceRoutes(deps), ...declaredDeviceRoutes(deps), stateRoute(deps), ...commandRoutes(deps)];
}

function instanceRoutes({ providers }: ProviderRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getProvider',
      method: 'GET',
      path: PATH,
      summary: 'Show a provider',
      tag: 'Provider',
      note: notes.getProvider,
      access: 'device:provide',
      place: 'provider',
      answers: { 200: providerSchema },
      handle: ({ params, caller }) => {
        // A person who looks at it must not keep a dead script alive.
        if (caller?.kind === 'api_token') renewIfRunning(providers, params['name'] ?? '');
        return showProvider(providers, params['name'] ?? '', 200);
      },
    }),
    defineRoute({
      id: 'setProvider',
      method: 'PUT',
      path: PATH,
      summary: 'Make a script an integration, or change how it is kept',
      tag: 'Provider',
      note: notes.setProvider,
      access: 'device:provide',
      place: 'provider',
      body: jsonBody(providerUpdateSchema),
      answers: { 200: providerSchema, 201: providerSchema },
      audit: (_, { status, auditDetail: detail }) =>
        detail === undefined
          ? undefined
          : { type: status === 201 ? 'integration.added' : 'integration.changed', detail },
      handle: async ({ params, body, authorize }) => {
        const name = params['name'] ?? '';
        if (!PROVIDER_NAME.test(name)) throw wrongProviderName();
        requireSame(providerUpdateSchema, body, { id: name });
        const old = providers.find(name);
        const change = { name: body.name, leaseS: body.lease_s };
        const isSame =
          old !== undefined && (body.name ?? old.name) === old.name && (body.lease_s ?? old.leaseS) === old.leaseS;
        if (!isSame) await providers.put(name, change, { authorize: () => void authorize() });
        renewIfRunning(providers, name);
        const answer = showProvider(providers, name, old === undefined ? 201 : 200);
        if (isSame) return answer;
        const fields = ['lease_s', 'name'].filter((field) => field in body).join(',');
        return { ...answer, auditDetail: old === undefined ? name : `${name} ${fields}` };
      },
    }),
    defineRoute({
      id: 'removeProvider',
      method: 'DELETE',
      path: PATH,
      summary: 'Remove a provider and hide its devices',
      tag: 'Provider',
      note: notes.removeProvider,
      access: 'device:provide',
      place: 'provider',
      answers: { 204: null },
      audit: ({ params }) => ({ type: 'integration.removed', detail: params['name'] }),
      handle: async ({ params, authorize }) => {
        await providers.remove(params['name'] ?? '', { authorize: () => void authorize() });
        return { status: 204 };
      },
    }),
  ];
}

/** One that is switched off, or about to start, has no lease to renew. */
function renewIfRunning(providers: ProviderDirectory, name: string): void {
  try {
    providers.doorOf(name).renew();
  } catch (cause) {
    const isExpected = cause instanceof HubError && (cause.code === 'INTEGRATION_DOWN' || cause.code === 'NOT_FOUND');
    if (!isExpected) throw cause;
  }
}

function showProvider(providers: ProviderDirectory, name: string, status: number): RouteAnswer {
  const shown = requireThing(providers.find(name), 'provider');
  return { status, json: providerJson(shown) };
}
