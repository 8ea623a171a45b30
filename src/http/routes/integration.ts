import { z } from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { INTEGRATION_STATES, type IntegrationStatus } from '#core/event.ts';
import { defineRoute, type Route } from '#http/route.ts';
import { timeJson, timeSchema } from '#http/time-json.ts';

/** What these calls need of the integrations; `integrations/supervisor.ts` is it. */
export type IntegrationDirectory = {
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => PairingDoor | undefined;
};
type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  readonly devices: number;
};
type PairingDoor = { readonly name: string; readonly openPairing?: (seconds: number) => Promise<void> };

/** A Zigbee network cannot be opened for longer in one message, and no protocol should stay open unattended. */
const PAIRING_MAX_S = 254;

export const integrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(INTEGRATION_STATES),
  since: timeSchema,
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  devices: z.int(),
});
export const pairingSchema = z.strictObject({ seconds: z.int().check(z.gte(1), z.lte(PAIRING_MAX_S)) });

/** State of the ways to reach devices, and letting new devices in. */
export function integrationRoutes(directory: IntegrationDirectory): readonly Route[] {
  const setPairing = async (id: string, seconds: number): Promise<void> => {
    const integration = directory.findIntegration(id);
    if (integration === undefined) throw notFound();
    if (integration.openPairing === undefined) {
      throw new HubError('NOT_SUPPORTED', `${integration.name} has no pairing.`);
    }
    await integration.openPairing(seconds);
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/integration',
      summary: 'List the integrations with their state',
      access: 'device:read',
      answers: { 200: z.array(integrationSchema) },
      handle: () => ({ status: 200, json: directory.reports().map(integrationJson) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/integration/:id',
      summary: 'Show one integration',
      access: 'device:read',
      answers: { 200: integrationSchema },
      handle: ({ params }) => {
        const report = directory.reports().find(({ id }) => id === params['id']);
        if (report === undefined) throw notFound();
        return { status: 200, json: integrationJson(report) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/integration/:id/pairing',
      summary: 'Let new devices join for some seconds',
      access: 'device:manage',
      body: { schema: pairingSchema, maxBytes: 64 * 1024 },
      answers: { 200: pairingSchema },
      handle: async ({ params, body }) => {
        await setPairing(params['id'] ?? '', body.seconds);
        return { status: 200, json: { seconds: body.seconds } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/integration/:id/pairing',
      summary: 'Let no more devices join',
      access: 'device:manage',
      answers: { 204: null },
      handle: async ({ params }) => {
        await setPairing(params['id'] ?? '', 0);
        return { status: 204 };
      },
    }),
  ];
}

function notFound(): HubError {
  return new HubError('NOT_FOUND', 'There is no such integration.');
}

function integrationJson({ id, name, status, devices }: IntegrationReport): z.infer<typeof integrationSchema> {
  const { state, sinceMs, error } = status;
  return { id, name, status: state, since: timeJson(sinceMs), error, devices };
}
