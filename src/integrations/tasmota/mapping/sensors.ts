import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { type Known, numberOf, type Source, wordOf } from './source.ts';

type Meaning = {
  readonly word?: VocabularyWord;
  /** Without a word of the vocabulary. */
  readonly unit?: string;
  /** The device says its unit beside its values. */
  readonly unitName?: string;
  readonly factor?: number;
};

/** What sensors call their quantities. */
const QUANTITIES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['Temperature', { word: 'temperature', unitName: 'TempUnit' }],
  ['DewPoint', { unit: 'celsius', unitName: 'TempUnit' }],
  ['Humidity', { word: 'humidity' }],
  ['Pressure', { word: 'pressure', unitName: 'PressureUnit' }],
  ['SeaPressure', { unit: 'hPa', unitName: 'PressureUnit' }],
  ['Illuminance', { word: 'illuminance' }],
  ['CarbonDioxide', { word: 'co2' }],
  ['CO2', { word: 'co2' }],
  ['eCO2', { word: 'co2' }],
  ['TVOC', { word: 'tvoc' }],
  ['PM1', { word: 'pm1' }],
  ['PM2.5', { word: 'pm25' }],
  ['PM10', { word: 'pm10' }],
  ['Distance', { word: 'distance', factor: 1 / 100 }],
  ['Moisture', { word: 'soil_moisture' }],
  ['UvIndex', { word: 'uv_index' }],
  ['Battery', { word: 'battery' }],
  ['Power', { word: 'power' }],
  ['ApparentPower', { word: 'apparent_power' }],
  ['ReactivePower', { word: 'reactive_power' }],
  ['Factor', { word: 'power_factor' }],
  ['Voltage', { word: 'voltage' }],
  ['Current', { word: 'current' }],
  ['Frequency', { word: 'frequency' }],
  ['Total', { word: 'energy' }],
  ['ExportActive', { word: 'energy_returned' }],
  ['Today', { unit: 'kWh' }],
  ['Yesterday', { unit: 'kWh' }],
]);

type Convert = (value: number) => number;
const AS_IT_IS: Convert = (value) => value;
/** To the units of the vocabulary, from what an owner may have set. */
const UNITS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['F', (value) => ((value - 32) * 5) / 9],
  ['mmHg', (value) => value * 1.333_224],
  ['inHg', (value) => value * 33.863_886],
]);

const MAX_SENSORS = 60;
const MAX_QUANTITIES = 40;
const MAX_CHANNELS = 8;
/** What names a sensor and is no reading of it, or says when it was. */
const NO_READING: ReadonlySet<string> = new Set(['Id', 'Time', 'TotalStartTime', 'Model', 'Address']);
const NUMBERED = /^(.*)-\d+$/;

type Place = { readonly sensor: string; readonly id: string | null; readonly path: readonly (string | number)[] };
type Reading = { readonly place: Place; readonly quantity: string; readonly component: string };

/** The readings of what a device lists as its sensors, the first of each kind as the device's own. */
export function sensorSources(list: JsonObject): Source[] {
  const readings = Object.entries(list)
    .slice(0, MAX_SENSORS)
    .flatMap(([name, sensor]) => (isJsonObject(sensor) && !name.startsWith('Shutter') ? readingsOf(name, sensor) : []));
  const counts = new Map<string, number>();
  for (const { quantity } of readings) counts.set(quantity, (counts.get(quantity) ?? 0) + 1);
  return readings.map((reading) => {
    const isOnly = counts.get(reading.quantity) === 1;
    return sourceOf(isOnly ? { ...reading, component: 'main' } : reading, list);
  });
}

function readingsOf(name: string, sensor: JsonObject): Reading[] {
  const { Id: id } = sensor;
  const ownId = typeof id === 'string' && id !== '' ? id.slice(0, 40) : null;
  const family = ownId === null ? name : (NUMBERED.exec(name)?.[1] ?? name);
  const component = wordOf(ownId === null ? name : `${family}_${ownId}`) || 'sensor';
  const place = { sensor: name, id: ownId };
  return Object.entries(sensor)
    .slice(0, MAX_QUANTITIES)
    .flatMap(([quantity, value]): Reading[] => {
      if (NO_READING.has(quantity)) return [];
      if (Array.isArray(value)) {
        return (value as readonly JsonValue[]).slice(0, MAX_CHANNELS).map((_one, index) => ({
          place: { ...place, path: [quantity, index] },
          quantity,
          component: `${component}_${index + 1}`,
        }));
      }
      if (!isJsonObject(value)) return [{ place: { ...place, path: [quantity] }, quantity, component }];
      return Object.keys(value)
        .slice(0, MAX_CHANNELS)
        .map((key) => ({ place: { ...place, path: [quantity, key] }, quantity: `${quantity}${key}`, component }));
    });
}

function sourceOf({ place, quantity, component }: Reading, list: JsonObject): Source {
  const { word, unit = null, unitName, factor = 1 } = QUANTITIES.get(quantity) ?? {};
  const named = unitName === undefined ? undefined : list[unitName];
  const convert = (typeof named === 'string' ? UNITS.get(named) : undefined) ?? AS_IT_IS;
  const names = place.id === null ? [place.sensor] : [ANY_SENSOR, place.sensor];
  if (word === undefined && unit === null) {
    const feature = ownFeature(wordOf(quantity) || 'value', component, { valueType: 'any' });
    return { feature, names, read: (known) => plain(valueAt(known, place)) };
  }
  const feature: Feature =
    word === undefined
      ? ownFeature(wordOf(quantity), component, { valueType: 'number', unit })
      : wordFeature(word, component);
  return {
    feature,
    names,
    read: (known) => {
      const value = numberOf(valueAt(known, place));
      return value === undefined ? undefined : Number((convert(value) * factor).toPrecision(10));
    },
  };
}

/** Marks a source that any sensor's news may be for: the number of one with an id moves. */
export const ANY_SENSOR = '*';

function valueAt(known: Known, { sensor, id, path }: Place): JsonValue | undefined {
  let value: JsonValue | undefined = known.get(sensor);
  if (id !== null && (!isJsonObject(value) || value['Id'] !== id)) {
    value = [...known.values()].find((one) => isJsonObject(one) && one['Id'] === id);
  }
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? (value as readonly JsonValue[])[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function plain(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return typeof value === 'string' ? value.slice(0, 255) : value;
}
