import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { linearBetween, unitFromSpelling } from '#core/feature/units.ts';
import { readAnnouncement } from '#integrations/tasmota/announcement.ts';
import { deviceFrom, type ShownDevice } from '#integrations/tasmota/mapping/tasmota-device.ts';
import { sensorSources } from '#integrations/tasmota/mapping/sensors.ts';
import { type LeftOut, numbersIn, readPeerLists, wordsIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';

const PEER = readPeerLists('tasmota');

function listed<Item>(name: string): Readonly<Record<string, Item>> {
  return PEER.lists[name] as Readonly<Record<string, Item>>;
}

const CONFIG: JsonObject = {
  mac: 'D8F15B000010',
  dn: 'Sofa',
  t: 'sofa',
  ft: '%prefix%/%topic%/',
  tp: ['cmnd', 'stat', 'tele'],
  rl: [],
};

function deviceOf(config: JsonObject): ShownDevice {
  const announcement = readAnnouncement({ ...CONFIG, ...config });
  if (announcement === undefined) throw new Error('it is no announcement');
  return deviceFrom(announcement, {});
}

function keysOf(config: JsonObject): string[] {
  return deviceOf(config)
    .sources.map(({ feature }) => feature.key)
    .filter((key) => key !== 'signal_strength' && key !== 'x.restart');
}

type Measured = { readonly key: string; readonly unit: string | null; readonly value: JsonValue | undefined };

/** What the hub makes of 10 of a quantity. */
function measured(quantity: string, units: JsonObject = {}): Measured | undefined {
  const list = { Sensor: { [quantity]: 10 }, ...units };
  const [source] = sensorSources(list);
  if (source === undefined) return undefined;
  return {
    key: source.feature.key,
    unit: source.feature.unit,
    value: source.read?.(new Map(Object.entries(list))),
  };
}

const QUANTITIES: Readonly<Record<string, string>> = {
  Temperature: 'temperature',
  DewPoint: 'x.dew_point',
  Humidity: 'humidity',
  Pressure: 'pressure',
  SeaPressure: 'x.sea_pressure',
  Illuminance: 'illuminance',
  CarbonDioxide: 'co2',
  eCO2: 'co2',
  TVOC: 'tvoc',
  PM1: 'pm1',
  'PM2.5': 'pm25',
  PM10: 'pm10',
  CF1: 'x.cf1',
  'CF2.5': 'x.cf2_5',
  CF10: 'x.cf10',
  Distance: 'distance',
  Moisture: 'soil_moisture',
  Battery: 'battery',
  Power: 'power',
  ActivePower: 'power',
  ApparentPower: 'apparent_power',
  ReactivePower: 'reactive_power',
  Factor: 'power_factor',
  Voltage: 'voltage',
  Current: 'current',
  CurrentNeutral: 'x.current_neutral',
  PhaseAngle: 'x.phase_angle',
  Frequency: 'frequency',
  Total: 'energy',
  Energy: 'energy',
  ImportActive: 'energy',
  ExportActive: 'energy_returned',
  ImportReactive: 'x.import_reactive',
  ExportReactive: 'x.export_reactive',
  Today: 'x.today',
  Yesterday: 'x.yesterday',
  TotalTariff: 'x.total_tariff',
  ExportTariff: 'x.export_tariff',
  CCT: 'x.cct',
  Weight: 'x.weight',
  Speed: 'wind_speed',
};
const NO_QUANTITIES: LeftOut = [
  {
    of: ['Ambient', 'Blue', 'Green', 'Red', 'Proximity'],
    why: 'a count of a light sensor: shown as it is, without unit',
  },
  {
    of: ['PB0.3', 'PB0.5', 'PB1', 'PB2.5', 'PB5', 'PB10'],
    why: 'a count of particles in a tenth of a litre, which no unit of the hub is: shown as it is',
  },
  { of: ['TotalStartTime'], why: 'when the counter began: no reading' },
];

test('each quantity is its word, or has the unit of the peer', () => {
  const units = listed<string>('units');
  const named = listed<{ member: string; units: readonly string[] }>('namedUnits');
  const all = new Map<string, JsonObject>([
    ...Object.keys(units).map((name) => [name, {}] as const),
    ...Object.entries(named).map(
      ([
        name,
        {
          member,
          units: [first = ''],
        },
      ]) => [name, { [member]: first }] as const,
    ),
  ]);
  const wrong = wrongMeanings<string>(all.keys(), { known: QUANTITIES, leftOut: NO_QUANTITIES }, (name) => {
    const one = measured(name, all.get(name));
    return one?.unit === null && one.key.startsWith('x.') ? undefined : one?.key;
  });
  expect(wrong).toEqual([]);
});

test('each quantity is shown in the unit of the hub', () => {
  const units = Object.entries(listed<string>('units')).map(([name, unit]) => ({ name, unit, said: {} }));
  const named = Object.entries(listed<{ member: string; units: readonly string[] }>('namedUnits')).flatMap(
    ([name, { member, units: all }]) => all.map((unit) => ({ name, unit, said: { [member]: unit } })),
  );
  const wrong = [...units, ...named].flatMap(({ name, unit, said }) => {
    const one = measured(name, said);
    if (unit === '' || typeof one?.value !== 'number' || QUANTITIES[name] === undefined) return [];
    const linear = linearBetween(unitFromSpelling(unit), one.unit);
    if (linear === undefined) return [`${name} is in ${unit}, and shown in ${one.unit}`];
    const wanted = 10 * linear.factor + linear.offset;
    return Math.abs(one.value - wanted) < 0.01 ? [] : [`10 ${unit} of ${name} are shown as ${one.value} ${one.unit}`];
  });
  expect(wrong).toEqual([]);
  expect(measured('OfTheFuture')).toEqual({ key: 'x.of_the_future', unit: null, value: 10 });
});

test('a sensor that has one word twice shows both', () => {
  const list = { SCD30: { CarbonDioxide: 700, eCO2: 690 }, ENERGY: { Total: 5, ImportActive: 4 } };
  const known = new Map(Object.entries(list));
  expect(sensorSources(list).map(({ feature, read }) => [feature.key, feature.unit, read?.(known)])).toEqual([
    ['co2', 'ppm', 700],
    ['scd30.x.e_co2', 'ppm', 690],
    ['energy', 'kWh', 5],
    ['energy.x.import_active', 'kWh', 4],
  ]);
});

const PUSH_BUTTONS = ['PUSHBUTTON', 'PUSHBUTTON_INV', 'PUSHBUTTONHOLD', 'PUSHBUTTONHOLD_INV'];

test('a switch of each mode tells what the peer says that it tells', () => {
  const tells = (mode: number): JsonValue => {
    const keys = keysOf({ swc: [mode], so: { 114: 1 } });
    return { state: keys.includes('switch_1.x.input'), press: keys.includes('switch_1.button') };
  };
  const modes = numbersIn(PEER, 'switchModes');
  const told = listed<{ state: boolean; pressed: boolean; held: boolean }>('switchTold');
  // Of a push button the peer also shows how it was at the last telemetry, when nobody pressed it.
  const known = Object.fromEntries(
    Object.entries(told).map(([name, { state, pressed, held }]) => [
      name,
      { state: state && !PUSH_BUTTONS.includes(name), press: pressed || held },
    ]),
  );
  const wrong = wrongMeanings<JsonValue>(Object.keys(modes), { known, leftOut: [] }, (name) =>
    tells(modes[name] ?? -1),
  );
  expect(wrong).toEqual([]);
  expect(PUSH_BUTTONS.filter((name) => told[name]?.state !== true)).toEqual([]);
  // Of one of the future nothing is lost.
  expect(tells(17)).toEqual({ state: true, press: true });
});

test('each press of a button is an action, and one of the future keeps its word', () => {
  const button = deviceOf({ btn: [1], so: { 73: 1 } }).sources.find(({ feature }) => feature.key === 'button_1.button');
  const actionOf = (word: string): string | undefined => button?.readEvent?.({ Action: word })?.action;
  const known = { SINGLE: 'single', DOUBLE: 'double', TRIPLE: 'triple', QUAD: 'many', PENTA: 'many', HOLD: 'hold' };
  expect(wrongMeanings<string>(wordsIn(PEER, 'buttonActions'), { known, leftOut: [] }, actionOf)).toEqual([]);
  expect(actionOf('OF_THE_FUTURE')).toBe('of_the_future');
});

test('each output and light is its type', () => {
  const [lights, relays] = [numbersIn(PEER, 'lightSubtypes'), numbersIn(PEER, 'relays')];
  const light = (subtype: number) => deviceOf({ rl: [2], lt_st: subtype }).description.type;
  const output = (kind: number) => deviceOf({ rl: [kind, kind], lt_st: 1 }).description.type;
  const knownLights = {
    NONE: 'dimmable_light',
    SINGLE: 'dimmable_light',
    COLDWARM: 'color_temperature_light',
    RGB: 'extended_color_light',
    RGBW: 'extended_color_light',
    RGBCW: 'extended_color_light',
  };
  const knownOutputs = {
    NONE: 'other',
    RELAY: 'on_off_plug_in_unit',
    LIGHT: 'dimmable_light',
    SHUTTER: 'window_covering',
  };
  expect(
    wrongMeanings<string>(Object.keys(lights), { known: knownLights, leftOut: [] }, (name) =>
      light(lights[name] ?? -1),
    ),
  ).toEqual([]);
  expect(
    wrongMeanings<string>(Object.keys(relays), { known: knownOutputs, leftOut: [] }, (name) =>
      output(relays[name] ?? -1),
    ),
  ).toEqual([]);
  expect(output(4)).toBe('other');
  expect(keysOf({ rl: [2], lt_st: 6 })).toEqual(keysOf({ rl: [2], lt_st: 0 }));
});

test('each speed of a fan and direction of a shutter has a word, and one of the future none', () => {
  const [speeds, directions] = [numbersIn(PEER, 'fanSpeeds'), numbersIn(PEER, 'shutterDirections')];
  const shown = (config: JsonObject, key: string, said: JsonObject): JsonValue | undefined =>
    deviceOf(config)
      .sources.find(({ feature }) => feature.key === key)
      ?.read?.(new Map(Object.entries(said)));
  const speed = (number: number) => shown({ if: 1 }, 'fan_mode', { FanSpeed: number });
  const state = (Direction: number) => shown({ rl: [3, 3] }, 'cover_state', { Shutter1: { Position: 40, Direction } });
  const knownSpeeds = { OFF: 'off', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' };
  expect(
    wrongMeanings<JsonValue>(Object.keys(speeds), { known: knownSpeeds, leftOut: [] }, (name) =>
      speed(speeds[name] ?? 9),
    ),
  ).toEqual([]);
  expect(speed(4)).toBeNull();
  const knownStates = { DOWN: 'close', STOP: 'stop', UP: 'open' };
  expect(
    wrongMeanings<JsonValue>(Object.keys(directions), { known: knownStates, leftOut: [] }, (name) =>
      state(directions[name] ?? 9),
    ),
  ).toEqual([]);
});
