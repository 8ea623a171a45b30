import { ISSUER_TYPES } from '#core/cause/issuer.ts';
import * as z from 'zod/mini';
import { RECORD_KEY } from '#core/records/keyed-records.ts';
import { MAX_MODE_VALUES, type Mode } from '#core/mode/mode.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, limited, named } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import { declareEvents } from '#http/answer/home-events.ts';

/** A year and a day. */
export const MAX_MODE_S = 366 * 24 * 3600;

export const recordKeySchema = described(
  'Lower-case letters, digits, `_` and `-`. It never changes.',
  z.string().check(z.regex(RECORD_KEY)),
);
const valuesSchema = described(
  'The values that it can have, such as `home`, `away` and `night`.',
  z.array(recordKeySchema).check(
    z.minLength(2),
    z.maxLength(MAX_MODE_VALUES),
    z.refine((values) => new Set(values).size === values.length, 'must not have a value twice'),
  ),
);

const valueNamesAre =
  'As people wrote the values, by value. Absent for one: nobody has named it, and a page has its own word.';
/** Each key is one of the values, of which there are so many. */
const asMany = { maxProperties: MAX_MODE_VALUES };

export const modeCreateSchema = named(
  'ModeCreate',
  z.strictObject({
    key: recordKeySchema,
    name: nameSchema,
    values: valuesSchema,
    value_names: described(valueNamesAre, z.optional(limited(asMany, z.record(recordKeySchema, nameSchema)))),
    value: described('Absent: the first of the values.', z.optional(recordKeySchema)),
  }),
);
export const modeUpdateSchema = named(
  'ModeUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    values: z.optional(valuesSchema),
    value_names: described(
      'Joins the names from before; `null` takes one away, or all. Names go with their values.',
      z.optional(z.nullable(limited(asMany, z.record(recordKeySchema, z.nullable(nameSchema))))),
    ),
  }),
);

/** Who or what changed a record: a login, an API token, or the end of its time. */
export const changedBySchema = z.nullable(
  named('ChangedBy', z.object({ type: z.enum([...ISSUER_TYPES, 'until']), id: z.nullable(z.string()) })),
);

export const modeSchema = named(
  'Mode',
  described(
    'What the home is set to. A mode changes no one’s rights.',
    z.object({
      key: described('Lower-case letters, digits, `_` and `-`; it never changes.', z.string()),
      name: z.string(),
      values: described('The values that it can have.', z.array(z.string())),
      value_names: described(valueNamesAre, z.record(z.string(), z.string())),
      value: described('The present one of its values.', z.string()),
      changed_at: described('`null`: never yet.', z.nullable(timeSchema)),
      changed_by: described('`until`: its time was over. `null`: never changed yet.', changedBySchema),
      until: described('When the value ends; `null` if it stays.', z.nullable(timeSchema)),
      next: described('What follows at that time.', z.nullable(z.string())),
      revision: z.int(),
    }),
  ),
);

export const modeSettingSchema = named(
  'ModeSetting',
  takingShown(
    z.strictObject({
      value: recordKeySchema,
      until: described(
        'The time at which the value ends. Refused with `CLOCK_NOT_SET` while the machine does not know the time.',
        z.optional(z.nullable(z.iso.datetime({ offset: true }))),
      ),
      for_s: described(
        'Seconds after which the value ends, in place of `until`.',
        z.optional(z.nullable(z.int().check(z.gte(1), z.lte(MAX_MODE_S)))),
      ),
      next: described(
        'What follows. `null` and absent: the value from before.',
        z.optional(z.nullable(recordKeySchema)),
      ),
    }),
    modeSchema,
    ['key', 'name', 'values', 'value_names'],
  ),
);

type ChangedBy = z.infer<typeof changedBySchema>;

/** A mode in the form of the API. `endMs`: when its value ends, on the hub's clock. */
export function modeJson(mode: Mode, endMs: number | undefined): z.infer<typeof modeSchema> {
  const { key, name, values, valueNames = {}, value, changedAtMs, changedBy, until, revision } = mode;
  return {
    key,
    name,
    values: [...values],
    value_names: valueNames,
    value,
    changed_at: changedBy === null ? null : timeJson(changedAtMs),
    changed_by: changedByJson(changedBy),
    until: endMs === undefined ? null : timeJson(endMs),
    next: until?.next ?? null,
    revision,
  };
}

export function changedByJson(by: Mode['changedBy']): ChangedBy {
  if (by === null) return null;
  return by === 'until' ? { type: 'until', id: null } : { type: by.type, id: by.id };
}

declareEvents(30, 'device:read', {
  'mode.changed': {
    about: 'Added, set, changed, or removed. Only for callers that see the whole home.',
    shape: { mode: modeSchema, gone: z.boolean() },
    json: ({ mode, endMs, isGone }) => ({ mode: modeJson(mode, endMs), gone: isGone }),
  },
});
