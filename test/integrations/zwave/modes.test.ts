import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { numbersIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';
import { FUTURE, nodeWith, PEER, statesOf } from '#test/support/zwave/lone-value.ts';

const NO_WORD = 'has no word in the vocabulary';

test('of the modes of a lock one is locked', () => {
  const lock = nodeWith({
    cc: 'Door Lock',
    property: 'currentMode',
    metadata: { type: 'number', states: statesOf('DoorLockMode') },
  });
  const known = { Secured: true, Unknown: null };
  const modes = Object.entries({ ...numbersIn(PEER, 'DoorLockMode'), future: FUTURE });
  for (const [name, mode] of modes) {
    const wanted = name === 'future' ? null : name in known ? known[name as keyof typeof known] : false;
    expect([name, lock.shown(mode)['locked']]).toEqual([name, wanted]);
  }
});

test('a barrier that has stopped is neither open nor closed, and one of the future is nothing', () => {
  const barrier = nodeWith({ cc: 'Barrier Operator', property: 'currentState', metadata: { type: 'number' } });
  const known = { Closed: 'close', Closing: 'close', Stopped: 'stop', Opening: 'open', Open: 'open' };
  const states = numbersIn(PEER, 'BarrierState');
  const stateOf = (state: number): JsonValue | undefined => barrier.shown(state)['cover_state'];
  expect(
    wrongMeanings<JsonValue>(Object.keys(states), { known, leftOut: [] }, (name) => stateOf(states[name] ?? FUTURE)),
  ).toEqual([]);
  expect(stateOf(FUTURE)).toBeNull();
});

test('what moves has a position, and slats have a tilt', () => {
  const parameters = numbersIn(PEER, 'WindowCoveringParameter');
  const names = Object.keys(parameters);
  const withPosition = names.filter((name) => !name.endsWith('(no position)'));
  const known = Object.fromEntries(withPosition.map((name) => [name, name.includes('Slats') ? 'tilt' : 'position']));
  const leftOut = [{ why: 'does not know where it is', of: names.filter((name) => name.endsWith('(no position)')) }];
  expect(
    wrongMeanings(names, { known, leftOut }, (name) => {
      const place = { cc: 'Window Covering', property: 'currentValue', key: parameters[name] ?? FUTURE };
      return nodeWith({ ...place, metadata: { type: 'number' } }).word;
    }),
  ).toEqual([]);
});

test('a battery that is full is not charging, and in a state of the future nobody knows', () => {
  const battery = nodeWith({ cc: 'Battery', property: 'chargingStatus', metadata: { type: 'number' } });
  const states = numbersIn(PEER, 'BatteryChargingStatus');
  const charging = (state: number): JsonValue | undefined => battery.shown(state)['charging'];
  const known = { Discharging: false, Charging: true, Maintaining: false };
  expect(
    wrongMeanings<JsonValue>(Object.keys(states), { known, leftOut: [] }, (name) => charging(states[name] ?? FUTURE)),
  ).toEqual([]);
  expect(charging(FUTURE)).toBeNull();
});

/** What other protocols have too is called as there. */
const COMMON = {
  Off: 'off',
  Heat: 'heat',
  Heating: 'heat',
  Cool: 'cool',
  Cooling: 'cool',
  Fan: 'fan_only',
  Dry: 'dry',
  Idle: 'idle',
};

test.each([
  { cc: 'Thermostat Mode', property: 'mode', list: 'ThermostatMode', key: 'thermostat_mode' },
  { cc: 'Thermostat Operating State', property: 'state', list: 'ThermostatOperatingState', key: 'thermostat_state' },
  { cc: 'Thermostat Fan Mode', property: 'mode', list: 'ThermostatFanMode', key: 'fan_mode' },
])('each name of $cc has a word, and no two have the same', ({ cc, property, list, key }) => {
  const node = nodeWith({ cc, property, metadata: { type: 'number', states: statesOf(list) } });
  const numbers = numbersIn(PEER, list);
  const words = Object.values(numbers).map((number) => node.shown(number)[key]);
  expect(new Set(words).size).toBe(words.length);
  const wanted = Object.entries(COMMON).filter(([name]) => name in numbers);
  expect(wanted.map(([name]) => [name, node.shown(numbers[name] ?? FUTURE)[key]])).toEqual(wanted);
  // A word that the server does not name is its number.
  expect(node.shown(FUTURE)[key]).toBe(String(FUTURE));
});

test('setpoints have the word of what they are for', () => {
  const types = numbersIn(PEER, 'ThermostatSetpointType');
  const known = {
    Heating: 'target_temperature',
    Cooling: 'target_temperature_cool',
    'Away Heating': 'away_target_temperature',
  };
  const others = [
    'N/A',
    'Furnace',
    'Dry Air',
    'Moist Air',
    'Auto Changeover',
    'Energy Save Heating',
    'Energy Save Cooling',
    'Away Cooling',
    'Full Power',
  ];
  expect(
    wrongMeanings(Object.keys(types), { known, leftOut: [{ why: NO_WORD, of: others }] }, (name) => {
      const place = { cc: 'Thermostat Setpoint', property: 'setpoint', key: types[name] ?? FUTURE };
      return nodeWith({ ...place, metadata: { type: 'number', unit: '°C' } }).word;
    }),
  ).toEqual([]);
});

test('each way to press a key is an action, and one of the future is none', () => {
  const scene = nodeWith({
    cc: 'Central Scene',
    property: 'scene',
    key: '001',
    metadata: { type: 'number', stateful: false },
  });
  const known = {
    KeyPressed: 'single',
    KeyReleased: 'release',
    KeyHeldDown: 'hold',
    KeyPressed2x: 'double',
    KeyPressed3x: 'triple',
    KeyPressed4x: 'quadruple',
    KeyPressed5x: 'quintuple',
  };
  const keys = numbersIn(PEER, 'CentralSceneKeys');
  expect(
    wrongMeanings(Object.keys(keys), { known, leftOut: [] }, (name) => scene.happens(keys[name] ?? FUTURE)),
  ).toEqual([]);
  expect(scene.happens(FUTURE)).toBeUndefined();
});
