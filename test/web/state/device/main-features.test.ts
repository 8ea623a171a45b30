import { expect, test } from 'vitest';
import type { Device } from '#web/client/api.ts';
import { mainFeatures, thermostatOf } from '#web/state/device/main-features.ts';

type Given = readonly [capability: string, writable: boolean, more?: object];

const device = (...given: readonly Given[]): Device =>
  ({
    features: given.map(([capability, writable, more = {}]) => {
      return { key: capability, capability, writable, kind: 'state', category: 'primary', ...more };
    }),
  }) as unknown as Device;
const shown = (...given: readonly Given[]): readonly string[] =>
  mainFeatures(device(...given)).map(({ capability }) => capability);

test('the control comes first, and what is technical not at all', () => {
  const battery = ['battery', false, { category: 'diagnostic' }] as const;
  const start = ['power_on_behavior', true, { category: 'config' }] as const;
  const blink = ['identify', true, { kind: 'action' }] as const;
  expect(shown(battery, ['color', true], ['brightness', true], start, ['on', true], blink)).toEqual([
    'on',
    'brightness',
    'color',
  ]);
});

test('what says a control’s value in other words is left out, and stays where there is no control', () => {
  expect(shown(['lock_state', false], ['locked', true])).toEqual(['locked']);
  expect(shown(['position', false], ['cover_state', true])).toEqual(['cover_state']);
  expect(shown(['position', true], ['cover_state', true])).toEqual(['cover_state', 'position']);
  expect(shown(['lock_state', false])).toEqual(['lock_state']);
});

test('a thermostat is one block, and a thermometer is none', () => {
  const warm = device(
    ['temperature', false],
    ['target_temperature', true],
    ['heating_demand', false],
    ['humidity', false],
  );
  expect(thermostatOf(warm)?.parts.map(({ capability }) => capability)).toEqual([
    'target_temperature',
    'temperature',
    'heating_demand',
  ]);
  expect(thermostatOf(device(['temperature', false]))).toBe(undefined);
});
