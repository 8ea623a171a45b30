import * as z from 'zod/mini';
import type { JsonObject } from '#base/json.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { fittingDevices } from '#core/automation-template/inputs.ts';
import { stepKindsOf } from '#core/automation-template/template-faults.ts';
import { INPUT_KINDS, type Template, TEMPLATE_LIMITS } from '#core/automation-template/template.ts';
import { RECORD_KEY } from '#core/records/keyed-records.ts';
import { DEVICE_TYPES, type Device, deviceName } from '#core/device/device.ts';
import { automationChangeSchema } from '#http/automation/course-json.ts';
import { automationReferenceSchema, automationSavedSchema, shownDefinition } from '#http/automation/json.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { described, named, wordOf } from '#http/note/described.ts';

const valuesSchema = z.record(z.string(), z.unknown());

export const templateSummarySchema = named(
  'AutomationTemplateSummary',
  z.object({
    id: z.string(),
    version: z.int(),
    name: z.string(),
    description: z.string(),
    builtin: described('It comes with the hub.', z.boolean()),
  }),
);

const fittingSchema = named(
  'AutomationTemplateFit',
  z.object({
    device: automationReferenceSchema,
    keys: described('Its features that fit.', z.array(z.string())),
  }),
);
const inputSchema = named(
  'AutomationTemplateInput',
  z.looseObject({
    label: z.string(),
    hint: z.optional(z.string()),
    kind: described('What can be chosen or typed in.', wordOf('TemplateInputKind', INPUT_KINDS)),
    many: described('It takes a list.', z.optional(z.boolean())),
    optional: described('It may be left out.', z.optional(z.boolean())),
    default: described(
      'What holds if it is left out; absent: it is needed, or there is none.',
      z.optional(z.unknown()),
    ),
    unit: z.optional(z.string()),
    min: z.optional(z.number()),
    max: z.optional(z.number()),
    options: described('What can be chosen, for `choice`.', z.optional(z.array(z.string()))),
    fits: described('Of `device` and `feature`: the devices of the home that can be chosen.', z.array(fittingSchema)),
  }),
);
const useSchema = named(
  'AutomationTemplateUse',
  z.object({
    automation: automationReferenceSchema,
    version: described('Of the template, when the automation was made or brought up to date.', z.int()),
  }),
);
export const templateSchema = named(
  'AutomationTemplate',
  z.object({
    ...templateSummarySchema.shape,
    inputs: described(
      'What is asked for when an automation is made of it, by name.',
      z.record(z.string(), inputSchema),
    ),
    definition: described('With nodes that stand for inputs.', valuesSchema),
    step_kinds: described('The kinds of steps that automations made of it can have.', z.array(z.string())),
    used_by: described('Automations that were made of it.', z.array(useSchema)),
  }),
);

const line = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const capabilitySchema = line(100);
const inputWishSchema = named(
  'AutomationTemplateInputImport',
  z.strictObject({
    label: described('What people are asked for.', line(100)),
    hint: described('A sentence that explains it; by default none.', z.optional(line(500))),
    kind: described('What can be chosen or typed in.', wordOf('TemplateInputKind', INPUT_KINDS)),
    optional: described('`true`: it may be left out; by default it is needed.', z.optional(z.boolean())),
    default: described('Not of devices, features, rooms and scenes.', z.optional(z.unknown())),
    capability: described('Of `device`.', z.optional(capabilitySchema)),
    writable: described('Of `device`.', z.optional(z.boolean())),
    type: described('Of `device`.', z.optional(wordOf('DeviceType', DEVICE_TYPES))),
    light: described(
      'Of `device`: only lights are offered, and plugs that a person gave the picture of a lamp.',
      z.optional(z.boolean()),
    ),
    many: described('Of `device` and `feature`.', z.optional(z.boolean())),
    capabilities: described(
      'Of `feature`.',
      z.optional(z.array(capabilitySchema).check(z.minLength(1), z.maxLength(20))),
    ),
    min: described('Of `number`.', z.optional(z.number())),
    max: described('Of `number`.', z.optional(z.number())),
    unit: described('Of `number`.', z.optional(line(40))),
    options: described('Of `choice`.', z.optional(z.array(line(100)).check(z.minLength(1), z.maxLength(50)))),
    fits: described('As a hub shows it; not read.', z.optional(z.array(z.unknown()))),
  }),
);
export type InputWish = z.infer<typeof inputWishSchema>;

const KEY_HINT = 'Lower-case letters, digits, `_` and `-`.';
export const templateWishSchema = named(
  'AutomationTemplateImport',
  z.strictObject({
    id: described(KEY_HINT, z.string().check(z.maxLength(40), z.regex(RECORD_KEY))),
    version: described('Of a newer version, higher than before.', z.int().check(z.gte(1), z.lte(1_000_000))),
    name: nameSchema,
    description: described(
      'What automations made of it do; by default empty.',
      z.optional(z.string().check(z.maxLength(TEMPLATE_LIMITS.description))),
    ),
    inputs: described(
      'What is asked for when an automation is made of it, by names of your own; by default nothing.',
      z.optional(z.record(z.string().check(z.maxLength(40), z.regex(/^[a-z][a-z0-9_]*$/)), inputWishSchema)),
    ),
    definition: described(
      'As in `POST /api/v1/automation`, with nodes that stand for inputs: `{"input": "lamp"}`.',
      valuesSchema,
    ),
    builtin: described('As a hub shows it; not read.', z.optional(z.boolean())),
    step_kinds: described('As a hub shows it; not read.', z.optional(z.array(z.unknown()))),
    used_by: described('As a hub shows it; not read.', z.optional(z.array(z.unknown()))),
  }),
);
export type TemplateWish = z.infer<typeof templateWishSchema>;

export const instantiateSchema = named(
  'AutomationTemplateInstance',
  z.strictObject({
    inputs: described(
      'By name. A `device` or `scene` is an id or selector, a `feature` is that or `{"device", "key"}`. Those that are absent are as in the automation, else as usual.',
      z.optional(valuesSchema),
    ),
    name: described('Absent: the name of the template.', z.optional(nameSchema)),
    room: described(
      'Id or selector of the room of the automation; `null` and absent: none.',
      z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(200)))),
    ),
    enabled: described(
      'Whether it runs at once; by default it does, if the hub brought the template.',
      z.optional(z.boolean()),
    ),
    automation: described(
      'Id or selector of an automation that was made of this template: it is brought up to date.',
      z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    ),
  }),
);

export const templateTrialSchema = named(
  'AutomationTemplateTrial',
  described(
    'What would be made, and where it would differ from the automation.',
    z.object({
      triggers: shownDefinition.triggers,
      conditions: shownDefinition.conditions,
      steps: shownDefinition.steps,
      differences: described('Where the two differ.', z.array(automationChangeSchema)),
      warnings: automationSavedSchema.shape.warnings,
    }),
  ),
);

export function templateSummaryJson(
  { id, version, name, description }: Template,
  isBuiltIn: boolean,
): z.infer<typeof templateSummarySchema> {
  return { id, version, name, description, builtin: isBuiltIn };
}

export type ShownTemplate = { readonly template: Template; readonly isBuiltIn: boolean };

/** With the devices of the home that fit into its holes, and the automations that were made of it. */
export function templateJson(
  { template, isBuiltIn }: ShownTemplate,
  devices: readonly Device[],
  automations: readonly AutomationRecord[],
): z.infer<typeof templateSchema> {
  const inputs = Object.entries(template.inputs).map(([name, input]) => {
    const fits = fittingDevices(input, devices).map(({ device, keys }) => ({
      device: { id: device.id, selector: device.selector, name: deviceName(device) },
      keys: [...keys],
    }));
    return [name, { ...input, fits }] as const;
  });
  const usedBy = automations.flatMap(({ id, selector, name, template: use }) =>
    use?.id === template.id ? [{ automation: { id, selector, name }, version: use.version }] : [],
  );
  return {
    ...templateSummaryJson(template, isBuiltIn),
    inputs: Object.fromEntries(inputs) as JsonObject as z.infer<typeof templateSchema>['inputs'],
    definition: { ...template.definition },
    step_kinds: [...stepKindsOf(template)],
    used_by: usedBy,
  };
}
