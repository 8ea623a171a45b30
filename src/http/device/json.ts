import { isSensitive } from '#core/device/sensitive.ts';
import { isInAllOff } from '#core/scene/all-off.ts';
import * as z from 'zod/mini';
import type { JsonValue } from '#base/json.ts';
import type { Availability, Device } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { actionsOf } from '#core/command/command-request.ts';
import { AVAILABILITY_STATES, DEVICE_TYPES, deviceName } from '#core/device/device.ts';
import type { Feature, FeatureState } from '#core/feature/feature.ts';
import { QUALITIES, UNREPORTED } from '#core/feature/feature.ts';
import { FEATURE_CATEGORIES, FEATURE_KINDS, VALUE_TYPES } from '#core/feature/value-type.ts';
import { iconSchema, nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { roomReferenceSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const nullableString = z.nullable(z.string());
const nullableNumber = z.nullable(z.number());

export const featureSchema = named(
  'Feature',
  described(
    'Something that a device reports or can do, with its present value.',
    z.object({
      key: described('`on` on the component `main`, `left.on` elsewhere; unique in the device and stable.', z.string()),
      capability: described('A word from `GET /api/v1/vocabulary`, or `x.…` if it has none there.', z.string()),
      component: described('Part of the device; `main` if it has only one.', z.string()),
      kind: described(
        'A `state` has a value, an `action` is done, an `event` only happens.',
        wordOf('FeatureKind', FEATURE_KINDS),
      ),
      category: described(
        '`primary`: what people use; `config`: a setting; `diagnostic`: for who looks after the device.',
        wordOf('FeatureCategory', FEATURE_CATEGORIES),
      ),
      name: described('What people call it, in English.', z.string()),
      description: described('What it does, in the words of its maker; absent: unknown.', z.optional(z.string())),
      value_type: described(
        '`schema` describes `object` and `list`; `none` is an action without input.',
        wordOf('ValueType', VALUE_TYPES),
      ),
      readable: described('Whether the device reports its value.', z.boolean()),
      writable: described('Whether commands can set it, or do it.', z.boolean()),
      unit: described('A unit from `GET /api/v1/vocabulary`, or the maker’s own.', z.nullable(z.string())),
      min: described('The least number, in its unit; `null`: no limit.', nullableNumber),
      max: described('The greatest number, in its unit; `null`: no limit.', nullableNumber),
      step: described('The distance between two numbers that it can have; `null`: unknown.', nullableNumber),
      options: described(
        'The values of an `enum`, or the actions that an event can report.',
        z.nullable(z.array(z.string())),
      ),
      schema: described(
        'JSON Schema of the value, if its type does not describe it fully.',
        z.optional(z.record(z.string(), z.unknown())),
      ),
      source: described(
        'The id of what the feature comes from, where the device is put together of parts that have ids of their own.',
        z.optional(z.string()),
      ),
      measures: described(
        'What a person said that it measures, with the unit in which the device sends it. Absent where nobody did.',
        z.optional(
          z.object({
            capability: described('The word of the vocabulary for what it measures.', z.string()),
            unit: described('The unit in which the device sends it; `null`: that of the word.', nullableString),
          }),
        ),
      ),
      value: described(
        'A value of the type `value_type`: a boolean, a number or a string; for a color an object with `x` and `y`, or with `hue` and `saturation`. `null` before the first report.',
        z.unknown(),
      ),
      quality: described(
        '`confirmed`: the device reported it. `assumed`: sent, not yet reported. `restored`: from before the restart. `stale`: no report for longer than the rule for this device allows, or a lamp has its color in the other way by now (`color` or `color_temperature`). `none`: never reported, or the device says that it does not know (any more).',
        wordOf('Quality', QUALITIES),
      ),
      observed_at: described('Time of the last report, even if it repeated the value.', z.nullable(timeSchema)),
      changed_at: described('Time of the last change of the value.', z.nullable(timeSchema)),
    }),
  ),
);

export const deviceReferenceSchema = named('DeviceReference', z.object({ id: z.uuid(), selector: z.string() }));

/** The device in the event of a feature, with what a message to people needs. */
export const eventDeviceSchema = named(
  'EventDevice',
  z.object({
    ...deviceReferenceSchema.shape,
    name: described('As people call it.', z.optional(z.string())),
    room: described('Selector of its room; `null` without one.', z.optional(z.nullable(z.string()))),
  }),
);

export const deviceSchema = named(
  'Device',
  z.object({
    id: z.uuid(),
    selector: described('Stable, readable and unique. Every call takes it in place of the id.', z.string()),
    name: z.string(),
    type: described('What it is, in the words of Matter; `other` if nothing fits.', wordOf('DeviceType', DEVICE_TYPES)),
    room: z.nullable(roomReferenceSchema),
    integration: z.string(),
    parent: described(
      'The device that reaches this one, such as a bridge, or that this one is a part of; `null` if there is none.',
      z.nullable(z.object({ id: z.uuid() })),
    ),
    external_id: described(
      'The address of the device in its protocol. Together with `integration` it identifies the device: the `id` stays the same for ever.',
      z.string(),
    ),
    manufacturer: described('Who made it; `null`: unknown.', nullableString),
    model: described('What its maker calls it; `null`: unknown.', nullableString),
    firmware: described('Version of its software; `null`: unknown.', nullableString),
    availability: named(
      'Availability',
      described(
        'Whether the hub can reach the device. Values do not show it.',
        z.object({
          state: described(
            '`asleep`: it wakes up from time to time, and a command waits for that.',
            wordOf('AvailabilityState', AVAILABILITY_STATES),
          ),
          since: timeSchema,
          last_seen_at: described(
            'May be up to 60 s old in lists. A change of this field alone changes no ETag and makes no event.',
            z.nullable(timeSchema),
          ),
          reason: described('Why the device is not online, as a short snake_case word.', z.nullable(z.string())),
        }),
      ),
    ),
    features: described('All that it reports and can do.', z.array(featureSchema)),
    actions: described(
      'What `do` of a command may be: actions without a value, and `toggle` or `left.toggle` for each switch.',
      z.optional(z.array(z.string())),
    ),
    sensitive: described(
      'It opens, guards or floods the home: only callers with the right `device:control_sensitive` may move it.',
      z.boolean(),
    ),
    all_off: described('Whether "All off" turns it off.', z.boolean()),
    all_off_by: described(
      'Who decided that: `type`: lights, fans and media are turned off, and plugs with the picture `light`; `person`: somebody set `all_off`.',
      z.enum(['type', 'person']),
    ),
    icon: described('Chosen by a person; `null`: that of the type.', z.nullable(z.string())),
    revision: described('Counts changes of name, room, identity and features, not of values; for `If-Match`.', z.int()),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

export const deviceUpdateSchema = named(
  'DeviceUpdate',
  z.strictObject({
    name: described('`null` brings back the name from the integration.', z.optional(z.nullable(nameSchema))),
    room: described('Id or selector; `null` takes the device out of its room.', z.optional(z.nullable(z.string()))),
    sensitive: described(
      'Marks the device as sensitive, or removes that mark; a lock stays sensitive without it.',
      z.optional(z.boolean()),
    ),
    all_off: described(
      '`false` leaves the device out of "All off", `true` takes it in, as the plug of a lamp; `null`: its type decides.',
      z.optional(z.nullable(z.boolean())),
    ),
    icon: described('A word for the pictures of your client; `null`: that of the type.', z.optional(iconSchema)),
  }),
);

export type FindRoom = (id: RoomId) => Room | undefined;
type DeviceFieldOf = (device: Device, findRoom: FindRoom) => unknown;

/** The encoder of each field, in the order of the fields. */
const FIELDS = {
  id: (device) => device.id,
  selector: (device) => device.selector,
  name: deviceName,
  type: (device) => device.type,
  room: (device, findRoom) => roomReference(device.roomId === null ? undefined : findRoom(device.roomId)),
  integration: (device) => device.integration,
  parent: ({ parentId = null }) => (parentId === null ? null : { id: parentId }),
  external_id: (device) => device.externalId,
  manufacturer: (device) => device.manufacturer,
  model: (device) => device.model,
  firmware: (device) => device.firmware,
  availability: (device) => availabilityJson(device.availability),
  sensitive: isSensitive,
  all_off: isInAllOff,
  all_off_by: ({ isLeftOn }) => (isLeftOn === undefined ? 'type' : 'person'),
  icon: ({ icon = null }) => icon,
  features: (device) => device.features.map((one) => featureJson(one, device)),
  actions: (device) => [...actionsOf(device)],
  revision: (device) => device.revision,
  created_at: (device) => timeJson(device.createdAtMs),
  updated_at: (device) => timeJson(device.updatedAtMs),
} satisfies Record<keyof z.infer<typeof deviceSchema>, DeviceFieldOf>;

export type DeviceField = keyof typeof FIELDS;
export const DEVICE_FIELDS = Object.keys(FIELDS) as DeviceField[];

/** A device in the form of the API, or some fields of it. */
export function deviceJson(
  device: Device,
  findRoom: FindRoom,
  fields: readonly DeviceField[] = DEVICE_FIELDS,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of fields) json[field] = FIELDS[field](device, findRoom);
  return json;
}

function availabilityJson(availability: Availability): z.infer<typeof deviceSchema>['availability'] {
  return {
    state: availability.state,
    since: timeJson(availability.sinceMs),
    last_seen_at: timeJson(availability.lastSeenAtMs),
    reason: availability.reason,
  };
}

/** The part of a feature that changes with each report. */
export function featureStateJson(state: FeatureState): {
  value: JsonValue;
  quality: FeatureState['quality'];
  observed_at: string | null;
  changed_at: string | null;
} {
  return {
    value: state.value,
    quality: state.quality,
    observed_at: timeJson(state.observedAtMs),
    changed_at: timeJson(state.changedAtMs),
  };
}

export function featureJson(feature: Feature, { states, measures }: Device): z.infer<typeof featureSchema> {
  const measure = measures?.find(({ described }) => described.key === feature.key);
  return {
    key: feature.key,
    capability: feature.capability,
    component: feature.component,
    kind: feature.kind,
    category: feature.category,
    name: feature.name,
    ...(feature.description === null ? {} : { description: feature.description }),
    value_type: feature.valueType,
    readable: feature.readable,
    writable: feature.writable,
    unit: feature.unit,
    min: feature.min,
    max: feature.max,
    step: feature.step,
    options: feature.options === null ? null : [...feature.options],
    ...(feature.schema === null ? {} : { schema: feature.schema }),
    ...(feature.source === undefined ? {} : { source: feature.source }),
    ...(measure === undefined ? {} : { measures: { capability: measure.capability, unit: measure.unit } }),
    ...featureStateJson(states.get(feature.key) ?? UNREPORTED),
  };
}

function roomReference(room: Room | undefined): z.infer<typeof deviceSchema>['room'] {
  return room === undefined ? null : { id: room.id, selector: room.selector, name: room.name };
}

declareEvents(10, null, {
  'device.added': { shape: { device: deviceSchema }, json: wholeDevice },
  // A change of name, room, identity or features.
  'device.changed': { shape: { device: deviceSchema }, json: wholeDevice },
  'device.removed': {
    shape: { device: deviceReferenceSchema },
    json: ({ device }) => ({ device: referenceTo(device) }),
  },
});
declareEvents(60, null, {
  'availability.changed': {
    shape: { device: eventDeviceSchema, availability: deviceSchema.shape.availability },
    json: ({ device, availability }, deps) => ({
      device: eventDevice(device, deps),
      availability: availabilityJson(availability),
    }),
  },
});

function wholeDevice({ device }: { readonly device: Device }, { findRoom }: { readonly findRoom: FindRoom }) {
  return { device: deviceJson(device, findRoom) };
}

export function eventDevice(device: Device, { findRoom }: { readonly findRoom: FindRoom }) {
  const room = device.roomId === null ? null : (findRoom(device.roomId)?.selector ?? null);
  return { ...referenceTo(device), name: deviceName(device), room } satisfies z.infer<typeof eventDeviceSchema>;
}

function referenceTo({ id, selector }: Device): z.infer<typeof deviceReferenceSchema> {
  return { id, selector };
}
