import { z } from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { INTEGRATION_STATES } from '#core/event/event.ts';
import type { IntegrationSettings, Setting } from '#core/integration/integration-settings.ts';
import { MAX_PAIRING_S } from '#core/integration/pairing.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import type { IntegrationDirectory, IntegrationReport } from './directory.ts';
import { described } from '#http/reference/described.ts';

/** What is wrong, for programs and for people. */
export const integrationErrorSchema = z.object({ code: z.string(), message: z.string() });
const fixedShape = { fixed: z.boolean(), fixed_by: z.nullable(z.string()) };
export const integrationSettingsSchema = described(
  'How the integration reaches its MQTT broker. `fixed` is what the configuration file or the environment sets, as `fixed_by` says.',
  z.object({
    enabled: described(
      'Off, it does not connect, and its devices cannot be reached.',
      z.object({ value: z.boolean(), ...fixedShape }),
    ),
    address: described(
      '`null` where the configuration wants no broker.',
      z.object({ value: z.nullable(z.string()), ...fixedShape }),
    ),
    user: z.object({ value: z.nullable(z.string()), ...fixedShape }),
    password: z.object({ is_set: z.boolean(), ...fixedShape }),
    base_topic: z.object({ value: z.string(), ...fixedShape }),
  }),
);
export const integrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(INTEGRATION_STATES),
  since: timeSchema,
  error: described('What is wrong, for programs and for people.', z.nullable(integrationErrorSchema)),
  devices: z.int(),
  can_pair: described('Whether new devices can be let in here; while it is `connected`.', z.boolean()),
  is_set_up: z.boolean(),
  settings: described(
    'Only where there are any, and only with the right `hub:manage`.',
    z.optional(integrationSettingsSchema),
  ),
});
/** What the values must look like, the integration says. */
export const integrationUpdateSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  address: z.optional(z.string()),
  user: z.optional(z.nullable(z.string())),
  password: described('Can be written, never read.', z.optional(z.nullable(z.string()))),
  base_topic: z.optional(z.string()),
});
export const pairingSchema = z.strictObject({ seconds: z.int().check(z.gte(1), z.lte(MAX_PAIRING_S)) });

export const SETTINGS_RIGHT = 'hub:manage';

/** Where the broker is, is told to those alone who may change it. */
function settingsFor(
  { settingsOf }: IntegrationDirectory,
  id: string,
  caller: Caller | undefined,
): IntegrationSettings | undefined {
  return caller !== undefined && canCaller(caller, SETTINGS_RIGHT) ? settingsOf(id) : undefined;
}

export function integrationJson(
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
