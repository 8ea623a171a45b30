import { z } from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { INTEGRATION_STATES } from '#core/event/event.ts';
import type { IntegrationSettings, Setting } from '#core/integration/integration-settings.ts';
import { MAX_PAIRING_S } from '#core/integration/pairing.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import type { IntegrationDirectory, IntegrationReport } from './directory.ts';
import { described } from '#http/reference/described.ts';

/** The fault, for programs and for people. */
export const integrationErrorSchema = z.object({ code: z.string(), message: z.string() });
const fixedShape = { fixed: z.boolean(), fixed_by: z.nullable(z.string()) };
export const integrationSettingsSchema = described(
  'How the integration reaches its MQTT broker. A setting is `fixed` if the configuration file or the environment sets it; `fixed_by` names the source.',
  z.object({
    enabled: described(
      'If false, the integration does not connect, and its devices cannot be reached.',
      z.object({ value: z.boolean(), ...fixedShape }),
    ),
    address: described(
      '`null` if the configuration switches the broker off.',
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
  can_pair: described('Whether the integration can let new devices join, while it is `connected`.', z.boolean()),
  is_set_up: z.boolean(),
  settings: described(
    'Only if the integration has settings and the caller has the right `hub:manage`.',
    z.optional(integrationSettingsSchema),
  ),
});
/** The integration checks the form of the values. */
export const integrationUpdateSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  address: z.optional(z.string()),
  user: z.optional(z.nullable(z.string())),
  password: described('Write-only.', z.optional(z.nullable(z.string()))),
  base_topic: z.optional(z.string()),
});
export const pairingSchema = z.strictObject({ seconds: z.int().check(z.gte(1), z.lte(MAX_PAIRING_S)) });

export const SETTINGS_RIGHT = 'hub:manage';

/** Only callers who may change the settings see the broker's address. */
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
