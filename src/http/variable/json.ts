import * as z from 'zod/mini';
import { MAX_OPTIONS, type Variable, VARIABLE_TYPES } from '#core/variable/variable.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { changedByJson, changedBySchema, recordKeySchema } from '#http/mode/json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import { declareEvents } from '#http/answer/home-events.ts';

/** Which values a variable takes depends on its type; `core/variable` checks it. */
const valueSchema = described(
  'A boolean, a number or a text, as its `type` says.',
  z.union([z.boolean(), z.number(), z.string()]),
);
const limitSchema = z.nullable(z.number());
const limitFields = {
  min: described('The least that a number may be; `null`: no limit.', z.optional(limitSchema)),
  max: described('The greatest that a number may be; `null`: no limit.', z.optional(limitSchema)),
};
const optionsSchema = described('The values of an enum.', z.array(nameSchema).check(z.maxLength(MAX_OPTIONS)));

export const variableCreateSchema = named(
  'VariableCreate',
  z.strictObject({
    key: recordKeySchema,
    name: nameSchema,
    type: described('`time` is a time of day such as `22:30`.', wordOf('VariableType', VARIABLE_TYPES)),
    value: valueSchema,
    ...limitFields,
    options: z.optional(optionsSchema),
  }),
);
export const variableUpdateSchema = named(
  'VariableUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    ...limitFields,
    options: z.optional(optionsSchema),
  }),
);
export const variableSchema = named(
  'Variable',
  described(
    'A value that people and automations keep: a bedtime, a counter, whether guests are there.',
    z.object({
      key: described('Lower-case letters, digits, `_` and `-`; it never changes.', z.string()),
      name: z.string(),
      type: described('`time` is a time of day such as `22:30`.', wordOf('VariableType', VARIABLE_TYPES)),
      value: valueSchema,
      min: limitSchema,
      max: limitSchema,
      options: described('The values of an enum; empty for other types.', z.array(z.string())),
      changed_at: timeSchema,
      changed_by: described('`null`: as it was made.', changedBySchema),
      revision: z.int(),
    }),
  ),
);

export const variableSettingSchema = named(
  'VariableSetting',
  takingShown(z.strictObject({ value: valueSchema }), variableSchema, ['key', 'name', 'type', 'min', 'max', 'options']),
);

/** A variable in the form of the API. */
export function variableJson(variable: Variable): z.infer<typeof variableSchema> {
  const { key, name, type, value, min, max, options, changedAtMs, changedBy, revision } = variable;
  const changed = { changed_at: timeJson(changedAtMs), changed_by: changedByJson(changedBy) };
  return { key, name, type, value, min, max, options: [...options], ...changed, revision };
}

declareEvents(40, 'automation:read', {
  'variable.changed': {
    about: 'Added, set, changed, or removed. Only for callers with the right `automation:read`.',
    shape: { variable: variableSchema, gone: z.boolean() },
    json: ({ variable, isGone }) => ({ variable: variableJson(variable), gone: isGone }),
  },
});
