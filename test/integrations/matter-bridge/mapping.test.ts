import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import { bridgedOf, endpointsOf } from '#integrations/matter-bridge/mapping/bridged-device.ts';
import { pressFrom } from '#integrations/matter-bridge/mapping/sensors.ts';
import { simulatedDevice as deviceOf } from '#test/support/matter/simulated-device.ts';

function stateOf(device: Device): readonly JsonObject[] {
  return endpointsOf(device).map((mapped) => ({ ...bridgedOf(mapped, device).state }));
}

describe('a device of the simulated home as endpoints of Matter', () => {
  test.each([
    ['kitchen-ceiling', ['color_temperature_light']],
    ['living-room-lamp', ['extended_color_light']],
    ['bedroom-bedside', ['dimmable_light']],
    ['hallway-ceiling', ['on_off_light']],
    ['kitchen-fridge', ['on_off_plug power']],
    ['living-room-blind', ['window_covering lift']],
    ['living-room-thermostat', ['thermostat heating battery']],
    ['hallway-front-door', ['door_lock battery']],
    ['bedroom-window', ['contact_sensor battery']],
    ['hallway-motion', ['occupancy_sensor battery', 'light_sensor']],
    ['bedroom-climate', ['temperature_sensor battery', 'humidity_sensor']],
    ['living-room-remote', ['generic_switch battery']],
    ['kitchen-leak', ['water_leak_detector battery']],
  ])('%s is %j', (id, expected) => {
    const device = deviceOf(id);
    const found = endpointsOf(device).map((mapped) => bridgedOf(mapped, device));
    expect(found.map(({ kind, parts }) => [kind, ...parts].join(' '))).toEqual(expected);
    expect(endpointsOf(device).map((mapped) => mapped.id)).toEqual(found.map((one) => one.id));
  });

  test('has values in the units of Matter', () => {
    expect(stateOf(deviceOf('kitchen-ceiling', { brightness: 50, color_temperature: 2703 }))).toMatchObject([
      { levelControl: { currentLevel: 127 }, colorControl: { colorTemperatureMireds: 370, colorMode: 2 } },
    ]);
    expect(stateOf(deviceOf('bedroom-climate', { temperature: -12.34 }))).toMatchObject([
      { temperatureMeasurement: { measuredValue: -1234 }, powerSource: { batPercentRemaining: 114 } },
      { relativeHumidityMeasurement: { measuredValue: 4700 } },
    ]);
    expect(stateOf(deviceOf('living-room-blind', { position: 30 }))).toMatchObject([
      { windowCovering: { currentPositionLiftPercent100ths: 7000 } },
    ]);
    expect(stateOf(deviceOf('bedroom-window', { open: true }))).toMatchObject([
      { booleanState: { stateValue: false } },
    ]);
    expect(stateOf(deviceOf('hallway-motion', { illuminance: 0.2 }))[1]).toMatchObject({
      illuminanceMeasurement: { measuredValue: 0 },
    });
  });

  test('shows the white to which a lamp came back after it was red', () => {
    const device = deviceOf('living-room-lamp', { color: { x: 0.7, y: 0.3 }, color_temperature: 2703 });
    const states = new Map(device.states);
    const change = (key: string, news: object): void => {
      const state = states.get(key);
      if (state !== undefined) states.set(key, { ...state, ...news });
    };
    change('color_temperature', { quality: 'confirmed', changedAtMs: 1 });
    change('color', { quality: 'stale', changedAtMs: 2 });
    expect(stateOf({ ...device, states })).toMatchObject([{ colorControl: { colorMode: 2 } }]);
    change('color', { quality: 'confirmed' });
    expect(stateOf({ ...device, states })).toMatchObject([{ colorControl: { colorMode: 1 } }]);
  });

  test('cannot be reached while its availability says so', () => {
    const device = deviceOf('bedroom-bedside');
    const gone: Device = { ...device, availability: { ...device.availability, state: 'offline' } };
    expect(stateOf(gone)).toMatchObject([{ bridgedDeviceBasicInformation: { reachable: false } }]);
  });

  test('has names that fit, also those of its second function', () => {
    const device: Device = { ...deviceOf('bedroom-climate'), ownName: 'Ä very long name of a sensor under the roof' };
    const names = stateOf(device).map((state) => (state['bridgedDeviceBasicInformation'] as JsonObject)['nodeLabel']);
    expect(names).toEqual(['Ä very long name of a sensor un', expect.stringMatching(/^Ä very long.* Humidity$/)]);
    for (const name of names) expect(Buffer.byteLength(JSON.stringify(name)) - 2).toBeLessThanOrEqual(32);
  });
});

test.each<[string, JsonObject, JsonObject | undefined]>([
  ['bedroom-bedside on_off.on', {}, { set: { on: true } }],
  ['bedroom-bedside level.set', { level: 25, withOnOff: true }, { set: { on: true, brightness: 10 } }],
  ['bedroom-bedside level.set', { level: 127, transitionTime: 20 }, { set: { brightness: 50 }, transitionMs: 2000 }],
  ['bedroom-bedside level.set', { level: 1, withOnOff: true }, { set: { on: false } }],
  ['bedroom-bedside level.set', { level: 'much' }, undefined],
  ['kitchen-ceiling color.white', { mireds: 370 }, { set: { color_temperature: 2703 } }],
  ['kitchen-ceiling color.white', { mireds: 1 }, { set: { color_temperature: 6500 } }],
  ['living-room-lamp color.xy', { x: 45_875, y: 19_660 }, { set: { color: { x: 0.7, y: 0.29999 } } }],
  ['living-room-blind cover.lift', { percent100ths: 3000 }, { set: { position: 70 } }],
  ['living-room-blind cover.stop', {}, { set: { cover_state: 'stop' } }],
  ['hallway-front-door lock.unlock', {}, { set: { locked: false } }],
  ['living-room-thermostat thermostat.heating', { value: 2260 }, { set: { target_temperature: 22.5 } }],
  ['living-room-thermostat thermostat.mode', { value: 0 }, { set: { thermostat_mode: 'off' } }],
  ['living-room-thermostat thermostat.mode', { value: 3 }, undefined],
])('%s with %j', (line, value, expected) => {
  const [id = '', name = ''] = line.split(' ');
  const device = deviceOf(id);
  const read = endpointsOf(device)[0]?.commands.get(name);
  expect(read?.(value, device)).toEqual(expected);
});

test.each([
  ['double', { how: 'short', count: 2 }],
  ['hold', { how: 'hold', count: 1 }],
  ['release', { how: 'release', count: 1 }],
  ['rotate_left', undefined],
])('a press that is %s', (action, expected) => {
  expect(pressFrom({ action, raw: action })).toEqual(expected);
});
