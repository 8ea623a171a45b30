import { expect, test } from 'vitest';
import { cardLooks, fitted, presetsOf, settableLooks, withSetting } from '#web/rule/control/setting-presets.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import type { Look } from '#web/rule/sentence/look.ts';
import { names } from './names.ts';

const LOOK = { unit: null, min: null, max: null, step: null, options: null, kind: 'state', writable: true } as const;
const look = (key: string, more: Partial<Look>): Look => ({
  ...LOOK,
  key,
  capability: key,
  name: key,
  value_type: 'boolean',
  ...more,
});
const ON = look('on', {});
const BRIGHTNESS = look('brightness', { value_type: 'number', unit: 'percent', min: 1, max: 100 });
const WHITE = look('color_temperature', { value_type: 'number', unit: 'K', min: 2200, max: 4500 });
const COLOR = look('color', { value_type: 'color' });
const START = look('power_on_behavior', { value_type: 'enum', options: ['on', 'off'], category: 'config' });
const BELL = look('ring', { kind: 'action', writable: false });
const DEVICES: Readonly<Record<string, readonly Look[]>> = {
  lamp: [START, COLOR, WHITE, BRIGHTNESS, ON],
  white: [ON, BRIGHTNESS],
  plug: [ON],
  bell: [BELL],
};
const home: RuleHome = {
  ...names,
  feature: (device, key) => DEVICES[device]?.find((one) => one.key === key),
  features: (device) => DEVICES[device] ?? [],
  options: () => [],
  capabilities: () => [],
  recipients: () => [],
};
const commandOf = (devices: readonly string[], more: JsonObject = {}): JsonObject => ({
  targets: { devices },
  ...more,
});
const keysOf = (devices: readonly string[]): readonly string[] =>
  cardLooks(settableLooks(home, commandOf(devices))).map(({ key }) => key);

test('the card of a device begins with its switch, and has no settings of the device itself', () => {
  expect(keysOf(['lamp'])).toEqual(['on', 'brightness', 'color_temperature', 'color']);
});

test('several devices have the card of what they share', () => {
  expect(keysOf(['lamp', 'white'])).toEqual(['on', 'brightness']);
  expect(keysOf(['lamp', 'plug'])).toEqual(['on']);
});

test('a device that was picked is turned on, or does the one thing that it can', () => {
  expect(fitted(home, commandOf(['lamp']))).toEqual(commandOf(['lamp'], { set: { on: true } }));
  expect(fitted(home, commandOf(['bell']))).toEqual(commandOf(['bell'], { do: 'ring' }));
});

test('with another device, what that has not got is no longer set', () => {
  const before = commandOf(['lamp', 'white'], { set: { on: true, color_temperature: 2700 }, transition_ms: 500 });
  expect(fitted(home, before)).toEqual(commandOf(['lamp', 'white'], { set: { on: true }, transition_ms: 500 }));
});

test('what is turned off has no brightness, and a white light no color', () => {
  const looks = DEVICES['lamp'] ?? [];
  expect(withSetting({ on: true, brightness: 30 }, { look: ON, value: false }, looks)).toEqual({ on: false });
  expect(withSetting({ on: true, color: { x: 1, y: 0 } }, { look: WHITE, value: 2700 }, looks)).toEqual({
    on: true,
    color_temperature: 2700,
  });
});

test('values beyond the limits of a device are not offered', () => {
  expect(presetsOf(WHITE)).toEqual([2700, 4000]);
});
