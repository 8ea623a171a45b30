import { type Caller, canCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { findOrRefuse, type IntegrationDirectory } from './directory.ts';
import { pairingSchema, SETTINGS_RIGHT } from './json.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/integration/:id/pairing';

/** Letting new devices join, and stopping that. */
export function pairingRoutes(directory: IntegrationDirectory): readonly Route[] {
  const setPairing = async (id: string, seconds: number, caller: Caller): Promise<void> => {
    const { name } = findOrRefuse(directory, id);
    const pairing = directory.findPairing(id);
    if (pairing === undefined) throw new HubError('NOT_SUPPORTED', `${name} has no pairing.`);
    if (pairing.isOfBridge && !canCaller(caller, SETTINGS_RIGHT)) throw insufficientScope(SETTINGS_RIGHT);
    await pairing.open(seconds);
  };

  return [
    defineRoute({
      id: 'openPairing',
      method: 'POST',
      path: PATH,
      summary: 'Let new devices join for some time',
      tag: 'Integration',
      note: notes.openPairing,
      access: 'device:manage',
      place: 'home',
      body: jsonBody(pairingSchema),
      answers: { 200: pairingSchema },
      audit: ({ params }) => ({ type: 'pairing.opened', detail: params['id'] }),
      handle: async (request) => {
        const { params, body } = request;
        await setPairing(params['id'] ?? '', body.seconds, callerOf(request));
        return { status: 200, json: { seconds: body.seconds } };
      },
    }),
    defineRoute({
      id: 'closePairing',
      method: 'DELETE',
      path: PATH,
      summary: 'Stop letting devices join',
      tag: 'Integration',
      note: notes.closePairing,
      access: 'device:manage',
      place: 'home',
      answers: { 204: null },
      audit: { unaudited: 'a closed network lets nothing in' },
      handle: async (request) => {
        await setPairing(request.params['id'] ?? '', 0, callerOf(request));
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'removeFabric',
      method: 'DELETE',
      path: '/api/v1/integration/:id/fabric/:fabric',
      summary: 'Take the bridge away from another home',
      tag: 'Integration',
      note: notes.removeFabric,
      access: SETTINGS_RIGHT,
      answers: { 204: null },
      audit: ({ params }) => ({ type: 'integration.changed', detail: `${params['id']} fabric ${params['fabric']}` }),
      handle: async ({ params }) => {
        const id = params['id'] ?? '';
        findOrRefuse(directory, id);
        const fabric = Number(params['fabric']);
        if (!Number.isInteger(fabric)) throw new HubError('NOT_FOUND', 'No such home has the bridge.');
        await directory.removeFabric(id, fabric);
        return { status: 204 };
      },
    }),
  ];
}
