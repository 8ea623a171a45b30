export const FEATURE_KINDS = ['state', 'action', 'event'] as const;
export type FeatureKind = (typeof FEATURE_KINDS)[number];

export const FEATURE_CATEGORIES = ['primary', 'config', 'diagnostic'] as const;
export type FeatureCategory = (typeof FEATURE_CATEGORIES)[number];

/**
 * `color` is `{x, y}` or `{hue, saturation}`. The feature's schema describes an `object` or `list`. `none` is an action
 * without input.
 */
export const VALUE_TYPES = [
  'boolean',
  'number',
  'string',
  'enum',
  'color',
  'object',
  'list',
  'timestamp',
  'any',
  'none',
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

export const UNITS = [
  'percent',
  'celsius',
  'lx',
  'W',
  'kWh',
  'V',
  'A',
  'Hz',
  'hPa',
  'K',
  'ppm',
  'ppb',
  'ug/m3',
  'mg/m3',
  'm3',
  'm3/h',
  'm/s',
  'mm',
  'mm/h',
  'm',
  's',
  'dB',
  'dBm',
  'Bq/m3',
  'VA',
  'var',
] as const;
/** A unit of the table above, or the upstream's spelling if the table has none. */
export type Unit = (typeof UNITS)[number] | (string & {});
