import { HubError } from '#base/hub-error.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { findOrRefuse, type IntegrationDirectory } from './directory.ts';
import { pairingSchema } from './json.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/integration/:id/pairing';

/** Letting new devices join, and stopping that. */
export function pairingRoutes(directory: IntegrationDirectory): readonly Route[] {
  const setPairing = async (id: string, seconds: number): Promise<void> => {
    const { name } = findOrRefuse(directory, id);
    const openPairing = directory.findPairing(id);
    if (openPairing === undefined) throw new HubError('NOT_SUPPORTED', `${name} has no pairing.`);
    await openPairing(seconds);
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
      handle: async ({ params, body }) => {
        await setPairing(params['id'] ?? '', body.seconds);
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
      handle: async ({ params }) => {
        await setPairing(params['id'] ?? '', 0);
        return { status: 204 };
      },
    }),
  ];
}
