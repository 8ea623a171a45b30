import { anything, array, assert, dictionary, integer, option, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import { createReportReader, type StatedReport } from '#core/provider/state-report.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const NOW_MS = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;
const FEATURES = [
  createFeature('on'),
  createFeature('power', { valueType: 'number', min: 0, max: 100 }),
  createFeature('mode', { valueType: 'enum', options: ['eco', 'boost'] }),
  createFeature('x.text', { valueType: 'string' }),
  createFeature('x.any', { valueType: 'any' }),
  createFeature('button', { kind: 'event', valueType: 'object', options: ['single', 'double'] }),
  createFeature('reset', { kind: 'action', valueType: 'none' }),
];
const state = { value: 1, quality: 'confirmed', observedAtMs: NOW_MS - HOUR_MS, changedAtMs: null } as const;
const device = { features: FEATURES, states: new Map([['power', state]]) } as unknown as Device;

function read(stated: StatedReport, hasRoom = true, name = 'meter') {
  const reader = createReportReader({
    findDevice: (externalId) => (externalId === 'meter' ? device : undefined),
    hasRoomFor: () => hasRoom,
    wallMs: () => NOW_MS,
  });
  return reader(name, stated, '/reports/3');
}

test('a report that fits is taken with all that it says', () => {
  const values = { on: true, power: 4.5, mode: 'eco', 'x.text': null, 'x.any': { deep: [1, null] } };
  const occurrences = [{ key: 'button', action: 'single', count: 2 }];
  expect(read({ values, occurrences, observedAtMs: NOW_MS - 60, availability: 'asleep' })).toEqual({
    report: {
      externalId: 'meter',
      values: new Map<string, unknown>(Object.entries(values)),
      occurrences: [{ key: 'button', occurrence: { action: 'single', count: 2, raw: 'single' } }],
      observedAtMs: NOW_MS - 60,
      availability: 'asleep',
    },
  });
  expect(read({})).toMatchObject({ report: { values: new Map(), observedAtMs: null, availability: null } });
});

test.each<[string, StatedReport, string, string]>([
  ['a key that is no feature', { values: { of: true } }, '/values/of', 'UNKNOWN'],
  ['a key of the prototype', { values: { toString: true } }, '/values/toString', 'UNKNOWN'],
  ['a value of another type', { values: { on: 'ON' } }, '/values/on', 'WRONG_TYPE'],
  ['a number beyond its range', { values: { power: 101 } }, '/values/power', 'OUT_OF_RANGE'],
  ['a number that is none', { values: { power: Number.NaN } }, '/values/power', 'WRONG_TYPE'],
  ['a word that is no option', { values: { mode: 'turbo' } }, '/values/mode', 'INVALID_VALUE'],
  ['a text that is too long', { values: { 'x.text': 'x'.repeat(65_537) } }, '/values/x.text', 'TOO_LONG'],
  ['the value of an event', { values: { button: {} } }, '/values/button', 'INVALID_VALUE'],
  ['the value of an action', { values: { reset: true } }, '/values/reset', 'INVALID_VALUE'],
  ['an occurrence of a state', { occurrences: [{ key: 'on', action: 'x' }] }, '/occurrences/0/key', 'INVALID_VALUE'],
  ['an unknown occurrence', { occurrences: [{ key: 'x', action: 'x' }] }, '/occurrences/0/key', 'UNKNOWN'],
  [
    'an action that is no option',
    { occurrences: [{ key: 'button', action: 'x' }] },
    '/occurrences/0/action',
    'INVALID_VALUE',
  ],
  ['a time in the future', { observedAtMs: NOW_MS + 60_001 }, '/observed_at', 'OUT_OF_RANGE'],
  ['a time that is long ago', { observedAtMs: NOW_MS - 25 * HOUR_MS }, '/observed_at', 'OUT_OF_RANGE'],
  [
    'values older than the known ones',
    { values: { power: 1 }, observedAtMs: NOW_MS - HOUR_MS - 1 },
    '/observed_at',
    'OUT_OF_RANGE',
  ],
])('a report with %s is refused, with the place', (...[, stated, pointer, code]) => {
  expect(read(stated)).toEqual({ errors: [expect.objectContaining({ pointer: `/reports/3${pointer}`, code })] });
  const alsoGood = { ...stated, values: { on: true, ...stated.values } };
  expect(read(alsoGood)).toEqual({ errors: [expect.objectContaining({ code })] });
});

test('an unknown device and a lack of memory are faults, and a clock that is a little ahead means now', () => {
  expect(read({}, true, 'lamp')).toEqual({ errors: [expect.objectContaining({ pointer: '/reports/3/device' })] });
  expect(read({ values: { on: true } }, false)).toEqual({ errors: [expect.objectContaining({ code: 'TOO_LONG' })] });
  expect(read({ observedAtMs: NOW_MS + 60_000 })).toMatchObject({ report: { observedAtMs: NOW_MS } });
});

test('a report with a thousand faults names eight', () => {
  const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
  const reading = read({ values });
  expect('errors' in reading && reading.errors).toHaveLength(8);
});

test('any report is taken or refused, and what is taken fits its features', () => {
  const stated = record({
    values: dictionary(string({ maxLength: 8 }), anything()),
    occurrences: array(record({ key: string(), action: string(), count: option(integer(), { nil: undefined }) })),
    observedAtMs: option(integer(), { nil: undefined }),
  });
  assert(
    property(stated, (given) => {
      const values = JSON.parse(JSON.stringify(given.values)) as Record<string, JsonValue>;
      const reading = read({ ...given, values });
      const keys = 'report' in reading ? [...reading.report.values.keys()] : [];
      expect(keys.filter((key) => FEATURES.every((one) => one.key !== key))).toEqual([]);
      expect('report' in reading || reading.errors.length > 0).toBe(true);
    }),
    searchOf(20_000),
  );
});
