import type { Unit } from './value-type.ts';
import type { VocabularyWord } from './vocabulary.ts';

/** `wanted = value × factor + offset`. */
export type Linear = { readonly factor: number; readonly offset: number };

const INCH_M = 0.0254;
const FOOT_M = 0.3048;
const MILE_M = 1_609.344;
const FOOT3_M3 = FOOT_M ** 3;
const GALLON_M3 = 231 * INCH_M ** 3;
const INCH_OF_MERCURY_HPA = 33.863_886_4;
const DAY_S = 86_400;

/**
 * Each unit is so many of the first one of its line. These are the units of Home Assistant 2026.1, and what Zigbee2MQTT
 * and Z-Wave JS name beside them. `test/core/feature/units.test.ts` has that list, and which of it are left alone on
 * purpose.
 */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { W: 1, mW: 1e-3, kW: 1e3, MW: 1e6, GW: 1e9, TW: 1e12, 'BTU/h': 0.293_071_07 },
  {
    kWh: 1,
    mWh: 1e-6,
    Wh: 1e-3,
    MWh: 1e3,
    GWh: 1e6,
    TWh: 1e9,
    J: 1 / 3.6e6,
    kJ: 1 / 3.6e3,
    MJ: 1 / 3.6,
    GJ: 1e3 / 3.6,
    cal: 4.184 / 3.6e6,
    kcal: 4.184 / 3.6e3,
    Mcal: 4.184 / 3.6,
    Gcal: 4.184e3 / 3.6,
  },
  { VA: 1, mVA: 1e-3, kVA: 1e3 },
  { var: 1, mvar: 1e-3, kvar: 1e3 },
  { varh: 1, kvarh: 1e3 },
  { V: 1, uV: 1e-6, mV: 1e-3, kV: 1e3, MV: 1e6 },
  { A: 1, mA: 1e-3 },
  { Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9 },
  {
    hPa: 1,
    mPa: 1e-5,
    Pa: 0.01,
    kPa: 10,
    mbar: 1,
    cbar: 10,
    bar: 1_000,
    psi: 68.947_572_931_683_6,
    inHg: INCH_OF_MERCURY_HPA,
    mmHg: INCH_OF_MERCURY_HPA / 25.4,
    inH2O: 2.490_889_083,
  },
  { m: 1, um: 1e-6, mm: 1e-3, cm: 0.01, km: 1_000, in: INCH_M, ft: FOOT_M, yd: 3 * FOOT_M, mi: MILE_M, nmi: 1_852 },
  {
    'm/s': 1,
    'mm/s': 1e-3,
    'm/min': 1 / 60,
    'km/h': 1 / 3.6,
    'in/s': INCH_M,
    'ft/s': FOOT_M,
    mph: MILE_M / 3_600,
    kn: 1_852 / 3_600,
    'mm/h': 1e-3 / 3_600,
    'mm/d': 1e-3 / DAY_S,
    'in/h': INCH_M / 3_600,
    'in/d': INCH_M / DAY_S,
  },
  {
    m3: 1,
    L: 1e-3,
    mL: 1e-6,
    ft3: FOOT3_M3,
    CCF: 100 * FOOT3_M3,
    MCF: 1_000 * FOOT3_M3,
    gal: GALLON_M3,
    'fl. oz.': GALLON_M3 / 128,
  },
  {
    'm3/h': 1,
    'm3/min': 60,
    'm3/s': 3_600,
    'L/h': 1e-3,
    'L/min': 0.06,
    'L/s': 3.6,
    'mL/s': 3.6e-3,
    'ft3/min': 60 * FOOT3_M3,
    'gal/h': GALLON_M3,
    'gal/min': 60 * GALLON_M3,
    'gal/d': GALLON_M3 / 24,
  },
  { s: 1, us: 1e-6, ms: 1e-3, min: 60, h: 3_600, d: DAY_S, w: 7 * DAY_S },
  { ppb: 1, ppm: 1_000 },
  { 'ug/m3': 1, 'mg/m3': 1_000, 'g/m3': 1_000_000 },
  { dB: 1, dBA: 1 },
  { percent: 1 },
  { lx: 1 },
  { dBm: 1 },
];

/** Units that do not begin at the same zero. */
const TEMPERATURES: Readonly<Record<string, Linear>> = {
  celsius: { factor: 1, offset: 0 },
  fahrenheit: { factor: 5 / 9, offset: -160 / 9 },
  K: { factor: 1, offset: -273.15 },
};

/** Grams a mole of a gas in a room (20 °C, 1,013 hPa, 24.055 litres a mole). Others are not the same everywhere. */
const MOLAR_MASS: Partial<Record<VocabularyWord, number>> = { co: 28.01, no2: 46.0055, ozone: 48 };
const MOLAR_VOLUME_L = 24.055;

/** The hub's spelling of what is spelled in other ways. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  percent: ['%'],
  celsius: ['°C', 'C', 'degC', 'deg C'],
  fahrenheit: ['°F', 'F', 'degF', 'deg F'],
  degree: ['°'],
  lx: ['lux', 'Lx', 'Lux', 'LUX'],
  W: ['w', 'watt', 'Watt'],
  kW: ['KW'],
  kWh: ['kwh', 'KWh', 'KWH'],
  V: ['volt', 'Volt'],
  VA: ['va'],
  var: ['VAR', 'VAr', 'Var'],
  kvar: ['kVAr', 'kVAR', 'kVar'],
  varh: ['VArh', 'VARh'],
  kvarh: ['kVArh', 'kVARh'],
  L: ['l', 'liter', 'litre'],
  mL: ['ml'],
  gal: ['gallon', 'gallons'],
  'L/h': ['l/h'],
  'L/min': ['l/min', 'lpm'],
  mph: ['Mph'],
  kn: ['kt', 'knots'],
  'km/h': ['kph', 'kmh'],
  mm: ['L/m2', 'l/m2'],
  m: ['meter', 'meters'],
  s: ['sec', 'sec.', 'Sec', 'S', 'second', 'seconds', 'Seconds'],
  min: ['min.', 'minute', 'minutes'],
  h: ['H', 'Hr', 'hour', 'hours', 'Hours'],
  d: ['day', 'days', 'Day'],
  'Bq/m3': ['bq/m3'],
  'uS/cm': [],
  'uR/h': [],
  raw: ['raw unit', 'adc'],
  index: ['VOC Index points', 'VOC index points', 'NOx Index points', 'PM2.5 Index'],
  'percent LEL': ['%LEL', 'LEL %', 'LEL'],
};

const BY_SPELLING: ReadonlyMap<string, Unit> = new Map([
  ...[...DIMENSIONS, TEMPERATURES].flatMap((units) => Object.keys(units).map((unit) => [unit, unit] as const)),
  ...Object.entries(SPELLINGS).flatMap(([unit, others]) => [unit, ...others].map((other) => [other, unit] as const)),
]);
const MAX_SPELLING = 40;

/** The unit in the hub's spelling, or as it came. */
export function unitFromSpelling(spelling: string): Unit | null {
  const text = spelling.slice(0, MAX_SPELLING).trim();
  if (text === '') return null;
  return BY_SPELLING.get(text) ?? BY_SPELLING.get(plainOf(text)) ?? text;
}

/** `㎥`, `m³` and `m3`, `℃`, `ºC` and `°C`, both signs of micro: each pair looks alike and means the same. */
function plainOf(text: string): string {
  return text.replaceAll('º', '°').normalize('NFKC').replaceAll('μ', 'u');
}

/** `undefined` if the units measure different things. What a gas weighs depends on the gas, which is the word. */
export function linearBetween(from: Unit | null, to: Unit | null, word?: VocabularyWord): Linear | undefined {
  if (from === to) return { factor: 1, offset: 0 };
  if (from === null || to === null) return undefined;
  const temperature = Object.hasOwn(TEMPERATURES, from) ? TEMPERATURES[from] : undefined;
  if (temperature !== undefined) return to === 'celsius' ? temperature : undefined;
  const factor = ratioOf(from, to) ?? gasRatioOf(from, to, word);
  return factor === undefined ? undefined : { factor, offset: 0 };
}

function ratioOf(from: Unit, to: Unit): number | undefined {
  const units = DIMENSIONS.find((one) => Object.hasOwn(one, from) && Object.hasOwn(one, to));
  const [one, other] = [units?.[from], units?.[to]];
  if (one === undefined || other === undefined) return undefined;
  // 0.001 / 0.01 is 0.1, and not 0.09999999999999999.
  return Number((one / other).toPrecision(15));
}

function gasRatioOf(from: Unit, to: Unit, word: VocabularyWord | undefined): number | undefined {
  const grams = word === undefined ? undefined : MOLAR_MASS[word];
  const [micrograms, ppb] = [ratioOf(from, 'ug/m3'), ratioOf('ppb', to)];
  if (grams === undefined || micrograms === undefined || ppb === undefined) return undefined;
  return (micrograms * ppb * MOLAR_VOLUME_L) / grams;
}
