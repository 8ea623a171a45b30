import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { readComponents } from '#integrations/shelly/mapping/components.ts';
import { inputSources } from '#integrations/shelly/mapping/inputs.ts';
import { devicesFrom } from '#integrations/shelly/mapping/shelly-device.ts';
import { type LeftOut, numbersIn, readPeerLists, wordsIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';

const PEER = readPeerLists('shelly');
const INFO = { mac: 'a0b1c2d3e4f5', name: 'Shelly', model: null, firmware: null, hasPassword: false };

type Shown = { readonly key: string; readonly value: JsonValue | undefined };

/** What each device shows of these components. */
function shownOf(components: readonly JsonObject[]): Shown[][] {
  const all = readComponents({}, {}, components);
  return devicesFrom(INFO, all).map(({ sources }) =>
    sources.map(({ from, feature, read }) => ({ key: feature.key, value: read?.(all.get(from)?.status ?? {}) })),
  );
}

/** A sensor behind a gateway that measures this object of BTHome, and says this value. */
function sensorSaying(id: number, value: JsonValue): Shown | undefined {
  const addr = '0c:ef:f6:00:00:01';
  const [, sensor] = shownOf([
    { key: 'bthomedevice:200', config: { addr }, status: {} },
    { key: 'bthomesensor:200', config: { addr, obj_id: id, idx: 0 }, status: { value } },
  ]);
  return sensor?.find(({ key }) => key !== 'battery' && key !== 'signal_strength');
}

const OBJECTS: Readonly<Record<string, string>> = {
  'temperature__celsius 0x02': 'temperature',
  'temperature__celsius 0x45': 'temperature',
  'temperature__celsius 0x57': 'temperature',
  'temperature__celsius 0x58': 'temperature',
  'humidity__percentage 0x03': 'humidity',
  'humidity__percentage 0x2e': 'humidity',
  'pressure__mbar 0x04': 'pressure',
  'light__light_lux 0x05': 'illuminance',
  'energy__energy_kilo_watt_hour 0x0a': 'energy',
  'energy__energy_kilo_watt_hour 0x4d': 'energy',
  'power__power_watt 0x0b': 'power',
  'power__power_watt 0x5c': 'power',
  'voltage__electric_potential_volt 0x0c': 'voltage',
  'voltage__electric_potential_volt 0x4a': 'voltage',
  'current__electric_current_ampere 0x43': 'current',
  'current__electric_current_ampere 0x5d': 'current',
  'pm25__concentration_micrograms_per_cubic_meter 0x0d': 'pm25',
  'pm10__concentration_micrograms_per_cubic_meter 0x0e': 'pm10',
  'co2__concentration_parts_per_million 0x12': 'co2',
  'moisture__percentage 0x14': 'soil_moisture',
  'moisture__percentage 0x2f': 'soil_moisture',
  'distance__length_millimeters 0x40': 'distance',
  'distance__length_meters 0x41': 'distance',
  'speed__speed_meters_per_second 0x44': 'wind_speed',
  'uv_index__none 0x46': 'uv_index',
  'gas__volume_cubic_meters 0x4b': 'gas_volume',
  'gas__volume_cubic_meters 0x4c': 'gas_volume',
  'water__volume_liters 0x4f': 'water_volume',
  'precipitation__length_millimeters 0x5f': 'rainfall',
  'binary_battery 0x15': 'battery_low',
  'binary_battery_charging 0x16': 'charging',
  'binary_co 0x17': 'co_alarm',
  'binary_opening 0x11': 'open',
  'binary_door 0x1a': 'open',
  'binary_garage_door 0x1b': 'open',
  'binary_window 0x2d': 'open',
  'binary_gas 0x1c': 'gas_leak',
  'binary_moisture 0x20': 'water_leak',
  'binary_motion 0x21': 'motion',
  'binary_occupancy 0x23': 'presence',
  'binary_presence 0x25': 'presence',
  'binary_problem 0x26': 'problem',
  'binary_smoke 0x29': 'smoke',
  'binary_tamper 0x2b': 'tamper',
  'binary_vibration 0x2c': 'vibration',
  'button 0x3a': 'button',
};
const NO_OBJECTS: LeftOut = [
  { of: ['battery__percentage 0x01'], why: 'the device behind the gateway says the same beside its radio' },
  {
    of: ['volatile_organic_compounds__concentration_micrograms_per_cubic_meter 0x13'],
    why: 'it is a mass, and the word of the vocabulary is parts per billion',
  },
  {
    of: ['speed__speed_meters_per_second 0x62'],
    why: 'it has a sign: it is no wind, which 0x44 is of weather stations',
  },
  {
    of: [
      'mass__mass_kilograms 0x06',
      'mass__mass_pounds 0x07',
      'dew_point__temp_celsius 0x08',
      'count__none 0x09',
      'count__none 0x3d',
      'count__none 0x3e',
      'count__none 0x59',
      'count__none 0x5a',
      'count__none 0x5b',
      'dimmer 0x3c',
      'rotation__degree 0x3f',
      'duration__time_seconds 0x42',
      'volume__volume_liters 0x47',
      'volume__volume_milliliters 0x48',
      'volume__volume_liters 0x4e',
      'volume_storage__volume_liters 0x55',
      'volume_flow_rate__volume_flow_rate_cubic_meters_per_hour 0x49',
      'timestamp__none 0x50',
      'acceleration__acceleration_meters_per_square_second 0x51',
      'acceleration__acceleration_meters_per_square_second 0x63',
      'gyroscope__gyroscope_degrees_per_second 0x52',
      'text__none 0x53',
      'raw__none 0x54',
      'conductivity__conductivity 0x56',
      'direction__degree 0x5e',
      'channel__none 0x60',
      'rotational_speed__revolutions_per_minute 0x61',
      'light_level__none 0x64',
    ],
    why: 'the vocabulary has no word that means this: the value is shown under the number of the object',
  },
  {
    of: [
      'binary_generic 0x0f',
      'binary_power 0x10',
      'binary_cold 0x18',
      'binary_connectivity 0x19',
      'binary_heat 0x1d',
      'binary_light 0x1e',
      'binary_lock 0x1f',
      'binary_moving 0x22',
      'binary_plug 0x24',
      'binary_running 0x27',
      'binary_safety 0x28',
      'binary_sound 0x2a',
    ],
    why: 'no word of the vocabulary is true when, and only when, this is: true and false are shown under the number',
  },
];

const ids = numbersIn(PEER, 'objects');

test('each object of BTHome is its word, and one that is none is shown under its number', () => {
  const ownKey = (id: number): string => `x.object_${id}`;
  const keyOf = (name: string): string | undefined => sensorSaying(ids[name] ?? 0, null)?.key;
  const wrong = wrongMeanings<string>(Object.keys(ids), { known: OBJECTS, leftOut: NO_OBJECTS }, (name) => {
    const key = keyOf(name);
    return key === ownKey(ids[name] ?? 0) ? undefined : key;
  });
  // The battery has another way, and is not shown twice.
  expect(wrong).toEqual([]);
  expect(sensorSaying(0x01, 90)).toBeUndefined();
  const known = new Set(Object.values(ids));
  const future = Array.from({ length: 255 }, (_, index) => index + 1).filter((id) => !known.has(id));
  expect(future.filter((id) => sensorSaying(id, 1)?.key !== ownKey(id))).toEqual([]);
});

test.each([
  ['distance__length_millimeters 0x40', 1_500, 1.5],
  ['water__volume_liters 0x4f', 1_500, 1.5],
  ['gas__volume_cubic_meters 0x4c', 1.5, 1.5],
  ['volatile_organic_compounds__concentration_micrograms_per_cubic_meter 0x13', 300, 300],
])('%s is shown in the unit of its word', (name, said, value) => {
  expect(sensorSaying(ids[name] ?? 0, said)?.value).toBe(value);
});

const SILENT = 'a service of the device itself, with nothing to see or to do for a household';
const PLAIN = 'no word fits: each plain value of its status is shown under its own name';
const COMPONENTS: readonly (readonly [type: string, status: JsonObject, keys: readonly string[]])[] = [
  ['switch', { output: true }, ['on', 'problem']],
  ['cover', { state: 'open' }, ['cover_state', 'x.movement', 'problem']],
  ['light', { output: true, brightness: 30 }, ['brightness', 'on', 'problem']],
  ['rgb', { output: true, rgb: [255, 0, 0] }, ['color', 'brightness', 'on', 'problem']],
  ['rgbw', { output: true, rgb: [255, 0, 0], white: 0 }, ['color', 'x.white', 'brightness', 'on', 'problem']],
  ['cct', { output: true, ct: 4_000 }, ['color_temperature', 'brightness', 'on', 'problem']],
  ['pm1', { apower: 5 }, ['power']],
  ['em', { total_act_power: 5 }, ['power']],
  ['em1', { act_power: 5 }, ['power']],
  ['emdata', { total_act: 5 }, ['energy']],
  ['em1data', { total_act_energy: 5 }, ['energy']],
  ['input', { state: true }, ['input_0.x.input']],
  ['temperature', { tC: 20 }, ['temperature']],
  ['humidity', { rh: 50 }, ['humidity']],
  ['illuminance', { lux: 50, illumination: 'dark' }, ['illuminance', 'x.light']],
  ['voltmeter', { voltage: 5 }, ['voltage']],
  ['smoke', { alarm: false }, ['smoke']],
  ['flood', { alarm: false }, ['water_leak']],
  ['presencezone', { value: true, num_objects: 2 }, ['presence', 'x.people']],
  ['devicepower', { battery: { percent: 50 } }, ['battery']],
  ['thermostat', { target_C: 21 }, ['target_temperature', 'on', 'thermostat_state']],
  ['wifi', { rssi: -50 }, ['signal_strength']],
  ['sys', { restart_required: false }, ['x.update_available', 'x.restart_required', 'x.restart']],
  ['boolean', { value: true }, ['boolean_0.x.value']],
  ['number', { value: 1 }, ['number_0.x.value']],
];
const NO_COMPONENTS: LeftOut = [
  { of: 'ble bthome cloud eth modbus mqtt plugs_ui script ui ws'.split(' '), why: SILENT },
  {
    of: ['bthomedevice', 'bthomesensor', 'blutrv'],
    why: 'a device behind a gateway, or its part: shown as that device',
  },
  { of: ['button'], why: 'a virtual one: it says nothing, and its press is an event' },
  { of: ['awaiting_auth_code', 'cury', 'presence'], why: PLAIN },
];

test('each component has its features, and one of the future has its plain values', () => {
  const keysOf = (type: string, status: JsonObject): string[] =>
    (shownOf([{ key: `${type}:0`, config: { type: 'switch' }, status }])[0] ?? []).map(({ key }) => key);
  const said = new Map(COMPONENTS.map(([type, status]) => [type, keysOf(type, status)] as const));
  const known = Object.fromEntries(COMPONENTS.map(([type, , keys]) => [type, keys]));
  const wrong = wrongMeanings<readonly string[]>(
    wordsIn(PEER, 'components'),
    { known, leftOut: NO_COMPONENTS },
    (type) => said.get(type),
  );
  expect(wrong).toEqual([]);
  const plain = { id: 0, reading: 5, parts: { a: 1 } };
  const reasons = new Map(NO_COMPONENTS.flatMap(({ of, why }) => of.map((type) => [type, why] as const)));
  const shown = [...reasons.keys()].filter((type) => keysOf(type, plain).length > 0);
  expect(shown).toEqual([...reasons].flatMap(([type, why]) => (why === PLAIN ? [type] : [])));
  expect(keysOf('of_the_future', plain)).toEqual(['of_the_future_0.x.reading']);
});

test('a zone of presence that nobody knows of is not known', () => {
  const zone = (status: JsonObject) => shownOf([{ key: 'presencezone:200', config: {}, status }])[0];
  expect(zone({ value: null, num_objects: null })).toEqual([
    { key: 'presence', value: null },
    { key: 'x.people', value: null },
  ]);
  expect(zone({ value: 'present' })).toEqual([]);
});

test('each event of a button is an action, and only pushes of the future keep their word', () => {
  const part = { key: 'input:0', id: 0, name: 'input_0', config: { type: 'button' }, status: {} };
  const [button] = inputSources(part);
  const actionOf = (event: string): Occurrence['action'] | undefined => button?.readEvent?.(event, {})?.action;
  const known = {
    btn_down: 'press',
    btn_up: 'release',
    single_push: 'single',
    double_push: 'double',
    triple_push: 'triple',
    long_push: 'hold',
  };
  expect(wrongMeanings<string>(wordsIn(PEER, 'buttonEvents'), { known, leftOut: [] }, actionOf)).toEqual([]);
  expect([actionOf('future_push'), actionOf('config_changed'), actionOf('of_the_future')]).toEqual([
    'future',
    undefined,
    undefined,
  ]);
});
