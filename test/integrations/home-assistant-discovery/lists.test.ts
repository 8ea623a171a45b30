import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { binaryWord, sensorWord } from '#core/feature/measure.ts';
import {
  DEVICE_NAMES,
  ENTITY_NAMES,
  ORIGIN_NAMES,
} from '#integrations/home-assistant-discovery/message/abbreviations.ts';
import { createDiscoveredHome } from '#test/support/discovery/discovered-home.ts';
import { type LeftOut, readPeerLists, wordsIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';

const PEER = readPeerLists('home-assistant');
const FUTURE = 'of_the_future';

/** What the hub shows of an entity after these messages on its topic. */
function shown(component: string, config: JsonObject, messages: readonly JsonValue[]): ReadonlyMap<string, JsonValue> {
  const { publish, values } = createDiscoveredHome();
  publish(`homeassistant/${component}/it/config`, { ...config, uniq_id: 'it', name: 'it', dev: { ids: 'box' } });
  for (const message of messages) publish('s', message);
  return new Map([...values].map(([name, value]) => [name.split(' ').at(-1) ?? name, value]));
}

const NO_WORD = 'no word of the vocabulary is true when, and only when, this is: it has a name of its own';
const NO_MEASURE = 'the vocabulary has no word that means this: it has a name and unit of its own';

test('each class of a binary sensor is its word, or has a name of its own', () => {
  const known = {
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
  const leftOut: LeftOut = [
    {
      of: 'cold connectivity heat light moving plug power running safety sound update'.split(' '),
      why: NO_WORD,
    },
    { of: ['lock'], why: 'on is unlocked, and not locked may also be jammed' },
  ];
  expect(wrongMeanings<string>(wordsIn(PEER, 'binaryClasses'), { known, leftOut }, binaryWord)).toEqual([]);
  expect(binaryWord(FUTURE)).toBeUndefined();
});

test('each class of a sensor is its word, or has a name and unit of its own', () => {
  const known = {
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
  const leftOut: LeftOut = [
    { of: wordsIn(PEER, 'nonNumericClasses'), why: 'it is no measure: what it is says the value itself' },
    { of: ['moisture'], why: 'of anything: `soil_moisture` is of soil' },
    { of: ['volatile_organic_compounds'], why: 'it is a mass, and `tvoc` is parts per billion' },
    {
      of: (
        'aqi area blood_glucose_concentration conductivity data_rate data_size duration energy_distance energy_storage ' +
        'irradiance monetary nitrogen_monoxide nitrous_oxide ph speed sulphur_dioxide volume volume_storage weight ' +
        'wind_direction'
      ).split(' '),
      why: NO_MEASURE,
    },
  ];
  expect(wrongMeanings<string>(wordsIn(PEER, 'sensorClasses'), { known, leftOut }, sensorWord)).toEqual([]);
  expect(sensorWord(FUTURE)).toBeUndefined();
});

type Row = readonly [
  list: string,
  entity: readonly [component: string, config: JsonObject],
  key: string,
  /** What is said of a word. */
  saying: (word: string) => JsonValue,
  others?: Readonly<Record<string, JsonValue>>,
];
const plain = (word: string): JsonValue => word;
const upper = (word: string): JsonValue => word.toUpperCase();
const TOPICS = { stat_t: 's', cmd_t: 'c' };
const MODES = { mode_stat_t: 's', mode_cmd_t: 'c' };
const ROWS: readonly Row[] = [
  ['hvacModes', ['climate', { ...MODES, modes: [...wordsIn(PEER, 'hvacModes')] }], 'thermostat_mode', plain],
  ['hvacActions', ['climate', { ...MODES, mode_stat_t: 'm', act_t: 's' }], 'thermostat_state', plain],
  ['waterHeaterModes', ['water_heater', MODES], 'operation_mode', plain],
  ['alarmStates', ['alarm_control_panel', TOPICS], 'x.alarm_state', plain],
  ['vacuumStates', ['vacuum', TOPICS], 'vacuum_state', (state) => ({ state })],
  ['mowerStates', ['lawn_mower', { act_stat_t: 's' }], 'x.mower_state', plain],
  ['lockStates', ['lock', TOPICS], 'lock_state', upper],
  [
    'lockStates',
    ['lock', TOPICS],
    'locked',
    upper,
    {
      jammed: null,
      opening: null,
      locking: null,
      open: false,
      unlocking: null,
      locked: true,
      unlocked: false,
    },
  ],
  ['coverStates', ['cover', TOPICS], 'x.movement', plain],
  ['valveStates', ['valve', TOPICS], 'x.valve_movement', plain],
];

test.each(ROWS.map(([list, entity, key, saying, others]) => ({ list, entity, key, saying, others })))(
  'each of $list is shown as $key',
  ({ list, entity: [component, config], key, saying, others }) => {
    const known = others ?? Object.fromEntries(wordsIn(PEER, list).map((word) => [word, word]));
    const wrong = wrongMeanings<JsonValue>(wordsIn(PEER, list), { known, leftOut: [] }, (word) =>
      shown(component, config, [saying(word)]).get(key),
    );
    expect(wrong).toEqual([]);
    expect([null, undefined, FUTURE]).toContain(shown(component, config, [saying(FUTURE)]).get(key));
  },
);

test('each class of a cover opens the home, or does not', () => {
  const closed = 'awning blind curtain damper shade shutter window'.split(' ').map((name) => [name, false] as const);
  const known = { ...Object.fromEntries(closed), door: true, garage: true, gate: true };
  const wrong = wrongMeanings<boolean>(wordsIn(PEER, 'coverClasses'), { known, leftOut: [] }, (name) =>
    shown('cover', { ...TOPICS, dev_cla: name }, ['closed']).has('x.garage_movement'),
  );
  expect(wrong).toEqual([]);
});

test('each component is known, apart from pictures', () => {
  const { features, publish } = createDiscoveredHome();
  for (const component of wordsIn(PEER, 'components')) {
    publish(`homeassistant/${component}/${component}/config`, { uniq_id: component, dev: { ids: 'box' } });
  }
  const unknown = features().flatMap(({ description }) => /hub does not know such/.exec(description ?? '') ?? []);
  // A camera and an image.
  expect(unknown.length).toBe(2);
});

test('each short name of the peer is its long name', () => {
  const tables = { abbreviations: ENTITY_NAMES, deviceAbbreviations: DEVICE_NAMES, originAbbreviations: ORIGIN_NAMES };
  const wrong = Object.entries(tables).flatMap(([list, own]) => {
    const peer = PEER.lists[list] as Readonly<Record<string, string>>;
    return [
      ...Object.entries(peer).filter(([short, long]) => (own.get(short) ?? short) !== long),
      ...[...own].filter(([short]) => peer[short] === undefined),
    ];
  });
  expect(wrong).toEqual([]);
});
