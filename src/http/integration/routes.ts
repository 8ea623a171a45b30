import { z } from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/command/change-given.ts';
import { INTEGRATION_STATES, type IntegrationStatus } from '#core/event/event.ts';
import type {
  IntegrationSettings,
  IntegrationSettingsChange,
  Setting,
} from '#core/integration/integration-settings.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import { integrationErrorSchema } from '#http/event/json.ts';
import { defineRoute, type Route, type RouteAnswer } from '#http/routing/route.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';

/** What these calls need of the integrations. */
export type IntegrationDirectory = {
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => PairingDoor | undefined;
  /** False where nobody has set it up, and nothing has ever answered: that it is not connected is no fault then. */
  readonly isSetUp: (report: IntegrationReport) => boolean;
  /** `undefined` for one that has none. */
  readonly settingsOf: (id: string) => IntegrationSettings | undefined;
  /**
   * On disk and in use when it resolves; whether they lead anywhere, the status tells. Throws HubError SETTING_FIXED and
   * VALIDATION_FAILED, and what `authorize` throws.
   */
  readonly changeSettings: (id: string, change: IntegrationSettingsChange, given: AuthorizedChange) => Promise<void>;
  /** It is not started by itself, for the hub died of it. */
  readonly isInSafeMode: (id: string) => boolean;
  /** Starts it again. Throws what `authorize` throws. */
  readonly endSafeMode: (id: string, given: AuthorizedChange) => Promise<void>;
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
const PATH = '/api/v1/integration';
const ONE = '/api/v1/integration/:id';
const SETTINGS_RIGHT = 'hub:manage';

const fixedShape = { fixed: z.boolean(), fixed_by: z.nullable(z.string()) };
export const integrationSettingsSchema = z.object({
  enabled: z.object({ value: z.boolean(), ...fixedShape }),
  address: z.object({ value: z.nullable(z.string()), ...fixedShape }),
  user: z.object({ value: z.nullable(z.string()), ...fixedShape }),
  password: z.object({ is_set: z.boolean(), ...fixedShape }),
  base_topic: z.object({ value: z.string(), ...fixedShape }),
});
export const integrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(INTEGRATION_STATES),
  since: timeSchema,
  error: z.nullable(integrationErrorSchema),
  devices: z.int(),
  can_pair: z.boolean(),
  is_set_up: z.boolean(),
  settings: z.optional(integrationSettingsSchema),
});
/** What the values must look like, the integration says. */
export const integrationUpdateSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  address: z.optional(z.string()),
  user: z.optional(z.nullable(z.string())),
  password: z.optional(z.nullable(z.string())),
  base_topic: z.optional(z.string()),
});
export const pairingSchema = z.strictObject({ seconds: z.int().check(z.gte(1), z.lte(PAIRING_MAX_S)) });

/** State and settings of the ways to reach devices, and letting new devices in. */
export function integrationRoutes(directory: IntegrationDirectory): readonly Route[] {
  return [...readingRoutes(directory), settingsRoute(directory), ...pairingRoutes(directory)];
}

function readingRoutes(directory: IntegrationDirectory): readonly Route[] {
  return [
    defineRoute({
      id: 'listIntegrations',
      method: 'GET',
      path: PATH,
      summary: 'List the integrations with their state',
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
    access: SETTINGS_RIGHT,
    body: {
      schema: integrationUpdateSchema,
      maxBytes: 64 * 1024,
      mediaTypes: ['application/merge-patch+json'],
    },
    answers: { 200: integrationSchema },
    audit: ({ params, body }) => {
      const noted = changedFields('integration.changed', body);
      return noted && { ...noted, detail: `${params['id']} ${noted.detail}` };
    },
    handle: async ({ params, body, caller, authorize }) => {
      const id = params['id'] ?? '';
      const { name } = integrationOf(directory, id);
      const { base_topic: baseTopic, ...others } = body;
      const isRelease = body.enabled === true && directory.isInSafeMode(id);
      // Every integration can be started again; what else can be set, each has for itself.
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

function pairingRoutes(directory: IntegrationDirectory): readonly Route[] {
  const setPairing = async (id: string, seconds: number): Promise<void> => {
    const { name, openPairing } = integrationOf(directory, id);
    if (openPairing === undefined) throw new HubError('NOT_SUPPORTED', `${name} has no pairing.`);
    await openPairing(seconds);
  };

  return [
    defineRoute({
      id: 'openPairing',
      method: 'POST',
      path: `${ONE}/pairing`,
      summary: 'Let new devices join for some seconds',
      access: 'device:manage',
      place: 'home',
      body: { schema: pairingSchema, maxBytes: 64 * 1024 },
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
      path: `${ONE}/pairing`,
      summary: 'Let no more devices join',
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

function integrationOf({ findIntegration }: IntegrationDirectory, id: string): PairingDoor {
  const integration = findIntegration(id);
  if (integration === undefined) throw new HubError('NOT_FOUND', 'There is no such integration.');
  return integration;
}

function showIntegration(directory: IntegrationDirectory, id: string, caller: Caller | undefined): RouteAnswer {
  integrationOf(directory, id);
  const report = directory.reports().find((one) => one.id === id);
  if (report === undefined) throw new HubError('NOT_FOUND', 'There is no such integration.');
  return { status: 200, json: integrationJson(directory, report, caller) };
}

/** Where the broker is, is told to those alone who may change it. */
function settingsFor(
  { settingsOf }: IntegrationDirectory,
  id: string,
  caller: Caller | undefined,
): IntegrationSettings | undefined {
  return caller !== undefined && canCaller(caller, SETTINGS_RIGHT) ? settingsOf(id) : undefined;
}

function integrationJson(
  directory: IntegrationDirectory,
  report: IntegrationReport,
  caller: Caller | undefined,
): z.infer<typeof integrationSchema> {
  const { id, name, status, devices } = report;
  const { state, sinceMs, error } = status;
  const canPair = directory.findIntegration(id)?.openPairing !== undefined;
  const isSetUp = directory.isSetUp(report);
  const about = { id, name, status: state, since: timeJson(sinceMs), error, devices };
  const shown = { ...about, can_pair: canPair, is_set_up: isSetUp };
  const settings = settingsFor(directory, id, caller);
  return settings === undefined ? shown : { ...shown, settings: settingsJson(settings) };
}

function settingsJson({
  enabled,
  address,
  user,
  password,
  baseTopic,
}: IntegrationSettings): z.infer<typeof integrationSettingsSchema> {
  return {
    enabled: settingJson(enabled),
    address: settingJson(address),
    user: settingJson(user),
    password: { is_set: password.value, ...fixedJson(password.fixedBy) },
    base_topic: settingJson(baseTopic),
  };
}

function settingJson<Value>({ value, fixedBy }: Setting<Value>) {
  return { value, ...fixedJson(fixedBy) };
}

function fixedJson(by: string | null) {
  return { fixed: by !== null, fixed_by: by };
}
