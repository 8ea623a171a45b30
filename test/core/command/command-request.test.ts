import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { UNREPORTED } from '#core/feature/feature.ts';
import { readRequest, type CommandRequest } from '#core/command/command-request.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const SCHEDULE: JsonObject = {
  type: 'object',
  properties: {
    days: { type: 'array', minItems: 1, maxItems: 7, items: { type: 'string', enum: ['mon', 'tue'] } },
    hour: { type: 'integer', minimum: 0, maximum: 23 },
    label: { type: 'string', minLength: 1, maxLength: 3 },
    mode: { const: 'heat' },
    limit: { type: ['number', 'null'] },
  },
  required: ['days', 'hour'],
  additionalProperties: false,
};

const FEATURES = [
  createFeature('on'),
  createFeature('left.on'),
  createFeature('brightness', { valueType: 'number', min: 0, max: 100, unit: 'percent' }),
  createFeature('color', { valueType: 'color' }),
  createFeature('effect', { valueType: 'enum', options: ['blink', 'breathe'] }),
  createFeature('label', { valueType: 'string' }),
  createFeature('start', { valueType: 'timestamp' }),
  createFeature('schedule', { valueType: 'object', schema: SCHEDULE }),
  createFeature('scenes', { valueType: 'list', schema: { items: { type: 'integer' } } }),
  createFeature('indicator', { valueType: 'any' }),
  createFeature('a/b~c', { valueType: 'number', max: 1 }),
  createFeature('temperature', { valueType: 'number', writable: false }),
  createFeature('sensor.on', { writable: false }),
  createFeature('button', { kind: 'event', valueType: 'object' }),
  createFeature('identify', { kind: 'action', valueType: 'none' }),
  createFeature('sealed', { kind: 'action', valueType: 'none', writable: false }),
  createFeature('infrared_send', { kind: 'action', valueType: 'string' }),
];
const DEVICE = { features: FEATURES, states: new Map() };

const errorsOf = (request: CommandRequest, device = DEVICE): string[] => {
  const reading = readRequest(device, request);
  return 'errors' in reading ? reading.errors.map(({ pointer, code }) => `${pointer} ${code}`) : [];
};

describe('a value that fits', () => {
  test.each<[string, JsonValue]>([
    ['on', false],
    ['brightness', 0],
    ['brightness', 99.5],
    ['color', { x: 0, y: 1 }],
    ['color', { hue: 360, saturation: 0 }],
    ['effect', 'blink'],
    ['label', ''],
    ['start', '2026-01-31T08:00:00.5+01:00'],
    ['schedule', { days: ['mon'], hour: 23, label: 'äöü', mode: 'heat', limit: null }],
    ['scenes', [1, 2]],
    ['indicator', 'off'],
    ['indicator', false],
    ['infrared_send', 'BXgBQ'],
  ])('%s takes %j', (key, value) => {
    expect(readRequest(DEVICE, { set: { [key]: value } })).toEqual({
      request: { set: new Map([[key, value]]), action: null },
    });
  });
});

describe('a value that does not fit is refused with a pointer to it', () => {
  test.each<[string, JsonValue, string[]]>([
    ['on', 1, ['/set/on WRONG_TYPE']],
    ['on', 'true', ['/set/on WRONG_TYPE']],
    ['on', null, ['/set/on WRONG_TYPE']],
    ['brightness', '60', ['/set/brightness WRONG_TYPE']],
    ['brightness', Number.NaN, ['/set/brightness WRONG_TYPE']],
    ['brightness', -1, ['/set/brightness OUT_OF_RANGE']],
    ['brightness', 100.1, ['/set/brightness OUT_OF_RANGE']],
    ['a/b~c', 2, ['/set/a~1b~0c OUT_OF_RANGE']],
    ['color', 'red', ['/set/color WRONG_TYPE']],
    ['color', [0.1, 0.2], ['/set/color WRONG_TYPE']],
    ['color', {}, ['/set/color REQUIRED']],
    ['color', { x: 0.3 }, ['/set/color/y REQUIRED']],
    ['color', { x: 1.1, y: '0' }, ['/set/color/x OUT_OF_RANGE', '/set/color/y WRONG_TYPE']],
    ['color', { hue: 361, saturation: -1 }, ['/set/color/hue OUT_OF_RANGE', '/set/color/saturation OUT_OF_RANGE']],
    ['color', { x: 0.3, y: 0.3, hue: 4 }, ['/set/color/hue UNKNOWN']],
    ['effect', 'explode', ['/set/effect INVALID_VALUE']],
    ['effect', 3, ['/set/effect WRONG_TYPE']],
    ['label', 3, ['/set/label WRONG_TYPE']],
    ['start', 'tomorrow', ['/set/start INVALID_FORMAT']],
    ['start', '2026-13-01T00:00:00Z', ['/set/start INVALID_FORMAT']],
    ['schedule', [], ['/set/schedule WRONG_TYPE']],
    ['schedule', {}, ['/set/schedule/days REQUIRED', '/set/schedule/hour REQUIRED']],
    [
      'schedule',
      { days: ['sun', 1], hour: 24, label: 'long', mode: 'cool', limit: 'none', more: 1 },
      [
        '/set/schedule/days/0 INVALID_VALUE',
        '/set/schedule/days/1 WRONG_TYPE',
        '/set/schedule/hour OUT_OF_RANGE',
        '/set/schedule/label TOO_LONG',
        '/set/schedule/mode INVALID_VALUE',
        '/set/schedule/limit WRONG_TYPE',
        '/set/schedule/more UNKNOWN',
      ],
    ],
    [
      'schedule',
      { days: [], hour: 1.5, label: '' },
      ['/set/schedule/days TOO_SHORT', '/set/schedule/hour WRONG_TYPE', '/set/schedule/label TOO_SHORT'],
    ],
    ['scenes', { 0: 1 }, ['/set/scenes WRONG_TYPE']],
    ['scenes', [1, 'two'], ['/set/scenes/1 WRONG_TYPE']],
    ['temperature', 20, ['/set/temperature READ_ONLY']],
    ['button', { action: 'single' }, ['/set/button READ_ONLY']],
    ['identify', true, ['/set/identify WRONG_TYPE']],
    ['no.such', true, ['/set/no.such UNKNOWN']],
    ['constructor', true, ['/set/constructor UNKNOWN']],
  ])('%s refuses %j', (key, value, expected) => {
    expect(errorsOf({ set: { [key]: value } })).toEqual(expected);
  });

  test('a refusal names every fault of the request', () => {
    expect(errorsOf({ set: { on: 'yes', brightness: 200, volume: 1, effect: 'blink', temperature: 1 } })).toEqual([
      '/set/on WRONG_TYPE',
      '/set/brightness OUT_OF_RANGE',
      '/set/volume UNKNOWN',
      '/set/temperature READ_ONLY',
    ]);
  });
});

test.each<[CommandRequest, string]>([
  [{}, '/set REQUIRED'],
  [{ set: {} }, '/set TOO_SHORT'],
  [{ set: { on: true }, do: 'identify' }, '/do INVALID_VALUE'],
  [{ do: 'explode' }, '/do UNKNOWN'],
  [{ do: 'on' }, '/do INVALID_VALUE'],
  [{ do: 'button' }, '/do INVALID_VALUE'],
  [{ do: 'sealed' }, '/do READ_ONLY'],
  [{ do: 'infrared_send' }, '/do WRONG_TYPE'],
  [{ do: 'sensor.toggle' }, '/do READ_ONLY'],
  [{ do: 'right.toggle' }, '/do UNKNOWN'],
  [{ do: '' }, '/do UNKNOWN'],
])('the request %j is refused at %s', (request, expected) => {
  expect(errorsOf(request)).toEqual([expected]);
});

test('an action is requested by its key', () => {
  expect(readRequest(DEVICE, { do: 'identify' })).toEqual({ request: { set: new Map(), action: 'identify' } });
});

test.each([
  ['toggle', 'on', true, false],
  ['toggle', 'on', false, true],
  ['toggle', 'on', null, true],
  ['left.toggle', 'left.on', true, false],
])('%s inverts %s from %j to %j', (...[action, key, value, expected]) => {
  const states = new Map([[key, { ...UNREPORTED, value }]]);
  expect(readRequest({ features: FEATURES, states }, { do: action })).toEqual({
    request: { set: new Map([[key, expected]]), action: null },
  });
});

test('I1: any request gives known features, or faults inside the request', () => {
  const keys = fc.oneof(fc.constantFrom(...FEATURES.map(({ key }) => key)), fc.string());
  const set = fc.dictionary(keys, fc.jsonValue() as fc.Arbitrary<JsonValue>);
  const isGood = (wanted: JsonObject): boolean => {
    const reading = readRequest(DEVICE, { set: wanted });
    if ('errors' in reading) {
      return reading.errors.length > 0 && reading.errors.every(({ pointer }) => pointer.startsWith('/set'));
    }
    return [...reading.request.set.keys()].every((key) =>
      FEATURES.some((known) => known.key === key && known.writable),
    );
  };
  fc.assert(
    fc.property(set, (wanted) => {
      expect(isGood(wanted)).toBe(true);
    }),
    searchOf(100),
  );
});
