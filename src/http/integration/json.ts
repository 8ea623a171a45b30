import * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { INTEGRATION_STATES, type IntegrationStatus } from '#core/integration/integration-status.ts';
import type {
  BridgeCodes,
  BridgeReport,
  IntegrationReport,
  OfferingReport,
} from '#core/integration/integration-report.ts';
import type { ShownInstance, ShownSetting } from '#core/integration/instance.ts';
import type { StatusError } from '#core/integration/integration-status.ts';
import { statusErrorForAll } from '#core/integration/status-error.ts';
import { ownsHub } from '#http/rights/access.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { messageReasonSchema, withReason } from '#http/answer/reason-json.ts';
import { settingValueJson, settingValueSchema } from '#http/integration-kind/json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';
import type { IntegrationDirectory } from './directory.ts';
import { RELEASED_SETTINGS, releasedSettings, releasedUpdateShape } from './released-settings.ts';

export const integrationErrorSchema = named(
  'IntegrationError',
  z.object({ code: z.string(), message: z.string(), reason: messageReasonSchema }),
);

const settingSchema = named(
  'Setting',
  described(
    'A setting has a `value`. A secret only shows whether it `is_set`. `fixed_by` names what sets it outside of the API: a key of the configuration file or a variable of the environment.',
    z.object({
      value: described(
        'By the type of its field in the kind; `null` where there is none.',
        z.optional(settingValueSchema),
      ),
      is_set: described('Of a secret: whether there is one.', z.optional(z.boolean())),
      fixed: described('Only where version 0.1 had it: whether `fixed_by` names anything.', z.optional(z.boolean())),
      fixed_by: z.nullable(z.string()),
    }),
  ),
);

/** A map, so that a new kind changes nothing here. */
const settingMapSchema = named('SettingMap', z.record(z.string(), settingSchema));

const offeringSchema = named(
  'IntegrationOffering',
  described(
    'Devices of the hub that the integration offers elsewhere, by its settings `expose` and `token`.',
    z.object({
      devices: described('How many devices it offers.', z.int()),
      entities: described('How many features of them it offers.', z.int()),
      left_out: described('Devices for which there was no room.', z.int()),
      commands: described('Accepted since the integration started.', z.int()),
      refused: described('Commands that were not accepted since the integration started.', z.int()),
      error: described(
        'The last fault; `null` once a command or message is taken again.',
        z.nullable(integrationErrorSchema),
      ),
    }),
  ),
);

const leftOutSchema = named(
  'LeftOutDevices',
  z.object({
    integration: described('Through which they come; `null` if that is not set up.', z.nullable(z.string())),
    devices: described('How many come that way.', z.int()),
  }),
);

const codesSchema = named(
  'BridgeCodes',
  described(
    'While a bridge lets another home in: the number to type, and the text of the QR code.',
    z.object({
      manual_code: described('Eleven digits, for those who cannot scan.', z.string()),
      qr: described('What is in the QR code.', z.string()),
      remaining_s: described('Until it closes by itself.', z.int()),
    }),
  ),
);

const fabricSchema = named(
  'BridgeFabric',
  z.object({
    id: described('Index of the fabric, by which it can be removed.', z.int()),
    label: described('The name that the home has given itself, else that of its maker.', z.string()),
    vendor: described('Whose app it is, if the hub knows that.', z.nullable(z.string())),
  }),
);

export const integrationSchema = named(
  'Integration',
  z.object({
    id: z.string(),
    kind: described('The id of its kind: it says which settings there are.', z.string()),
    name: z.string(),
    has_own_name: described('Without one, `name` is that of its kind, in English.', z.boolean()),
    status: described(
      '`needs_action`: a person must do something, as `error` says. `connecting`: it tries.',
      wordOf('IntegrationState', INTEGRATION_STATES),
    ),
    since: timeSchema,
    error: described(
      'What is wrong and, with `needs_action`, what to do. Why a connection fails is for owners: others, events, the timeline and health have `CONNECTION_FAILED`.',
      z.nullable(integrationErrorSchema),
    ),
    devices: described('How many devices come through it.', z.int()),
    can_pair: described('Whether the integration can let new devices join, while it is `connected`.', z.boolean()),
    pairs_by_code: described(
      'Whether a new device joins by its code: `POST …/pairing` then takes `code`, and not `seconds`.',
      z.boolean(),
    ),
    is_set_up: described('It has all settings that it needs.', z.boolean()),
    enabled: described('If false, it does not connect, and its devices cannot be reached.', z.boolean()),
    enabled_fixed_by: described(
      'What switches it on or off outside of the API: then `enabled` cannot be changed. `null` if nothing does.',
      z.nullable(z.string()),
    ),
    fixed_by: described(
      'What makes it exist outside of the API: then it cannot be removed. `null` if nothing does.',
      z.nullable(z.string()),
    ),
    offering: described(
      'Only if it offers something, for callers with the right `hub:manage`.',
      z.optional(offeringSchema),
    ),
    left_out: described(
      'Devices that it does not take because they come through another integration. They return, with their id, name and room, when that has them no more. Only if there are any, for callers with the right `hub:manage`.',
      z.optional(z.array(leftOutSchema)),
    ),
    pairing: described(
      'Only of a bridge while it lets another home in, for callers with the right `hub:manage`.',
      z.optional(codesSchema),
    ),
    fabrics: described(
      'The homes that have the bridge. Only of a bridge that runs, for callers with the right `hub:manage`.',
      z.optional(z.array(fabricSchema)),
    ),
    revision: described('Counts the changes of what can be set; for `If-Match`.', z.int()),
    settings: described(
      `The settings by the names that the kind gives them. Only if the caller has the right \`hub:manage\`. ${RELEASED_SETTINGS}`,
      z.optional(settingMapSchema),
    ),
  }),
);

/** The kind says which form each has. */
const settingValuesSchema = z.record(z.string(), z.unknown());

/** The shape of the kind checks the settings. */
export const integrationCreateSchema = named(
  'IntegrationCreate',
  z.strictObject({
    kind: described(
      'The id of a kind from `GET /api/v1/integration_kind`.',
      z.string().check(z.minLength(1), z.maxLength(64)),
    ),
    name: described('What people call it; by default the name of its kind.', z.optional(nameSchema)),
    enabled: described('`false`: it does not connect yet; by default it does.', z.optional(z.boolean())),
    settings: described('Bare values, secrets included.', z.optional(settingValuesSchema)),
  }),
);

export const integrationUpdateSchema = named(
  'IntegrationUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    enabled: described('`false`: it does not connect, and its devices cannot be reached.', z.optional(z.boolean())),
    settings: described(
      'Bare values. An absent one stays; `null` brings the default back, or takes an optional value or a secret away.',
      z.optional(settingValuesSchema),
    ),
    ...releasedUpdateShape,
  }),
);

export const SETTINGS_RIGHT = 'hub:manage';

export function integrationJson(
  directory: IntegrationDirectory,
  instance: ShownInstance,
  caller: Caller | undefined,
): z.infer<typeof integrationSchema> {
  const { id, kind, name, hasOwnName, isChosen, enabled, fixedBy } = instance;
  const { status, devices, canPair, pairsByCode, report } = directory.stateOf(id);
  const shown = {
    id,
    kind,
    name,
    has_own_name: hasOwnName,
    status: status.state,
    since: timeJson(status.sinceMs),
    error: statusErrorJson(caller !== undefined && ownsHub(caller) ? status.error : statusErrorForAll(status.error)),
    devices,
    can_pair: canPair,
    pairs_by_code: pairsByCode,
    is_set_up: isChosen || devices > 0,
    enabled: enabled.value,
    enabled_fixed_by: enabled.fixedBy,
    fixed_by: fixedBy,
    revision: instance.revision,
  };
  // Only callers who may change the settings see addresses.
  if (caller === undefined || !canCaller(caller, SETTINGS_RIGHT)) return shown;
  const settings = Object.entries(instance.settings).map(([key, setting]) => [key, settingJson(setting)]);
  return {
    ...shown,
    ...reportJson(report),
    settings: { ...Object.fromEntries(settings), ...releasedSettings(instance, directory.find) },
  };
}

function reportJson(report: IntegrationReport | null) {
  if (report === null) return {};
  const { offering, leftOut, bridge } = report;
  return {
    ...(offering === null ? {} : { offering: offeringJson(offering) }),
    ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }),
    ...(bridge === undefined ? {} : bridgeJson(bridge)),
  };
}

function bridgeJson({ codes, fabrics }: BridgeReport) {
  return {
    ...(codes === null ? {} : { pairing: codesJson(codes) }),
    fabrics: [...fabrics],
  };
}

function codesJson({ manualCode: manual_code, qr, remainingS: remaining_s }: BridgeCodes): z.infer<typeof codesSchema> {
  return { manual_code, qr, remaining_s };
}

function offeringJson({ leftOut: left_out, error, ...rest }: OfferingReport): z.infer<typeof offeringSchema> {
  return { ...rest, error: error && withReason(error), left_out };
}

/** The failure of an integration, in the form of the API. */
export function statusErrorJson(error: StatusError | null): z.infer<typeof integrationErrorSchema> | null {
  return error && withReason(error);
}

function settingJson(setting: ShownSetting): z.infer<typeof settingSchema> {
  const { fixedBy: fixed_by } = setting;
  if (setting.type === 'secret') return { is_set: setting.isSet, fixed_by };
  return { value: settingValueJson(setting.value), fixed_by };
}

const stateSchema = z.object({
  id: z.string(),
  status: wordOf('IntegrationState', INTEGRATION_STATES),
  since: timeSchema,
  error: z.nullable(integrationErrorSchema),
});

declareEvents(120, 'device:read', {
  'integration.added': {
    shape: {
      integration: z.object({
        ...stateSchema.shape,
        kind: described('The id of its kind.', z.string()),
        name: z.string(),
      }),
    },
    json: ({ integration, kind, name, status }) => ({
      integration: { ...stateJson(integration, status), kind, name },
    }),
  },
  // A change of its status, or of its name or settings, which the event does not have.
  'integration.changed': {
    shape: { integration: stateSchema },
    json: ({ integration, status }) => ({ integration: stateJson(integration, status) }),
  },
  'integration.removed': {
    shape: { integration: z.object({ id: z.string() }) },
    json: ({ integration }) => ({ integration: { id: integration } }),
  },
});

function stateJson(id: string, { state, sinceMs, error }: IntegrationStatus): z.infer<typeof stateSchema> {
  return { id, status: state, since: timeJson(sinceMs), error: statusErrorJson(statusErrorForAll(error)) };
}
