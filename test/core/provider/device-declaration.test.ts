import { describe, expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import { type DeclaredDevice, type DeclaredFeature, readDeclaration } from '#core/provider/device-declaration.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';

const TEMPERATURE: DeclaredFeature = {
  key: 'temperature',
  capability: 'temperature',
  kind: 'state',
  valueType: 'number',
};
const device = (...features: readonly DeclaredFeature[]): DeclaredDevice => ({
  externalId: 'roof',
  name: 'Roof',
  type: 'temperature_sensor',
  manufacturer: null,
  model: null,
  firmware: null,
  staleAfterMs: null,
  features,
});
const read = async (...features: readonly DeclaredFeature[]): Promise<unknown> => {
  const reading = await readDeclaration(device(...features), systemClock.monotonicMs);
  return 'errors' in reading ? reading.errors.map(({ pointer }) => pointer) : reading.device.features;
};

describe('a declared feature', () => {
  test('is as the vocabulary has it where the script says nothing', async () => {
    expect(await read(TEMPERATURE)).toEqual([
      {
        key: 'temperature',
        capability: 'temperature',
        component: 'main',
        kind: 'state',
        category: 'primary',
        name: 'Temperature',
        description: null,
        valueType: 'number',
        readable: true,
        writable: false,
        unit: 'celsius',
        min: null,
        max: null,
        step: null,
        options: null,
        schema: null,
      },
    ]);
  });

  test.each<[object, object]>([
    [{ key: 'left.temperature' }, { component: 'left' }],
    [{ component: 'roof' }, { component: 'roof' }],
    [
      { unit: 'celsius', min: null, options: null },
      { unit: 'celsius', min: null },
    ],
    [{ capability: 'brightness' }, { writable: true, min: 0, max: 100, unit: 'percent' }],
    [
      { capability: 'brightness', min: 1, max: 99 },
      { min: 1, max: 99 },
    ],
    [{ capability: 'humidity' }, { writable: false, min: null, max: null }],
    [{ capability: 'battery' }, { category: 'diagnostic' }],
    [{ capability: 'target_temperature', writable: false }, { writable: false }],
    [
      { capability: 'x.gust_speed', unit: 'm/s' },
      { name: 'Gust speed', writable: false, unit: 'm/s' },
    ],
    [
      { capability: 'x.reset', kind: 'action', valueType: 'none' },
      { writable: true, readable: false },
    ],
    [{ capability: 'button', kind: 'event', valueType: 'object', options: ['single'] }, { options: ['single'] }],
    [{ capability: 'indicator', valueType: 'enum', options: ['off', 'on'] }, { valueType: 'enum' }],
    [{ capability: 'calibration', unit: 'celsius' }, { unit: 'celsius' }],
  ])('%j is %j', async (change, expected) => {
    expect(await read({ ...TEMPERATURE, ...change })).toEqual([expect.objectContaining(expected)]);
  });

  test.each<[object, string]>([
    [{ capability: 'temprature' }, 'capability'],
    [{ capability: 'x.' }, 'capability'],
    [{ capability: 'x.Gust' }, 'capability'],
    [{ capability: '__proto__' }, 'capability'],
    [{ kind: 'action' }, 'kind'],
    [{ valueType: 'string' }, 'value_type'],
    [{ unit: 'fahrenheit' }, 'unit'],
    [{ capability: 'x.a', valueType: 'none' }, 'value_type'],
    [{ capability: 'x.a', kind: 'event' }, 'value_type'],
    [{ capability: 'button', kind: 'event', valueType: 'object', writable: true }, 'writable'],
    [{ min: 2, max: 1 }, 'max'],
    [{ step: 0 }, 'step'],
    [{ capability: 'x.a', valueType: 'string', min: 1 }, 'min'],
    [{ options: ['a'] }, 'options'],
    [{ capability: 'x.a', valueType: 'enum' }, 'options'],
    [{ capability: 'x.a', valueType: 'enum', options: ['a', 'a'] }, 'options'],
  ])('%j is refused by name', async (change, field) => {
    expect(await read(TEMPERATURE, { ...TEMPERATURE, key: 'other', ...change })).toEqual([`/features/1/${field}`]);
  });

  test('of each word of the vocabulary can be declared', async () => {
    for (const [capability, { kind, valueType }] of Object.entries(VOCABULARY)) {
      const options = valueType === 'enum' ? { options: ['a'] } : {};
      expect(await read({ key: capability, capability, kind, valueType, ...options })).toEqual([
        expect.objectContaining({ capability }),
      ]);
    }
  });
});

test('a key stands for one feature, faults have an end, and a device has a size', async () => {
  expect(await read(TEMPERATURE, TEMPERATURE)).toEqual(['/features/1/key']);
  const wrong = Array.from({ length: 100 }, (_, index) => ({ ...TEMPERATURE, key: `k${index}`, unit: 'K' }));
  expect(await read(...wrong)).toHaveLength(32);
  const many = Array.from({ length: 1_000 }, (_, index) => ({ ...TEMPERATURE, key: `k${index}` }));
  expect(await read(...many)).toEqual(['/features']);
});
