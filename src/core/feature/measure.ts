import type { Unit } from './value-type.ts';
import { VOCABULARY, type VocabularyWord } from './vocabulary.ts';

/** What a class of sensor measures, as a word of the vocabulary. Home Assistant named the classes, and many others use its names. */
const SENSOR_WORDS: Readonly<Record<string, VocabularyWord>> = {
  apparent_power: 'apparent_power',
  atmospheric_pressure: 'pressure',
  battery: 'battery',
  carbon_dioxide: 'co2',
  carbon_monoxide: 'co',
  current: 'current',
  distance: 'distance',
  energy: 'energy',
  frequency: 'frequency',
  gas: 'gas_volume',
  humidity: 'humidity',
  illuminance: 'illuminance',
  nitrogen_dioxide: 'no2',
  ozone: 'ozone',
  pm1: 'pm1',
  pm10: 'pm10',
  pm25: 'pm25',
  power: 'power',
  power_factor: 'power_factor',
  precipitation: 'rainfall',
  precipitation_intensity: 'rain_rate',
  pressure: 'pressure',
  reactive_power: 'reactive_power',
  signal_strength: 'signal_strength',
  sound_pressure: 'sound_level',
  temperature: 'temperature',
  volatile_organic_compounds_parts: 'tvoc',
  voltage: 'voltage',
  volume_flow_rate: 'water_flow',
  water: 'water_volume',
  wind_speed: 'wind_speed',
};

/** What a class of binary sensor is about; on means that it is the case. */
const BINARY_WORDS: Readonly<Record<string, VocabularyWord>> = {
  battery: 'battery_low',
  battery_charging: 'charging',
  carbon_monoxide: 'co_alarm',
  door: 'open',
  garage_door: 'open',
  gas: 'gas_leak',
  moisture: 'water_leak',
  motion: 'motion',
  occupancy: 'presence',
  opening: 'open',
  presence: 'presence',
  problem: 'problem',
  smoke: 'smoke',
  tamper: 'tamper',
  vibration: 'vibration',
  window: 'open',
};

export function sensorWord(deviceClass: string): VocabularyWord | undefined {
  return Object.hasOwn(SENSOR_WORDS, deviceClass) ? SENSOR_WORDS[deviceClass] : undefined;
}

export function binaryWord(deviceClass: string): VocabularyWord | undefined {
  return Object.hasOwn(BINARY_WORDS, deviceClass) ? BINARY_WORDS[deviceClass] : undefined;
}

const SPELLINGS: Readonly<Record<string, Unit>> = {
  '%': 'percent',
  '°C': 'celsius',
  '°F': 'fahrenheit',
  'µg/m³': 'ug/m3',
  'μg/m³': 'ug/m3',
  'mg/m³': 'mg/m3',
  'm³': 'm3',
  'm³/h': 'm3/h',
  'ft³': 'ft3',
  '°': 'degree',
};

/** The unit in the hub's spelling, or as it came. */
export function unitFromSpelling(spelling: string): Unit | null {
  const text = spelling.trim().slice(0, 40);
  if (text === '') return null;
  return Object.hasOwn(SPELLINGS, text) ? (SPELLINGS[text] ?? text) : text;
}

type Linear = { readonly factor: number; readonly offset: number };

const LINEAR: readonly (readonly [from: string, to: string, factor: number, offset?: number])[] = [
  ['fahrenheit', 'celsius', 5 / 9, -160 / 9],
  ['K', 'celsius', 1, -273.15],
  ['mW', 'W', 0.001],
  ['kW', 'W', 1_000],
  ['MW', 'W', 1_000_000],
  ['Wh', 'kWh', 0.001],
  ['MWh', 'kWh', 1_000],
  ['mV', 'V', 0.001],
  ['kV', 'V', 1_000],
  ['mA', 'A', 0.001],
  ['kHz', 'Hz', 1_000],
  ['MHz', 'Hz', 1_000_000],
  ['mbar', 'hPa', 1],
  ['Pa', 'hPa', 0.01],
  ['kPa', 'hPa', 10],
  ['bar', 'hPa', 1_000],
  ['psi', 'hPa', 68.947_572_931_683_6],
  ['inHg', 'hPa', 33.863_886_666_667],
  ['mmHg', 'hPa', 1.333_223_684_210_5],
  ['ppm', 'ppb', 1_000],
  ['mg/m3', 'ug/m3', 1_000],
  ['L', 'm3', 0.001],
  ['gal', 'm3', 0.003_785_411_784],
  ['ft3', 'm3', 0.028_316_846_592],
  ['L/h', 'm3/h', 0.001],
  ['L/min', 'm3/h', 0.06],
  ['km', 'm', 1_000],
  ['cm', 'm', 0.01],
  ['mm', 'm', 0.001],
  ['mi', 'm', 1_609.344],
  ['ft', 'm', 0.304_8],
  ['in', 'm', 0.025_4],
  ['km/h', 'm/s', 1 / 3.6],
  ['mph', 'm/s', 0.447_04],
  ['kn', 'm/s', 1_852 / 3_600],
  ['in', 'mm', 25.4],
  ['cm', 'mm', 10],
  ['in/h', 'mm/h', 25.4],
  ['kvar', 'var', 1_000],
  ['dBA', 'dB', 1],
];

/** From a device's unit to that of the word; `undefined` if they measure different things. */
export function toUnitOf(word: VocabularyWord, unit: Unit | null): Linear | undefined {
  const { unit: wanted } = VOCABULARY[word];
  if (unit === wanted) return { factor: 1, offset: 0 };
  if (word === 'power_factor' && unit === 'percent') return { factor: 0.01, offset: 0 };
  const found = LINEAR.find(([from, to]) => from === unit && to === wanted);
  return found === undefined ? undefined : { factor: found[2], offset: found[3] ?? 0 };
}

/** Without the digits that the conversion invents: 0.1 kW is 100 W and not 100.00000000000001 W. */
export function converted(value: number, { factor, offset }: Linear): number {
  if (factor === 1 && offset === 0) return value;
  return Number((value * factor + offset).toPrecision(12));
}
