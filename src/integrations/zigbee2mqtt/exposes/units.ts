import type { Unit } from '#core/feature/value-type.ts';

/** The hub's spelling of each unit, with the other spellings that devices use. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  percent: ['%'],
  celsius: ['°C', 'ºC', '℃', 'C'],
  fahrenheit: ['°F', '℉', 'F'],
  lx: ['lux', 'Lx'],
  W: ['w', 'watt', 'Watt'],
  kW: [],
  Wh: [],
  kWh: [],
  V: ['volt', 'Volt'],
  mV: [],
  A: [],
  mA: [],
  Hz: [],
  kPa: [],
  hPa: [],
  K: [],
  mired: [],
  ppm: [],
  ppb: [],
  'ug/m3': ['µg/m³', 'μg/m³', 'µg/m3'],
  'mg/m3': ['mg/m³'],
  m3: ['m³'],
  L: ['l'],
  'm3/h': ['m³/h'],
  'L/h': ['l/h'],
  'm/s': [],
  mm: [],
  cm: [],
  m: ['meter', 'meters'],
  'mm/h': [],
  s: ['sec', 'sec.', 'Sec', 'S', 'second', 'seconds', 'Seconds'],
  ms: [],
  min: ['min.', 'minute', 'minutes'],
  h: ['H', 'Hr', 'hour', 'hours', 'Hours'],
  d: ['day', 'days', 'Day'],
  dB: ['dBA'],
  dBm: [],
  'Bq/m3': ['Bq/m³'],
  VA: [],
  kVA: [],
  var: ['VAR', 'VAr'],
  varh: ['VArh', 'VARh'],
  kvarh: ['kVArh', 'kVARh'],
  degree: ['°'],
  'uS/cm': ['µS/cm', 'μS/cm'],
  'uR/h': ['μR/h', 'µR/h'],
  um: ['µm', 'μm'],
  raw: ['raw unit', 'adc'],
  index: ['VOC Index points', 'VOC index points', 'NOx Index points', 'PM2.5 Index'],
  'percent LEL': ['%LEL', 'LEL %', 'LEL'],
};

const BY_SPELLING = new Map(
  Object.entries(SPELLINGS).flatMap(([unit, others]) => [unit, ...others].map((spelling) => [spelling, unit] as const)),
);

/** The unit in the hub's spelling, or upstream's word if the hub does not know it. */
export function unitFromSpelling(spelling: string): Unit | null {
  const text = spelling.trim();
  return text === '' ? null : (BY_SPELLING.get(text) ?? text);
}

/** `hub = wire × factor + offset`. */
export type LinearMap = { readonly factor: number; readonly offset: number };

const LINEAR: readonly (readonly [from: string, to: string, factor: number, offset?: number])[] = [
  ['fahrenheit', 'celsius', 5 / 9, -160 / 9],
  ['kW', 'W', 1000],
  ['Wh', 'kWh', 0.001],
  ['mV', 'V', 0.001],
  ['mA', 'A', 0.001],
  ['kPa', 'hPa', 10],
  ['ppm', 'ppb', 1000],
  ['ppb', 'ppm', 0.001],
  ['ug/m3', 'mg/m3', 0.001],
  ['mg/m3', 'ug/m3', 1000],
  ['L', 'm3', 0.001],
  ['L/h', 'm3/h', 0.001],
  ['cm', 'm', 0.01],
  ['mm', 'm', 0.001],
  ['ms', 's', 0.001],
  ['min', 's', 60],
  ['h', 's', 3600],
  ['kVA', 'VA', 1000],
  // Received signal strength is always in dBm, but some definitions say dB.
  ['dB', 'dBm', 1],
];

/** Converts numbers of one unit to another. `undefined` if the units measure different things. */
export function linearMapBetween(from: Unit | null, to: Unit | null): LinearMap | undefined {
  // A definition without a unit uses the usual one.
  if (from === to || from === null) return { factor: 1, offset: 0 };
  const found = LINEAR.find(([source, target]) => source === from && target === to);
  return found === undefined ? undefined : { factor: found[2], offset: found[3] ?? 0 };
}
