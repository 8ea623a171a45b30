import { type Caller, canCaller } from '#auth/caller.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { findOrRefuse, type IntegrationDirectory, type Pairing } from './directory.ts';
import { SETTINGS_RIGHT } from './json.ts';
import * as notes from './notes.ts';
import { pairingRequestSchema, pairingSchema, pairingStateJson, pairingStateSchema } from './pairing-json.ts';
import { faultWords } from '#words/faults.ts';

const PATH = '/api/v1/integration/:id/pairing';

/** Letting new devices join, and stopping that. */
export function pairingRoutes(directory: IntegrationDirectory): readonly Route[] {
  const findPairing = (id: string, caller: Caller): Pairing => {
    const { name } = findOrRefuse(directory, id);
    const pairing = directory.findPairing(id);
    if (pairing === undefined) throw new HubError('NOT_SUPPORTED', `${name} has no pairing.`);
    if (pairing.isOfBridge && !canCaller(caller, SETTINGS_RIGHT)) throw insufficientScope(SETTINGS_RIGHT);
    return pairing;
  };

  return [
    defineRoute({
      id: 'getPairing',
      method: 'GET',
      path: PATH,
      summary: 'Show how far devices are that join',
      tag: 'Integration',
      note: notes.getPairing,
      access: 'device:manage',
      place: 'home',
      answers: { 200: pairingStateSchema },
      handle: (request) => {
        const pairing = findPairing(request.params['id'] ?? '', callerOf(request));
        return { status: 200, json: pairingStateJson(pairing.state()) };
      },
    }),
    defineRoute({
      id: 'openPairing',
      method: 'POST',
      path: PATH,
      summary: 'Let new devices join for some time',
      tag: 'Integration',
      note: notes.openPairing,
      access: 'device:manage',
      place: 'home',
      body: jsonBody(pairingRequestSchema),
      answers: { 200: pairingSchema },
      audit: ({ params }) => ({ type: 'pairing.opened', detail: params['id'] }),
      handle: async (request) => {
        const pairing = findPairing(request.params['id'] ?? '', callerOf(request));
        return { status: 200, json: { seconds: await begin(pairing, request.body) } };
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
        await findPairing(request.params['id'] ?? '', callerOf(request)).open(0);
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

type Asked = { readonly seconds?: number | undefined; readonly code?: string | undefined };

/** Returns for how many seconds devices may join. */
async function begin(pairing: Pairing, { seconds, code }: Asked): Promise<number> {
  if (code === undefined) {
    if (seconds === undefined)
      throw validationFailed([fieldError('/seconds', 'REQUIRED', ...faultWords('seconds_or_code'))]);
    await pairing.open(seconds);
    return seconds;
  }
  if (seconds !== undefined)
    throw validationFailed([fieldError('/code', 'INVALID_VALUE', ...faultWords('not_beside', { other: 'seconds' }))]);
  if (pairing.byCode === undefined) throw new HubError('NOT_SUPPORTED', 'Its devices join without a code.');
  return pairing.byCode(code);
}
