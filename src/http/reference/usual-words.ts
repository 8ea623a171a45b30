import type { JsonSchema } from '#http/note/described.ts';

/**
 * A property whose schema says nothing of it means this. These names mean the same wherever they stand; where one means
 * something else, its schema says so.
 */
const USUAL_WORDS: Readonly<Record<string, string>> = {
  active: 'Whether the home shows it now.',
  at: 'When it happened.',
  automation: 'The automation that is meant; `null`: none.',
  bytes: 'What it takes on disk, in bytes.',
  changed_at: 'When it changed last; `null`: not yet.',
  code: 'A word for programs, of which a later version may have more.',
  created_at: 'When it was made.',
  created_by: 'Who made it; `null`: nobody knows.',
  data: 'What happened, by the type of the event.',
  description: 'What people wrote about it; empty if nothing.',
  device: 'The device that is meant; `null`: none.',
  enabled: '`false`: it is switched off and does nothing.',
  energy: 'The present powers of the home.',
  error: 'What is wrong; `null`: nothing.',
  exporter: 'The exporter that is meant.',
  external_id: 'Address of the device, as its protocol or script knows it.',
  failing_since: 'Since when nothing arrives there; `null`: the last try went well.',
  feature: 'The feature that is meant.',
  fixed_by: 'What sets it outside of the API, so that the API cannot change it; `null`: nothing.',
  gone: '`true`: it was removed.',
  hint: 'A sentence that explains it; `null` and absent: none.',
  icon: 'A word for the pictures of clients, such as `sofa`; `null`: none.',
  id: 'Stays the same for ever, and nothing else of its kind has it.',
  integration: 'Id of the integration through which it comes; `null`: of none.',
  key: 'Key of the feature, such as `on` or `left.on`.',
  label: 'What people read.',
  labels: 'Words of people by which lists are filtered.',
  last_used_at: 'When it was used last; `null`: never.',
  max: 'The greatest that it can be; `null` and absent: no limit.',
  message: 'The same as the code in English, for people.',
  min: 'The least that it can be; `null` and absent: no limit.',
  name: 'What people call it.',
  notification: 'The notification that is meant.',
  outcome: 'How it ended.',
  pairing: 'How the joining of a device goes on.',
  pointer: 'JSON Pointer to the place that is meant (RFC 6901).',
  pointers: 'JSON Pointers to the places that are meant (RFC 6901).',
  presence: 'Where a person is.',
  quality: 'How far the value can be trusted, as `Feature` explains it.',
  reason: 'Why it is so; `null`: there is nothing to say.',
  revision: 'Counts its changes: send it as `If-Match`.',
  right: 'The right that is missing, such as `device:control`.',
  role: 'What the person may do in the home.',
  room: 'The room that is meant, or in which it is; `null`: none.',
  scene: 'The scene that is meant.',
  selector: 'Readable and unique: every call takes it in place of the id.',
  setup: 'The set-up as it is now.',
  since: 'Since when it is so.',
  time_zone: 'IANA time zone in which its days begin, such as `Europe/Berlin`.',
  transition_ms: 'Milliseconds in which lamps fade to it; `null` and absent: as the device does it.',
  trigger: 'Id of the trigger that started it; `null`: no trigger did.',
  unit: 'The unit of its values; `null` and absent: none.',
  updated_at: 'When it changed last.',
  user: 'The person.',
  value: 'The value, whose type depends on what has it; `null`: unknown.',
  version: 'Counts the changes of what it does.',
  via: 'The login or API token with which it was done.',
  warnings: 'What is odd, and is kept all the same.',
};

/** The words end in cases: only a property that can be null, or left out, has them. */
const CASES = /; (`null`|absent|`null` and absent): (.*)$/;

function wordsFor(words: string, can: { readonly isNullable: boolean; readonly isOptional: boolean }): string {
  const cases = [...(can.isNullable ? ['`null`'] : []), ...(can.isOptional ? ['absent'] : [])];
  return words.replace(CASES, (_, said: string, meaning: string) => {
    const left = cases.filter((one) => said.includes(one));
    return left.length === 0 ? '.' : `; ${left.join(' and ')}: ${meaning}`;
  });
}

function isNullable(property: JsonSchema): boolean {
  const { type, anyOf = [] } = property as { readonly type?: unknown; readonly anyOf?: readonly { type?: unknown }[] };
  // A schema without a type takes any value.
  if (type === undefined && anyOf.length === 0) return !('$ref' in property || 'allOf' in property);
  return [type].flat().includes('null') || anyOf.some((one) => one.type === 'null');
}

/** The schema with words for those of its properties that have none. */
export function withUsualWords(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  if (properties === undefined) return schema;
  const worded = Object.entries(properties).map(([name, property]) => {
    const words = Object.hasOwn(USUAL_WORDS, name) ? USUAL_WORDS[name] : undefined;
    if (words === undefined) return [name, property];
    const cases = { isNullable: isNullable(property), isOptional: !required.includes(name) };
    return [name, { description: wordsFor(words, cases), ...property }];
  });
  return { ...schema, properties: Object.fromEntries(worded) };
}
