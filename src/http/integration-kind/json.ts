import * as z from 'zod/mini';
import type { JsonValue } from '#base/json.ts';
import type { Field, SettingsShape } from '#core/integration/settings-shape.ts';
import { described, named } from '#http/note/described.ts';

/** A kind as clients choose it. */
export type ListedKind = {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly instances: 'one' | 'many';
  readonly settings: SettingsShape;
  readonly isDiscovered: boolean;
  /** Whether a set-up can be started for it now. */
  readonly canSetUp: boolean;
  readonly pairingHint?: string;
  readonly removalHint?: string;
  readonly help?: readonly string[];
};

const placesSchema = z.object({
  rooms: described('Ids of rooms.', z.array(z.string())),
  devices: described('Ids of devices.', z.array(z.string())),
});
/** The value of a setting; each type has one form. */
export const settingValueSchema = z.nullable(z.union([z.string(), z.number(), z.boolean(), placesSchema]));
type SettingValue = z.infer<typeof settingValueSchema>;

/** One object for all types of fields, so that a later type breaks no generated client. */
const settingFieldSchema = named(
  'SettingField',
  described(
    'One setting, as a form draws it. `host` is a name or an address in the LAN with an optional port, `link` the id of another integration of `kind`, `places` an object with lists of `rooms` and `devices` by id (selectors are taken too), `api_token` the id of an API token, whose text is taken too. A `secret` is never shown again, and is needed again when the field in `bound_to` changes.',
    z.object({
      type: described(
        'Which control fits: `secret` is never shown, `places` chooses rooms and devices.',
        z.enum(['text', 'host', 'url', 'integer', 'boolean', 'choice', 'secret', 'link', 'places', 'api_token']),
      ),
      label: z.string(),
      hint: z.nullable(z.string()),
      advanced: described('For few people: to be shown only on demand.', z.boolean()),
      optional: described('May be left out; its value is then `null`.', z.boolean()),
      default: described('Its value if it is left out; `null` if there is none.', settingValueSchema),
      max_length: described('The most characters that it may have.', z.optional(z.int())),
      pattern: described('A regular expression of JavaScript for the whole text.', z.optional(z.string())),
      default_port: described('The port where the text names none.', z.optional(z.int())),
      schemes: described('What a URL may begin with, such as `https`.', z.optional(z.array(z.string()))),
      min: z.optional(z.int()),
      max: z.optional(z.int()),
      options: described(
        'What can be chosen, for `choice`.',
        z.optional(z.array(z.object({ id: z.string(), label: z.string() }))),
      ),
      bound_to: described(
        'The setting with which it goes: a new value of that one needs this one again.',
        z.optional(z.string()),
      ),
      kind: described('For `link`: the kind of integration that it chooses.', z.optional(z.string())),
    }),
  ),
);
export const settingFieldsSchema = z.record(z.string(), settingFieldSchema);

export const integrationKindSchema = named(
  'IntegrationKind',
  z.object({
    id: z.string(),
    name: z.string(),
    about: described('One sentence.', z.string()),
    instances: described('How many integrations of this kind there can be.', z.enum(['one', 'many'])),
    discovered: described('Whether the hub looks for it in the network.', z.boolean()),
    can_set_up: described('Whether a set-up can be started for it now.', z.boolean()),
    pairing_hint: described(
      'What a person does at a new device once pairing is open; `null` if there is nothing to say.',
      z.nullable(z.string()),
    ),
    removal_hint: described(
      'What a removal does about the keys that its devices have of this home; `null` if they have none.',
      z.nullable(z.string()),
    ),
    help: described('What it takes to use this kind, in steps. May be empty.', z.array(z.string())),
    settings: described('The settings of this kind by their names.', settingFieldsSchema),
  }),
);

export function integrationKindJson({
  isDiscovered,
  canSetUp,
  settings,
  pairingHint,
  removalHint,
  help = [],
  ...kind
}: ListedKind): z.infer<typeof integrationKindSchema> {
  const { id, name, about, instances } = kind;
  return {
    id,
    name,
    about,
    instances,
    discovered: isDiscovered,
    can_set_up: canSetUp,
    pairing_hint: pairingHint ?? null,
    removal_hint: removalHint ?? null,
    help: [...help],
    settings: settingFieldsJson(settings),
  };
}

/** In the order of the shape. */
export function settingFieldsJson(shape: SettingsShape): z.infer<typeof settingFieldsSchema> {
  return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, settingFieldJson(field)]));
}

function settingFieldJson(field: Field): z.infer<typeof settingFieldSchema> {
  const { type, label, hint = null, advanced = false, optional = false } = field;
  const preset = 'default' in field ? (field.default ?? null) : null;
  const start = { type, label, hint, advanced, optional, default: settingValueJson(preset) };
  return { ...start, ...limitsJson(field) };
}

/** A value that was checked against the shape of its kind. */
export function settingValueJson(value: JsonValue): SettingValue {
  return value as SettingValue;
}

function limitsJson(field: Field): Partial<z.infer<typeof settingFieldSchema>> {
  switch (field.type) {
    case 'text':
      return { ...present('max_length', field.maxLength), ...present('pattern', field.pattern) };
    case 'host':
      return present('default_port', field.defaultPort);
    case 'url':
      return { schemes: [...field.schemes] };
    case 'integer':
      return { min: field.min, max: field.max };
    case 'choice':
      return { options: field.options.map(({ id, label }) => ({ id, label })) };
    case 'secret':
      return { bound_to: field.boundTo };
    case 'link':
      return { kind: field.kind };
    default:
      return {};
  }
}

function present(name: string, value: string | number | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
