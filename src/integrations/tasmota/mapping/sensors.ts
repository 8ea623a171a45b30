import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { itemIn, mapNumber } from '#core/feature/peer-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { converted } from '#core/feature/measure.ts';
import { linearBetween, unitFromSpelling } from '#core/feature/units.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import { type Readings, type Source, wordOf } from './source.ts';

type Meaning = {
  readonly word?: VocabularyWord;
  /** Without a word of the vocabulary. */
  readonly unit?: string;
  /** What the device measures in, where that is another one. */
  readonly saidIn?: string;
  /** The device says its unit beside its values, as its owner has set it. */
  readonly unitName?: string;
};

/** Sensors call their quantities so (Tasmota 15, as hatasmota 0.10 has them). */
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
  ['Distance', { word: 'distance', saidIn: 'cm' }],
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
  ['Energy', { word: 'energy' }],
  ['Speed', { word: 'wind_speed', unitName: 'SpeedUnit' }],
  ['ExportActive', { word: 'energy_returned' }],
  ['ImportActive', { word: 'energy' }],
  ['ActivePower', { word: 'power' }],
  ...['Today', 'Yesterday', 'TotalTariff', 'ExportTariff'].map((name) => [name, { unit: 'kWh' }] as const),
  ...['ImportReactive', 'ExportReactive'].map((name) => [name, { unit: 'kvarh' }] as const),
  ...['CF1', 'CF2.5', 'CF10'].map((name) => [name, { unit: 'ug/m3' }] as const),
  ['CurrentNeutral', { unit: 'A' }],
  ['PhaseAngle', { unit: 'degree' }],
  ['CCT', { unit: 'K' }],
  ['Weight', { unit: 'kg' }],
]);

const MAX_SENSORS = 60;
const MAX_QUANTITIES = 40;
const MAX_CHANNELS = 8;
/** These name a sensor and are no reading of it, or say when it was. */
const NO_READING: ReadonlySet<string> = new Set(['Id', 'Time', 'TotalStartTime', 'Model', 'Address']);
const NUMBERED = /^(.*)-\d+$/;

type Place = { readonly sensor: string; readonly id: string | null; readonly path: readonly (string | number)[] };
type Reading = {
  readonly place: Place;
  readonly quantity: string;
  /** What it is called where the quantity has no meaning here. */
  readonly name: string;
  readonly component: string;
};

/** The readings of what a device lists as its sensors, the first of each kind as the device's own. */
export function sensorSources(list: JsonObject): Source[] {
  const readings = Object.entries(list)
    .slice(0, MAX_SENSORS)
    .flatMap(([name, sensor]) => (isJsonObject(sensor) && !name.startsWith('Shutter') ? readingsOf(name, sensor) : []));
  const counts = new Map<string, number>();
  for (const { quantity } of readings) counts.set(quantity, (counts.get(quantity) ?? 0) + 1);
  const keys = new Set<string>();
  return readings.map((reading) => {
    const isOnly = counts.get(reading.quantity) === 1;
    const meaning = meaningOf(reading.quantity, list);
    const source = sourceOf(isOnly ? { ...reading, component: 'main' } : reading, meaning, list);
    // A sensor may have one word twice: CarbonDioxide and eCO2, Total and ImportActive.
    const shown = keys.has(source.feature.key) ? sourceOf(reading, withoutWord(meaning), list) : source;
    keys.add(shown.feature.key);
    return shown;
  });
}

function withoutWord({ word, ...meaning }: Meaning): Meaning {
  const unit = word === undefined ? null : VOCABULARY[word].unit;
  return unit === null ? meaning : { unit, ...meaning };
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
          name: quantity,
          component: `${component}_${index + 1}`,
        }));
      }
      if (!isJsonObject(value)) {
        const { quantity: plain, suffix } = numbered(quantity);
        return [{ place: { ...place, path: [quantity] }, quantity: plain, name: plain, component: component + suffix }];
      }
      return Object.keys(value)
        .slice(0, MAX_CHANNELS)
        .map((key) => ({
          place: { ...place, path: [quantity, key] },
          quantity: innerQuantity(quantity, key),
          name: `${quantity}${key}`,
          component: QUANTITIES.has(key) ? `${component}_${wordOf(quantity)}` : component,
        }));
    });
}

/** `CTEnergy1: { Power }` measures power, `Speed: { Act }` the speed; of others both names together tell what it is. */
function innerQuantity(outer: string, inner: string): string {
  if (QUANTITIES.has(inner)) return inner;
  return QUANTITIES.has(outer) && inner === 'Act' ? outer : `${outer}${inner}`;
}

/** `Temperature2` hangs on the second pin; its number tells it from the first. */
function numbered(quantity: string): { readonly quantity: string; readonly suffix: string } {
  const [, plain, number] = /^([A-Za-z]+)(\d{1,2})$/.exec(quantity) ?? [];
  const isKnown = !QUANTITIES.has(quantity) && plain !== undefined && QUANTITIES.has(plain);
  return isKnown ? { quantity: plain, suffix: `_${number}` } : { quantity, suffix: '' };
}

/** A speed may be of anything, and is one of wind where the device names its unit. */
function meaningOf(quantity: string, list: JsonObject): Meaning {
  const meaning = QUANTITIES.get(quantity) ?? {};
  return meaning.word === 'wind_speed' && typeof list['SpeedUnit'] !== 'string' ? {} : meaning;
}

function sourceOf({ place, quantity, name, component }: Reading, meaning: Meaning, list: JsonObject): Source {
  const { word, unit: own = null, saidIn, unitName } = meaning;
  const names = place.id === null ? [place.sensor] : [ANY_SENSOR, place.sensor];
  const wanted = word === undefined ? own : VOCABULARY[word].unit;
  if (word === undefined && wanted === null) {
    const feature = ownFeature(wordOf(name) || 'value', component, { valueType: 'any' });
    return { feature, names, read: (known) => plain(valueAt(known, place)) };
  }
  const named = unitName === undefined ? undefined : list[unitName];
  const unit = typeof named === 'string' ? unitFromSpelling(named) : (saidIn ?? wanted);
  const linear = linearBetween(unit, wanted);
  const feature: Feature =
    word === undefined || linear === undefined
      ? ownFeature(wordOf(quantity), component, { valueType: 'number', unit: linear === undefined ? unit : wanted })
      : wordFeature(word, component);
  return {
    feature,
    names,
    read: (known) =>
      mapNumber(valueAt(known, place), (number) => (linear === undefined ? number : converted(number, linear))),
  };
}

/** Marks a source that any sensor's news may be for: the number of one with an id moves. */
export const ANY_SENSOR = '*';

function valueAt(known: Readings, { sensor, id, path }: Place): JsonValue | undefined {
  let value: JsonValue | undefined = known.get(sensor);
  if (id !== null && (!isJsonObject(value) || value['Id'] !== id)) {
    value = [...known.values()].find((one) => isJsonObject(one) && one['Id'] === id);
  }
  for (const step of path) {
    if (typeof step === 'number') value = itemIn(value, step);
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function plain(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null) return null;
  if (value === undefined || typeof value === 'object') return undefined;
  return typeof value === 'string' ? value.slice(0, 255) : value;
}
