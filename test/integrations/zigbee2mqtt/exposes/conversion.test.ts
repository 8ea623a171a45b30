import { assert, constantFrom, integer, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { readDefinition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { valueFromWire, wireFromValue, type Conversion } from '#integrations/zigbee2mqtt/exposes/conversion.ts';
import { bindingsFromDefinition, type Binding } from '#integrations/zigbee2mqtt/exposes/exposes.ts';

function bindingOf(expose: Record<string, JsonValue>, parent?: string): Binding {
  const leaf = { property: expose['name'] ?? '', access: 7, ...expose };
  const definition = readDefinition({ exposes: parent === undefined ? [leaf] : [{ type: parent, features: [leaf] }] });
  const [binding] = definition === null ? [] : bindingsFromDefinition(definition);
  if (binding === undefined) throw new Error('no binding');
  return binding;
}

const NUMERIC = { type: 'numeric' };
const brightness = bindingOf({ ...NUMERIC, name: 'brightness', value_min: 0, value_max: 254 }, 'light');
const colorTemperature = bindingOf(
  { ...NUMERIC, name: 'color_temp', unit: 'mired', value_min: 153, value_max: 500 },
  'light',
);

describe('from the wire', () => {
  test.each<[string, Binding, JsonValue, JsonValue | undefined]>([
    ['brightness 254', brightness, 254, 100],
    ['brightness 127', brightness, 127, 50],
    ['brightness 1 is not dark', brightness, 1, 1],
    ['brightness 0', brightness, 0, 0],
    ['brightness above its range', brightness, 255, 100],
    ['brightness as text', brightness, '254', 100],
    ['brightness as a text that is no number', brightness, '254 %', undefined],
    ['153 mired', colorTemperature, 153, 6536],
    ['500 mired', colorTemperature, 500, 2000],
    ['0 mired', colorTemperature, 0, null],
    ['mired of no value', colorTemperature, 65_535, null],
    [
      'a made contact is closed',
      bindingOf({ type: 'binary', name: 'contact', value_on: false, value_off: true }),
      true,
      false,
    ],
    [
      'a broken contact is open',
      bindingOf({ type: 'binary', name: 'contact', value_on: false, value_off: true }),
      false,
      true,
    ],
    [
      'a contact that calls "made" on',
      bindingOf({ type: 'binary', name: 'contact', value_on: 'ON', value_off: 'OFF' }),
      'ON',
      false,
    ],
    ['LOCK', bindingOf({ type: 'binary', name: 'state', value_on: 'LOCK', value_off: 'UNLOCK' }, 'lock'), 'LOCK', true],
    [
      'a child lock that calls UNLOCK on',
      bindingOf({ type: 'binary', name: 'child_lock', value_on: 'UNLOCK', value_off: 'LOCK' }),
      'LOCK',
      true,
    ],
    [
      'never by truthiness',
      bindingOf({ type: 'binary', name: 'state', value_on: 'ON', value_off: 'OFF' }, 'switch'),
      'off',
      undefined,
    ],
    ['mV', bindingOf({ ...NUMERIC, name: 'voltage', unit: 'mV' }), 3021, 3.021],
    ['V', bindingOf({ ...NUMERIC, name: 'voltage', unit: 'V' }), 230.4, 230.4],
    ['kPa', bindingOf({ ...NUMERIC, name: 'pressure', unit: 'kPa' }), 101.325, 1013.25],
    ['°F', bindingOf({ ...NUMERIC, name: 'temperature', unit: '°F' }), 212, 100],
    ['cm', bindingOf({ ...NUMERIC, name: 'target_distance', unit: 'cm' }), 135, 1.35],
    ['minutes', bindingOf({ ...NUMERIC, name: 'countdown', unit: 'min' }), 5, 300],
    ['µg/m³ of formaldehyde', bindingOf({ ...NUMERIC, name: 'formaldehyd', unit: 'µg/m³' }), 80, 0.08],
    ['power factor in percent', bindingOf({ ...NUMERIC, name: 'power_factor', unit: '%' }), 95, 0.95],
    ['level 2 of 5', bindingOf({ ...NUMERIC, name: 'fan_speed', value_min: 0, value_max: 5, value_step: 1 }), 2, 40],
    [
      'an unlisted word',
      bindingOf({ type: 'enum', name: 'system_mode', values: ['off'] }, 'climate'),
      'Emergency Heat',
      'emergency_heat',
    ],
    [
      'memory of the state before',
      bindingOf({ type: 'binary', name: 'power_outage_memory', value_on: true, value_off: false }),
      true,
      'previous',
    ],
    [
      'a locked keypad',
      bindingOf({ type: 'enum', name: 'keypad_lockout', values: ['unlock', 'lock1', 'lock2'] }),
      'lock2',
      true,
    ],
    ['infinity', bindingOf({ ...NUMERIC, name: 'temperature' }), Number.POSITIVE_INFINITY, undefined],
    [
      'colour x and y',
      bindingOf({ type: 'composite', name: 'color_xy', property: 'color' }, 'light'),
      { x: 0.3, y: 0.4, hue: 1, saturation: 2 },
      { x: 0.3, y: 0.4 },
    ],
    [
      'colour hue and saturation',
      bindingOf({ type: 'composite', name: 'color_hs', property: 'color' }, 'light'),
      { hue: 10, saturation: 90 },
      { hue: 10, saturation: 90 },
    ],
    [
      'colour out of range',
      bindingOf({ type: 'composite', name: 'color_xy', property: 'color' }, 'light'),
      { x: 3, y: 0.4 },
      undefined,
    ],
    [
      'the last seen time',
      bindingOf({ type: 'text', name: 'last_seen' }),
      '2026-01-02T03:04:05+01:00',
      '2026-01-02T02:04:05.000Z',
    ],
  ])('%s', (...[, { conversion }, wire, value]) => {
    expect(valueFromWire(conversion, wire)).toEqual(value);
  });
});

describe('to the wire', () => {
  test.each<[string, Binding, JsonValue, JsonValue | undefined]>([
    ['100 percent', brightness, 100, 254],
    ['1 percent', brightness, 1, 3],
    ['0 percent', brightness, 0, 0],
    ['101 percent', brightness, 101, undefined],
    ['2700 K', colorTemperature, 2700, 370],
    [
      'a word of an enum is its own spelling upstream',
      bindingOf({ type: 'enum', name: 'fan_mode', values: ['Auto Low', 'HIGH'] }),
      'auto_low',
      'Auto Low',
    ],
    [
      'a word that is no option',
      bindingOf({ type: 'enum', name: 'fan_mode', values: ['Auto Low', 'HIGH'] }),
      'turbo',
      undefined,
    ],
    ['a number among an enum', bindingOf({ type: 'enum', name: 'duration', values: [1, 2] }), '2', 2],
    ['true', bindingOf({ type: 'binary', name: 'state', value_on: 'ON', value_off: 'OFF' }, 'switch'), true, 'ON'],
    [
      'text for a boolean',
      bindingOf({ type: 'binary', name: 'state', value_on: 'ON', value_off: 'OFF' }, 'switch'),
      'ON',
      undefined,
    ],
    [
      'locking the keypad',
      bindingOf({ type: 'enum', name: 'keypad_lockout', values: ['unlock', 'lock1', 'lock2'] }),
      true,
      'lock1',
    ],
    ['seconds in minutes', bindingOf({ ...NUMERIC, name: 'countdown', unit: 'min' }), 300, 5],
    [
      '40 % of five levels',
      bindingOf({ ...NUMERIC, name: 'fan_speed', value_min: 0, value_max: 5, value_step: 1 }),
      40,
      2,
    ],
    ['identify', bindingOf({ type: 'enum', name: 'identify', values: ['identify'], access: 2 }), null, 'identify'],
  ])('%s', (...[, { conversion }, value, wire]) => {
    expect(wireFromValue(conversion, value)).toEqual(wire);
  });
});

describe('there and back', () => {
  const roundTrip = (conversion: Conversion, value: number): JsonValue | undefined => {
    const wire = wireFromValue(conversion, value);
    return wire === undefined ? undefined : valueFromWire(conversion, wire);
  };

  test('every whole percent of brightness', () => {
    for (let percent = 0; percent <= 100; percent += 1) expect(roundTrip(brightness.conversion, percent)).toBe(percent);
  });

  test('every mired value: its kelvin converts back to it', () => {
    for (let mired = 50; mired <= 1000; mired += 1) {
      const kelvin = valueFromWire(colorTemperature.conversion, mired);
      expect(wireFromValue(colorTemperature.conversion, kelvin ?? null)).toBe(mired);
    }
  });

  test('any kelvin comes back as one that is the same to the device', () => {
    expect(() =>
      assert(
        property(integer({ min: 1_000, max: 20_000 }), (kelvin) => {
          const back = roundTrip(colorTemperature.conversion, kelvin) ?? null;
          return (
            wireFromValue(colorTemperature.conversion, back) === wireFromValue(colorTemperature.conversion, kelvin)
          );
        }),
      ),
    ).not.toThrow();
  });

  test('any input, in either direction, gives a value or undefined and never an error', () => {
    const conversions = [brightness, colorTemperature, bindingOf({ type: 'enum', name: 'effect', values: ['a', 'b'] })];
    expect(() =>
      assert(
        property(jsonValue(), constantFrom(...conversions), (json, { conversion }) => {
          const value = valueFromWire(conversion, json as JsonValue);
          const wire = wireFromValue(conversion, json as JsonValue);
          return !Number.isNaN(value) && !Number.isNaN(wire);
        }),
      ),
    ).not.toThrow();
  });
});
