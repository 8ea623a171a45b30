import { isJsonObject, type JsonValue } from '#base/json.ts';

/**
 * One expose of a definition, checked: a leaf with a property, or a parent (light, climate, composite, …) of further
 * ones.
 */
export type Expose = {
  readonly type: string;
  readonly name: string;
  /** The payload property of the value. `null` for parents without a value. */
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
  /** It has more exposes than any real device, so none is used: a part of them would describe the device wrongly. */
  readonly isTooLarge: boolean;
};

/** Updatable devices report their update state under this property, which is not among their exposes. */
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

/** The largest of 4,478 real definitions have 292 and 1,834. */
const MAX_EXPOSES = 500;
const MAX_OPTIONS = 3_000;
/** 103 seen. */
const MAX_OPTION_LENGTH = 256;
const MAX_NESTING = 16;
const MAX_TEXT = 1_000;

/** Text from the radio without control characters (some devices pad names with NUL). `null` if nothing is left. */
export function readText(value: unknown, maxLength = MAX_TEXT): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, maxLength)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return text === '' ? null : text;
}

function isOption(value: unknown): value is JsonValue {
  return typeof value === 'string' ? value.length <= MAX_OPTION_LENGTH : typeof value !== 'object';
}

function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * Reads the parts that are present and of the right type. Skips an expose without a type, or without name and property.
 * With `isTooLarge` it reads no exposes.
 */
export function readDefinition(value: unknown, isTooLarge = false): Definition | null {
  if (!isJsonObject(value)) return null;
  const left = { exposes: MAX_EXPOSES, options: MAX_OPTIONS };
  const readExposes = (list: unknown, nesting: number): Expose[] => {
    if (!Array.isArray(list) || nesting > MAX_NESTING) return [];
    left.exposes -= list.length;
    return left.exposes < 0 ? [] : list.flatMap((item: unknown) => readExpose(item, nesting) ?? []);
  };
  const readExpose = (item: unknown, nesting: number): Expose | null => {
    if (!isJsonObject(item) || typeof item['type'] !== 'string') return null;
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
      values: readOptions(item['values']),
      features,
      itemType: item['item_type'] === undefined ? null : (readExposes([item['item_type']], nesting + 1)[0] ?? null),
      lengthMin: readNumber(item['length_min']),
      lengthMax: readNumber(item['length_max']),
    };
  };
  const readOptions = (values: unknown): readonly JsonValue[] => {
    if (!Array.isArray(values)) return [];
    left.options -= values.length;
    return left.options < 0 ? [] : values.filter(isOption);
  };
  const own = isTooLarge ? [] : readExposes(value['exposes'], 0);
  const update = value['supports_ota'] === true ? readExposes([UPDATE_EXPOSE], 0) : [];
  const isWhole = !isTooLarge && left.exposes >= 0 && left.options >= 0;
  return {
    vendor: readText(value['vendor']),
    model: readText(value['model']),
    description: readText(value['description']),
    exposes: isWhole ? [...own, ...update] : [],
    isTooLarge: !isWhole,
  };
}
