import { type Linear, linearBetween } from './units.ts';
import type { Unit } from './value-type.ts';
import { VOCABULARY, type VocabularyWord } from './vocabulary.ts';

/**
 * Each class of sensor measures a word of the vocabulary. Home Assistant named the classes (2025.4), and many others
 * use its names.
 */
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

/** Each class of binary sensor is about a word (Home Assistant 2025.4); on means that it is the case. */
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

/** The classes are the same in upper case. */
export function sensorWord(deviceClass: string): VocabularyWord | undefined {
  const name = deviceClass.toLowerCase();
  return Object.hasOwn(SENSOR_WORDS, name) ? SENSOR_WORDS[name] : undefined;
}

export function binaryWord(deviceClass: string): VocabularyWord | undefined {
  const name = deviceClass.toLowerCase();
  return Object.hasOwn(BINARY_WORDS, name) ? BINARY_WORDS[name] : undefined;
}

/** From a device's unit to that of the word; `undefined` if they measure different things. */
export function toUnitOf(word: VocabularyWord, unit: Unit | null): Linear | undefined {
  if (word === 'power_factor' && unit === 'percent') return { factor: 0.01, offset: 0 };
  return linearBetween(unit, VOCABULARY[word].unit, word);
}

/** Without the error of binary fractions: 3.0210000000000004 becomes 3.021. */
export function neat(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * With the digits that the device measured and one more: 72 °F is 22.222 °C, and 0.1 kW is 100 W. A number has lost the
 * zeros at its end, so each counts as one of tenths: values to hundredths keep their order and never become one.
 */
export function converted(value: number, { factor, offset }: Linear): number {
  if (factor === 1 && offset === 0) return value;
  const exact = neat(value * factor + offset);
  // Kelvin are degrees with another zero: their digits are those of the zero too.
  if (factor === 1) return exact;
  const decimals = Math.max(1, decimalsOf(value)) + Math.ceil(-Math.log10(Math.abs(factor))) + 1;
  return Number(exact.toFixed(Math.min(Math.max(decimals, 0), 20)));
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
