import { fieldErrorSchema } from '#http/answer/problem.ts';
import * as z from 'zod/mini';
import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { AVAILABILITY_STATES, DEVICE_TYPES } from '#core/device/device.ts';
import { type IntegrationStatus, INTEGRATION_STATES } from '#core/integration/integration-status.ts';
import { FEATURE_CATEGORIES, FEATURE_KINDS, VALUE_TYPES } from '#core/feature/value-type.ts';
import { LEASE_S, type ProviderCommand } from '#core/provider/provider.ts';
import type { StatedReport } from '#core/provider/state-report.ts';
import { limit } from '#words/limits.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { integrationErrorSchema, statusErrorJson } from '#http/integration/json.ts';
import { described, limited, named, wordOf } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import { fieldErrorsFrom } from '#http/routing/field-errors.ts';

export type ShownProvider = {
  readonly id: string;
  readonly name: string;
  readonly leaseS: number;
  readonly status: IntegrationStatus;
  readonly devices: number;
};

/** The limit of one request. */
export const MAX_REPORTS = 1_000;
export const MAX_WAIT_S = 60;
const MAX_FEATURES = 2_000;

const leaseSchema = z.int().check(z.gte(LEASE_S.min), z.lte(LEASE_S.max));
export const providerSchema = named(
  'Provider',
  described(
    'A script that is an integration.',
    z.object({
      id: described('The name in the path, and the `integration` of its devices.', z.string()),
      name: described('What people see.', z.string()),
      lease_s: described('After a silence of this many seconds its devices are offline.', leaseSchema),
      status: described(
        '`connecting` until its first call after a start of the hub.',
        wordOf('IntegrationState', INTEGRATION_STATES),
      ),
      since: timeSchema,
      error: z.nullable(integrationErrorSchema),
      devices: described('How many devices it has.', z.int()),
    }),
  ),
);
export const providerUpdateSchema = named(
  'ProviderUpdate',
  takingShown(
    z.strictObject({
      name: described('What people see; by default the name in the address.', z.optional(nameSchema)),
      lease_s: described('By default 300.', z.optional(leaseSchema)),
    }),
    providerSchema,
    ['id'],
  ),
);

/** Words of the maker or of the script, for people. */
export const providerTextSchema = limited(
  { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$` },
  z.string().check(z.trim(), z.minLength(1), z.maxLength(200), z.regex(/^\P{Cc}*$/u)),
);
const keySchema = z.string().check(z.maxLength(128), z.regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/));
const limitSchema = z.optional(z.nullable(z.number()));
const optionSchema = z.string().check(z.minLength(1), z.maxLength(64));
export const declaredFeatureSchema = named(
  'ProviderFeature',
  described(
    'As in `GET /api/v1/device`. What is absent or `null` is as the vocabulary has it.',
    z.strictObject({
      key: described('Unique in the device, as `on` or `left.on`.', keySchema),
      capability: described('A word of the vocabulary, or `x.…` if it has none.', z.string().check(z.maxLength(66))),
      kind: described(
        'A `state` has a value, an `action` is done, an `event` only happens. By default as the vocabulary has it.',
        z.optional(wordOf('FeatureKind', FEATURE_KINDS)),
      ),
      value_type: described(
        'What its values are; `none`: an action without input. By default as the vocabulary has it.',
        z.optional(wordOf('ValueType', VALUE_TYPES)),
      ),
      component: described('The part of the device that it belongs to; by default `main`.', z.optional(keySchema)),
      category: described(
        '`primary`: what people use; `config`: a setting; `diagnostic`: for who looks after the device.',
        z.optional(wordOf('FeatureCategory', FEATURE_CATEGORIES)),
      ),
      name: described('What people call it; by default the name of its capability.', z.optional(nameSchema)),
      description: described(
        'For people; `null` and absent: none.',
        z.optional(z.nullable(z.string().check(z.maxLength(500)))),
      ),
      readable: described(
        'Whether the script reports its value; by default true for a state.',
        z.optional(z.boolean()),
      ),
      writable: described('Whether the script takes commands for it.', z.optional(z.boolean())),
      unit: described(
        'A word of the vocabulary has its unit: send values in that unit.',
        z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(32)))),
      ),
      min: described('The least number, in its unit; `null`: no limit.', limitSchema),
      max: described('The greatest number, in its unit; `null`: no limit.', limitSchema),
      step: described('The distance between two numbers that it can have; `null`: any.', limitSchema),
      options: described(
        'Required for an `enum`; for an event the actions that it reports.',
        z.optional(z.nullable(z.array(optionSchema).check(z.minLength(1), z.maxLength(256)))),
      ),
    }),
  ),
);
/** Each is checked by itself, so that a long list holds up nobody. */
const declaredFeaturesSchema = limited(
  { items: { $ref: '#/components/schemas/ProviderFeature' } },
  z.array(z.unknown()).check(z.maxLength(MAX_FEATURES)),
);
export const stateValuesSchema = described(
  'By feature key; `null` for what is not known any more.',
  z.record(z.string(), z.unknown()),
);
const occurrencesSchema = described(
  'What happened and left no value, such as the press of a button.',
  z
    .array(
      z.strictObject({
        key: described('Key of a feature of the kind `event`.', keySchema),
        action: described(
          'What was done, such as `single` or `hold`.',
          z.string().check(z.minLength(1), z.maxLength(64)),
        ),
        count: described('How many times; by default unknown.', z.optional(z.int().check(z.gte(1), z.lte(1_000)))),
        raw: described('The word of the maker; by default the action.', z.optional(z.string().check(z.maxLength(64)))),
      }),
    )
    .check(z.maxLength(100)),
);
export const declaredDeviceSchema = named(
  'ProviderDevice',
  z.strictObject({
    name: described('What people call it, until they choose another name.', nameSchema),
    type: described('What it is, in the words of Matter; `other` if nothing fits.', wordOf('DeviceType', DEVICE_TYPES)),
    manufacturer: described('Who made it; `null` and absent: unknown.', z.optional(z.nullable(providerTextSchema))),
    model: described(
      'What the maker calls it; `null` and absent: unknown.',
      z.optional(z.nullable(providerTextSchema)),
    ),
    firmware: described(
      'Version of its software; `null` and absent: unknown.',
      z.optional(z.nullable(providerTextSchema)),
    ),
    stale_after_s: described(
      'Without a report for this many seconds the values of the device are `stale`; `null` for never.',
      z.optional(z.nullable(z.int().check(z.gte(1), z.lte(2_592_000)))),
    ),
    features: described('All that it reports and takes; what is absent from now on is gone.', declaredFeaturesSchema),
    values: described(
      'What the device reports with this call, by feature key: a sensor needs no other call.',
      z.optional(stateValuesSchema),
    ),
    occurrences: z.optional(occurrencesSchema),
  }),
);
export const providedDeviceSchema = named(
  'ProvidedDevice',
  z.object({ id: z.uuid(), selector: z.string(), external_id: z.string() }),
);

const externalIdSchema = z.string().check(z.minLength(1), z.maxLength(128));
export const stateReportSchema = named(
  'ProviderReport',
  described(
    'What one device did. It is taken whole or not at all.',
    z.strictObject({
      device: described('Its external id.', externalIdSchema),
      values: z.optional(stateValuesSchema),
      occurrences: z.optional(occurrencesSchema),
      observed_at: described(
        'When the device had these values, if not now: at most a day ago.',
        z.optional(z.iso.datetime({ offset: true })),
      ),
      availability: described(
        'By default a device that reports is `online`.',
        z.optional(wordOf('AvailabilityState', AVAILABILITY_STATES)),
      ),
    }),
  ),
);
/** Each is checked by itself, so that one that is wrong leaves the others, and a long list holds up nobody. */
const stateReportsSchema = limited(
  { items: { $ref: '#/components/schemas/ProviderReport' }, maxItems: 1_000 },
  z.array(z.unknown()),
);
export const stateSchema = named(
  'ProviderState',
  z.strictObject({
    reports: described('Each is taken by itself; one that is wrong does not hold up the others.', stateReportsSchema),
  }),
);
export const stateAnswerSchema = named(
  'ProviderStateAnswer',
  z.object({
    taken: described('How many reports.', z.int()),
    refused: described(
      'The others, by their place in `reports`. The hub took nothing of them.',
      z.array(
        z.object({
          report: described('Its place in `reports`, from 0 on.', z.int()),
          device: described('`null` if the report names none.', z.nullable(z.string())),
          errors: described('What is wrong with it.', z.array(fieldErrorSchema)),
        }),
      ),
    ),
  }),
);

const providerCommandSchema = named(
  'ProviderCommand',
  z.object({
    id: described('For the answer. A command that comes again has the same id.', z.string()),
    device: described('Its external id.', z.string()),
    set: described('Values to set, by feature key.', z.optional(z.record(z.string(), z.unknown()))),
    do: described('Key of the action to start.', z.optional(z.string())),
    transition_ms: z.optional(z.int()),
    deadline: described('After it nobody waits for the command: do not carry it out any more.', timeSchema),
  }),
);
export const providerCommandsSchema = named(
  'ProviderCommands',
  z.object({
    commands: described(
      'What the script has to do; none if nobody asked within the wait.',
      z.array(providerCommandSchema),
    ),
  }),
);

export function providerJson({ status, ...shown }: ShownProvider): z.infer<typeof providerSchema> {
  const { id, name, leaseS, devices } = shown;
  return {
    id,
    name,
    lease_s: leaseS,
    status: status.state,
    since: timeJson(status.sinceMs),
    error: statusErrorJson(status.error),
    devices,
  };
}

export function commandJson(command: ProviderCommand): z.infer<typeof providerCommandSchema> {
  const { id, externalId, set, action, transitionMs, deadlineMs } = command;
  return {
    id,
    device: externalId,
    ...(set.size === 0 ? {} : { set: Object.fromEntries(set) }),
    ...(action === null ? {} : { do: action }),
    ...(transitionMs === null ? {} : { transition_ms: transitionMs }),
    deadline: timeJson(deadlineMs),
  };
}

type Form<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** Checks a part of a body by its schema. `at` is its pointer. */
export function readForm<Value>(schema: z.ZodMiniType<Value>, part: unknown, at: string): Form<Value> {
  const result = z.safeParse(schema, part);
  if (result.success) return { value: result.data };
  const errors = fieldErrorsFrom(result.error.issues, part);
  return { errors: errors.map((error) => ({ ...error, pointer: at + error.pointer })) };
}

/** The body was parsed as JSON, so each value is JSON. */
export function statedFrom(report: Omit<z.infer<typeof stateReportSchema>, 'device'>): StatedReport {
  const { values, occurrences, observed_at: observedAt, availability } = report;
  return {
    values: values as Record<string, JsonValue> | undefined,
    occurrences: occurrences ?? [],
    observedAtMs: observedAt === undefined ? undefined : Date.parse(observedAt),
    availability,
  };
}

/** Before each value is looked at: a device has no more features. */
export function tooManyValues(part: unknown, at: string): { readonly errors: readonly FieldError[] } | undefined {
  const values = isJsonObject(part) ? part['values'] : undefined;
  const most = DEVICE_LIMITS.features;
  if (!isJsonObject(values) || Object.keys(values).length <= most) return undefined;
  return { errors: [fieldError(`${at}/values`, 'TOO_LONG', `must have at most ${most}`, limit('most', { most }))] };
}
