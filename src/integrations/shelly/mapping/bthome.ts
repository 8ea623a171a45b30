import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { readName } from '#core/integration/read-name.ts';
import type { Component, Components } from './components.ts';
import { buttonSource } from './inputs.ts';
import { numberAt, type Part, percentAt, reading, type Source } from './source.ts';

/** A sensor, remote or radiator valve that reaches the hub through a gateway by Bluetooth. */
export type BluDevice = {
  /** Its address: twelve hex digits. */
  readonly address: string;
  readonly name: string | null;
  readonly kind: 'sensor' | 'radiator_valve';
  /** The component that says when it was heard. */
  readonly from: string;
  readonly sources: readonly Source[];
};

const ADDRESS = /^[0-9a-f]{12}$/;

/** The devices behind a gateway: those of a gateway's list that have an address. */
export function bluDevices(components: Components): BluDevice[] {
  const all = [...components.values()];
  const sensors = new Map<string, Component[]>();
  for (const component of all) {
    const address = addressOf(component);
    if (component.type !== 'bthomesensor' || address === undefined) continue;
    sensors.set(address, [...(sensors.get(address) ?? []), component]);
  }
  const valves = all.flatMap((component) => (component.type === 'blutrv' ? (valveFrom(component) ?? []) : []));
  const taken = new Set(valves.map(({ address }) => address));
  const parts = new Set(all.flatMap(({ config }) => (typeof config['trv'] === 'string' ? [config['trv']] : [])));
  const others = all.flatMap((component) => {
    const address = addressOf(component);
    const isOwn = component.type === 'bthomedevice' && !parts.has(component.key);
    if (!isOwn || address === undefined || taken.has(address)) return [];
    taken.add(address);
    return sensorDevice(component, address, sensors.get(address) ?? []);
  });
  return [...valves, ...others];
}

function addressOf({ config }: Component): string | undefined {
  const { addr } = config;
  const address = typeof addr === 'string' ? addr.toLowerCase().replaceAll(':', '') : '';
  return ADDRESS.test(address) ? address : undefined;
}

function partOf({ key, id, config, status }: Component, name = 'main'): Part {
  return { key, id: id ?? 0, name, config, status };
}

function sensorDevice(device: Component, address: string, sensors: readonly Component[]): BluDevice {
  const seen = new Map<number, number>();
  const measured = sensors.flatMap((sensor) => {
    const kind = objectId(sensor);
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    // The first of each kind is the device's own; remotes have several buttons.
    const name = count === 1 ? 'main' : `${WORDS.get(kind)?.word ?? `object_${kind}`}_${count}`;
    if (kind === BUTTON) return buttonOf(device, sensor, name);
    return objectSources(partOf(sensor, name), kind);
  });
  return {
    address,
    name: readName(device.config['name']),
    kind: 'sensor',
    from: device.key,
    sources: [...measured, ...radioSources(partOf(device))],
  };
}

const BUTTON = 0x3a;

/** Returns the number that BTHome has for the quantity; 0 where the gateway does not say. */
function objectId({ config }: Component): number {
  const { obj_id: id } = config;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 256 ? id : 0;
}

function buttonOf(device: Component, { config }: Component, name: string): Source[] {
  const { idx } = config;
  return [buttonSource(partOf(device, name), null, typeof idx === 'number' ? idx : 0)];
}

/** Makes the battery and radio of a device, which each of them reports. */
function radioSources(part: Part): Source[] {
  return [...reading(part, 'battery', percentAt('battery')), ...reading(part, 'signal_strength', numberAt('rssi'))];
}

type Meaning = { readonly word: VocabularyWord; readonly factor?: number };

/**
 * The objects of BTHome v2 that the vocabulary has words for (bthome-ble 3.20). Of volatile organic compounds BTHome says
 * the mass, and the vocabulary parts per billion.
 */
const WORDS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  ...[0x02, 0x45, 0x57, 0x58].map((id) => [id, { word: 'temperature' }] as const),
  ...[0x03, 0x2e].map((id) => [id, { word: 'humidity' }] as const),
  [0x04, { word: 'pressure' }],
  [0x05, { word: 'illuminance' }],
  ...[0x0a, 0x4d].map((id) => [id, { word: 'energy' }] as const),
  ...[0x0b, 0x5c].map((id) => [id, { word: 'power' }] as const),
  ...[0x0c, 0x4a].map((id) => [id, { word: 'voltage' }] as const),
  ...[0x43, 0x5d].map((id) => [id, { word: 'current' }] as const),
  [0x0d, { word: 'pm25' }],
  [0x0e, { word: 'pm10' }],
  [0x12, { word: 'co2' }],
  ...[0x14, 0x2f].map((id) => [id, { word: 'soil_moisture' }] as const),
  [0x15, { word: 'battery_low' }],
  [0x16, { word: 'charging' }],
  [0x17, { word: 'co_alarm' }],
  ...[0x11, 0x1a, 0x1b, 0x2d].map((id) => [id, { word: 'open' }] as const),
  [0x1c, { word: 'gas_leak' }],
  [0x20, { word: 'water_leak' }],
  [0x21, { word: 'motion' }],
  ...[0x23, 0x25].map((id) => [id, { word: 'presence' }] as const),
  [0x26, { word: 'problem' }],
  [0x29, { word: 'smoke' }],
  [0x2b, { word: 'tamper' }],
  [0x2c, { word: 'vibration' }],
  [0x40, { word: 'distance', factor: 1 / 1_000 }],
  [0x41, { word: 'distance' }],
  [0x44, { word: 'wind_speed' }],
  [0x46, { word: 'uv_index' }],
  ...[0x4b, 0x4c].map((id) => [id, { word: 'gas_volume' }] as const),
  [0x4f, { word: 'water_volume', factor: 1 / 1_000 }],
  [0x5f, { word: 'rainfall' }],
]);
const BATTERY = 0x01;

/** A value that is not known yet is `null`, so the feature is there before it. */
function objectSources(part: Part, kind: number): Source[] {
  // Its device says the same.
  if (kind === BATTERY) return [];
  const meaning = WORDS.get(kind);
  if (meaning === undefined) {
    const feature = ownFeature(`object_${kind}`, part.name, { ...named(part), valueType: 'any' });
    return [{ from: part.key, feature, read: ({ value }) => plain(value) }];
  }
  const feature = wordFeature(meaning.word, part.name, named(part));
  if (feature.valueType === 'boolean') {
    return [
      {
        from: part.key,
        feature,
        read: ({ value }) => (typeof value === 'boolean' || value === null ? value : undefined),
      },
    ];
  }
  return [{ from: part.key, feature, read: numberAt('value', meaning.factor) }];
}

function named({ config }: Part): Partial<Feature> {
  const name = readName(config['name']);
  return name === null ? {} : { name };
}

function plain(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'object' && value !== null ? undefined : value;
}

function valveFrom(component: Component): BluDevice | undefined {
  const address = addressOf(component);
  if (address === undefined) return undefined;
  const part = partOf(component);
  const params = (method: string, own: JsonObject): JsonObject => ({ id: part.id, method, params: { id: 0, ...own } });
  return {
    address,
    name: readName(component.config['name']),
    kind: 'radiator_valve',
    from: component.key,
    sources: [
      {
        from: part.key,
        feature: wordFeature('target_temperature', 'main', { writable: true, min: 4, max: 30, step: 0.5 }),
        read: numberAt('target_C'),
        write: (celsius) => ({ method: 'BluTRV.Call', params: params('Trv.SetTarget', { target_C: Number(celsius) }) }),
      },
      ...reading(part, 'temperature', numberAt('current_C')),
      ...reading(part, 'heating_demand', percentAt('pos')),
      ...radioSources(part),
    ],
  };
}
