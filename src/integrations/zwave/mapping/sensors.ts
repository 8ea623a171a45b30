import { mapNumber } from '#core/feature/peer-value.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import type { NodeValue, Property } from '#integrations/zwave/zwave-message.ts';
import type { JsonValue } from '#base/json.ts';
import { asSaid, isAboveZero, isOneOf, measured, type Part, reading } from './source.ts';

const BINARY_SENSOR = 48;
const MULTILEVEL_SENSOR = 49;
const METER = 50;
export const NOTIFICATION = 113;
const BATTERY = 128;

/** Makes the parts that measure and notice. */
export function sensorSources(part: Part): void {
  notificationSources(part);
  binarySources(part);
  measureSources(part);
  meterSources(part);
  batterySources(part);
}

type Reader = (value: JsonValue) => JsonValue | undefined;

const IS_OPEN = isOneOf([22, 5_632, 5_633], [23]);

/**
 * By the type of the notification and what it is about (@zwave-js/core 15.29). Of several that say the same, the first
 * that a node has.
 */
const NOTICES: readonly (readonly [type: number, about: Property, word: VocabularyWord, read: Reader])[] = [
  [1, 'Sensor status', 'smoke', isOneOf([1, 2])],
  [2, 'Sensor status', 'co_alarm', isOneOf([1, 2])],
  [5, 'Sensor status', 'water_leak', isOneOf([1, 2])],
  [6, 'Door state (simple)', 'open', IS_OPEN],
  [6, 'Door state', 'open', IS_OPEN],
  [6, 'Opening state', 'open', isOneOf([1, 2])],
  [7, 'Motion sensor status', 'motion', isOneOf([7, 8])],
  [22, 'Home occupancy status', 'presence', isOneOf([1, 2])],
  [7, 'Cover status', 'tamper', isOneOf([3])],
  [9, 'Cover status', 'tamper', isOneOf([6])],
  [8, 'Mains status', 'mains_powered', isOneOf([3], [2])],
  [8, 'Battery load status', 'charging', isOneOf([12])],
  // Whatever it is beside idle, it is a failure.
  [9, 'Hardware status', 'problem', isAboveZero],
  [14, 'Siren status', 'siren', isOneOf([1])],
  [16, 'Rain alarm status', 'rain', isOneOf([1])],
  [18, 'Combustible gas status', 'gas_leak', isOneOf([1, 2])],
];
/** A report of a door updates three values. One is enough where the others say no more. */
const TWINS: ReadonlySet<Property> = new Set(['Door state', 'Opening state']);
const OPEN_OR_CLOSED = 2;

function notificationSources(part: Part): void {
  const values = part.list(NOTIFICATION);
  for (const [type, about, word, read] of NOTICES) {
    const value = values.find(
      ({ id, metadata }) => metadata.specific['notificationType'] === type && id.propertyKey === about,
    );
    if (value === undefined) continue;
    const isAdded = part.add(reading(wordFeature(word, part.component), value, read), value);
    if (isAdded || !TWINS.has(about) || value.metadata.states.size > OPEN_OR_CLOSED) continue;
    part.add(undefined, value);
  }
}

/** By the type of the sensor (@zwave-js/cc 15.29). */
const BINARY_WORDS: Readonly<Record<number, VocabularyWord>> = {
  2: 'smoke',
  3: 'co_alarm',
  6: 'water_leak',
  8: 'tamper',
  10: 'open',
  12: 'motion',
};

function binarySources(part: Part): void {
  for (const value of part.list(BINARY_SENSOR)) {
    const word = BINARY_WORDS[Number(value.metadata.specific['sensorType'])];
    if (word !== undefined) part.add(reading(wordFeature(word, part.component), value, asSaid), value);
  }
}

/** Types of sensors, the one that a room has first (@zwave-js/core 15.29). */
const MEASURES: readonly (readonly [type: number, word: VocabularyWord])[] = [
  [1, 'temperature'],
  [64, 'temperature'],
  [24, 'temperature'],
  [23, 'temperature'],
  [3, 'illuminance'],
  [4, 'power'],
  [5, 'humidity'],
  [9, 'pressure'],
  [8, 'pressure'],
  [12, 'rain_rate'],
  [15, 'voltage'],
  [16, 'current'],
  [17, 'co2'],
  [20, 'distance'],
  [27, 'uv_index'],
  [30, 'sound_level'],
  [32, 'frequency'],
  [35, 'pm25'],
  [36, 'formaldehyde'],
  [37, 'radon'],
  [39, 'tvoc'],
  [40, 'co'],
  [41, 'soil_moisture'],
  [56, 'water_flow'],
  [58, 'signal_strength'],
  [59, 'pm10'],
  [81, 'ozone'],
  [83, 'no2'],
  [86, 'pm1'],
];

function measureSources(part: Part): void {
  const values = part.list(MULTILEVEL_SENSOR);
  for (const [type, word] of MEASURES) {
    for (const value of values) {
      if (value.metadata.specific['sensorType'] !== type) continue;
      const source = measured(part, value, { word });
      if (source !== undefined) part.add(source, value);
    }
  }
}

const PRODUCED = 2;
/** By the type and scale of the meter (@zwave-js/core 15.29). */
const METER_WORDS: Readonly<Record<string, VocabularyWord>> = {
  '1/0': 'energy',
  '1/2': 'power',
  '1/4': 'voltage',
  '1/5': 'current',
  '1/6': 'power_factor',
  '1/7': 'reactive_power',
  '2/0': 'gas_volume',
  '2/1': 'gas_volume',
  '3/0': 'water_volume',
  '3/1': 'water_volume',
  '3/2': 'water_volume',
};

function meterSources(part: Part): void {
  for (const value of part.list(METER)) {
    if (value.id.property !== 'value') continue;
    const word = meterWord(value);
    if (word === undefined) continue;
    const source = measured(part, value, { word });
    if (source !== undefined) part.add(source, value);
  }
}

function meterWord({ metadata: { specific } }: NodeValue): VocabularyWord | undefined {
  const { meterType, scale, rateType } = specific;
  const word = METER_WORDS[`${Number(meterType)}/${Number(scale)}`];
  if (rateType !== PRODUCED) return word;
  return word === 'energy' ? 'energy_returned' : undefined;
}

const CHARGING = 1;

function batterySources(part: Part): void {
  const [level, isLow] = [part.find(BATTERY, 'level'), part.find(BATTERY, 'isLow')];
  const charge = part.find(BATTERY, 'chargingStatus');
  if (level !== undefined) {
    const inRange: Reader = (value) => mapNumber(value, (number) => (number >= 0 && number <= 100 ? number : null));
    part.add(reading(wordFeature('battery', part.component), level, inRange), level);
  }
  if (isLow !== undefined) part.add(reading(wordFeature('battery_low', part.component), isLow, asSaid), isLow);
  if (charge !== undefined)
    part.add(reading(wordFeature('charging', part.component), charge, isOneOf([CHARGING], [0, 2])));
}
