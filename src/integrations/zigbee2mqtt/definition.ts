import { isJsonObject, type JsonValue } from '#base/json.ts';

/** One expose of a definition, checked: a leaf with a property, or a parent (light, climate, composite, …) of further ones. */
export type Expose = {
  readonly type: string;
  readonly name: string;
  /** Where the value is in a payload; `null` on parents that have no value of their own. */
  readonly property: string | null;
  readonly label: string | null;
  readonly description: string | null;
  readonly endpoint: string | null;
  /** Bit 1: in state payloads, bit 2: settable, bit 4: readable on request. */
  readonly access: number;
  readonly category: string | null;
  readonly unit: string | null;
  readonly valueOn: JsonValue;
  readonly valueOff: JsonValue;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly values: readonly JsonValue[];
  readonly features: readonly Expose[];
  readonly itemType: Expose | null;
  readonly lengthMin: number | null;
  readonly lengthMax: number | null;
};

export type Definition = {
  readonly vendor: string | null;
  readonly model: string | null;
  readonly description: string | null;
  readonly exposes: readonly Expose[];
};

/** Devices that can be updated say so in payloads under this property, which is not among their exposes. */
const UPDATE_EXPOSE: JsonValue = {
  type: 'composite',
  name: 'update',
  label: 'Update',
  property: 'update',
  access: 1,
  category: 'diagnostic',
  features: [
    { type: 'enum', name: 'state', property: 'state', values: ['idle', 'available', 'scheduled', 'updating'] },
    { type: 'numeric', name: 'installed_version', property: 'installed_version' },
    { type: 'numeric', name: 'latest_version', property: 'latest_version' },
    { type: 'numeric', name: 'progress', property: 'progress', value_min: 0, value_max: 100 },
  ],
};

const MAX_EXPOSES = 2_000;
const MAX_NESTING = 16;
const MAX_TEXT = 1_000;

/** Text from the radio without control characters (some devices pad names with NUL), or `null` where nothing is left. */
export function readText(value: unknown, maxLength = MAX_TEXT): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, maxLength)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return text === '' ? null : text;
}

function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Reads what is there and of the right type; an expose without type or name and property is left out. */
export function readDefinition(value: unknown): Definition | null {
  if (!isJsonObject(value)) return null;
  let budget = MAX_EXPOSES;
  const readExposes = (list: unknown, nesting: number): Expose[] => {
    if (!Array.isArray(list) || nesting > MAX_NESTING) return [];
    return list.flatMap((item: unknown) => {
      const expose = readExpose(item, nesting);
      return expose === null ? [] : [expose];
    });
  };
  const readExpose = (item: unknown, nesting: number): Expose | null => {
    if (!isJsonObject(item) || typeof item['type'] !== 'string' || budget === 0) return null;
    budget -= 1;
    const property = readText(item['property']);
    const features = readExposes(item['features'], nesting + 1);
    const name = readText(item['name']) ?? property;
    if (name === null && features.length === 0) return null;
    return {
      type: item['type'],
      name: name ?? item['type'],
      property: property ?? (features.length > 0 ? null : name),
      label: readText(item['label']),
      description: readText(item['description']),
      endpoint: readText(item['endpoint']),
      access: readNumber(item['access']) ?? 0,
      category: readText(item['category']),
      unit: readText(item['unit']),
      valueOn: item['value_on'] ?? null,
      valueOff: item['value_off'] ?? null,
      min: readNumber(item['value_min']),
      max: readNumber(item['value_max']),
      step: readNumber(item['value_step']),
      values: Array.isArray(item['values']) ? item['values'] : [],
      features,
      itemType: item['item_type'] === undefined ? null : readExpose(item['item_type'], nesting + 1),
      lengthMin: readNumber(item['length_min']),
      lengthMax: readNumber(item['length_max']),
    };
  };
  return {
    vendor: readText(value['vendor']),
    model: readText(value['model']),
    description: readText(value['description']),
    exposes: [
      ...readExposes(value['exposes'], 0),
      ...(value['supports_ota'] === true ? readExposes([UPDATE_EXPOSE], 0) : []),
    ],
  };
}
