import type { Unit } from '#core/feature/value-type.ts';

/** Home Assistant calls a binary sensor so for each word, with the same polarity. */
export const BINARY_CLASSES: Readonly<Record<string, string>> = {
  open: 'opening',
  motion: 'motion',
  presence: 'occupancy',
  smoke: 'smoke',
  co_alarm: 'carbon_monoxide',
  gas_leak: 'gas',
  water_leak: 'moisture',
  tamper: 'tamper',
  vibration: 'vibration',
  problem: 'problem',
  rain: 'moisture',
  battery_low: 'battery',
  charging: 'battery_charging',
  mains_powered: 'power',
};

type Measure = {
  /** The only unit with which the class is used: Home Assistant refuses others, or takes them for something else. */
  readonly unit: Unit | null;
  readonly deviceClass: string | null;
  readonly isCounter?: true;
};

const measure = (deviceClass: string, unit: Unit | null): Measure => ({ deviceClass, unit });
const counter = (deviceClass: string, unit: Unit): Measure => ({ deviceClass, unit, isCounter: true });

/** The class of a number that is only read. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  temperature: measure('temperature', 'celsius'),
  device_temperature: measure('temperature', 'celsius'),
  humidity: measure('humidity', 'percent'),
  pressure: measure('pressure', 'hPa'),
  illuminance: measure('illuminance', 'lx'),
  co2: measure('carbon_dioxide', 'ppm'),
  co: measure('carbon_monoxide', 'ppm'),
  tvoc: measure('volatile_organic_compounds_parts', 'ppb'),
  pm1: measure('pm1', 'ug/m3'),
  pm25: measure('pm25', 'ug/m3'),
  pm10: measure('pm10', 'ug/m3'),
  soil_moisture: measure('moisture', 'percent'),
  sound_level: measure('sound_pressure', 'dB'),
  wind_speed: measure('wind_speed', 'm/s'),
  rainfall: counter('precipitation', 'mm'),
  rain_rate: measure('precipitation_intensity', 'mm/h'),
  power: measure('power', 'W'),
  energy: counter('energy', 'kWh'),
  energy_returned: counter('energy', 'kWh'),
  voltage: measure('voltage', 'V'),
  current: measure('current', 'A'),
  frequency: measure('frequency', 'Hz'),
  power_factor: measure('power_factor', null),
  apparent_power: measure('apparent_power', 'VA'),
  reactive_power: measure('reactive_power', 'var'),
  battery: measure('battery', 'percent'),
  water_flow: measure('volume_flow_rate', 'm3/h'),
  water_volume: counter('water', 'm3'),
  gas_volume: counter('gas', 'm3'),
  distance: measure('distance', 'm'),
  signal_strength: measure('signal_strength', 'dBm'),
};

const SPELLINGS: Readonly<Record<string, string>> = {
  percent: '%',
  celsius: '°C',
  'ug/m3': 'µg/m³',
  'mg/m3': 'mg/m³',
  m3: 'm³',
  'm3/h': 'm³/h',
  'Bq/m3': 'Bq/m³',
};

/** As Home Assistant spells it. */
export function unitOf(unit: Unit): string {
  return SPELLINGS[unit] ?? unit;
}
