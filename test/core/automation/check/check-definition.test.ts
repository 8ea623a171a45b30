import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { DOCUMENTS, EVERYTHING, HALL_LIGHT, LEAK } from '#test/support/automation/documents.ts';
import { definitionOf, KNOWN_HOME } from '#test/support/automation/known-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { Operand } from '#core/automation/document/condition.ts';
import type { Device } from '#core/device/device.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';

const check = (document: JsonObject) =>
  checkDefinition(definitionOf({ triggers: [], steps: [], ...document }), KNOWN_HOME);
const errorsOf = (document: JsonObject) => check(document).errors.map(({ pointer, code }) => `${code} ${pointer}`);
const warningsOf = (document: JsonObject) => check(document).warnings.map(({ pointer, code }) => `${code} ${pointer}`);

const trigger = (one: JsonObject): JsonObject => ({ triggers: [one] });
const condition = (one: JsonObject): JsonObject => ({ conditions: [one] });
const step = (one: JsonObject): JsonObject => ({ steps: [one] });
const set = (values: JsonObject, targets: JsonObject = { devices: ['hall-lamp'] }): JsonObject =>
  step({ command: { targets, set: values } });
const brightness = (operand: Operand): JsonObject => set({ brightness: operand });
const LUX = { device: 'hall-lux', key: 'illuminance' };
const TEMPERATURE = { device: 'hall-lux', key: 'temperature' };
const LAMP_ON = { device: 'hall-lamp', key: 'on' };

describe('a definition that fits the home', () => {
  test.each(Object.entries(DOCUMENTS))('%s has no errors', (_name, document) => {
    expect(check(document).errors).toEqual([]);
  });
});

describe('a definition is refused', () => {
  test.each<[string, JsonObject]>([
    ['OUT_OF_RANGE /steps/0/command/set/brightness', brightness(101)],
    ['WRONG_TYPE /steps/0/command/set/brightness', brightness('bright')],
    ['UNKNOWN /steps/0/command/set/volume', set({ volume: 5 })],
    ['READ_ONLY /steps/0/command/set/illuminance', set({ illuminance: 5 }, { devices: ['hall-lux'] })],
    ['UNKNOWN /steps/0/command/do', step({ command: { targets: { devices: ['hall-lux'] }, do: 'identify' } })],
    [
      'INVALID_VALUE /steps/0/command/set/color_temperature',
      set({ color_temperature: { feature: { device: 'hall-lamp', key: 'brightness' } } }),
    ],
    [
      'INVALID_VALUE /steps/0/command/set/color_temperature/add/1',
      set({ color_temperature: { add: [200, { feature: { device: 'hall-lamp', key: 'brightness' } }] } }),
    ],
    ['WRONG_TYPE /steps/0/command/set/on', set({ on: { add: [1, 2] } })],
    ['WRONG_TYPE /steps/0/command/set/brightness', brightness({ feature: LAMP_ON })],
    ['WRONG_TYPE /steps/0/command/set/brightness/add/0', brightness({ add: [true, 1] })],
    ['OUT_OF_RANGE /steps/0/command/set/brightness/if/2', brightness({ if: [{ mode: { home: 'night' } }, 10, 700] })],
    [
      'INVALID_VALUE /steps/0/command/set/brightness/if/0/mode/home',
      brightness({ if: [{ mode: { home: 'nihgt' } }, 10, 70] }),
    ],
    ['OUT_OF_RANGE /steps/0/command/set/brightness/coalesce/1', brightness({ coalesce: [{ variable: 'guests' }, -1] })],
    ['INVALID_VALUE /steps/0/command/set/brightness/variable', brightness({ variable: 'gone' })],
    ['WRONG_TYPE /steps/0/command/set/brightness', brightness({ variable: 'bedtime' })],
    [
      'OUT_OF_RANGE /steps/0/command/set/brightness',
      { ...brightness({ variable: 'level' }), variables: { level: 300 } },
    ],
    [
      'INVALID_VALUE /steps/0/command/set/brightness/feature/key',
      brightness({ feature: { device: 'hall-lux', key: 'lux' } }),
    ],
    ['INVALID_VALUE /triggers/0/key', trigger({ type: 'feature', device: 'hall-lamp', key: 'motion' })],
    ['REQUIRED /triggers/0/key', trigger({ type: 'feature', device: 'hall-lamp' })],
    ['INVALID_VALUE /triggers/0/key', trigger({ type: 'feature', device: 'remote', key: 'button' })],
    ['INVALID_VALUE /triggers/0/key', trigger({ type: 'occurrence', device: 'hall-lamp', key: 'on' })],
    [
      'INVALID_VALUE /triggers/0/action',
      trigger({ type: 'occurrence', device: 'remote', key: 'button', action: 'tripel' }),
    ],
    ['WRONG_TYPE /triggers/0/to', trigger({ type: 'feature', ...LAMP_ON, to: 'on' })],
    ['WRONG_TYPE /triggers/0/to/1', trigger({ type: 'feature', ...LAMP_ON, to: [true, 'off'] })],
    [
      'INVALID_VALUE /triggers/0/from',
      trigger({ type: 'feature', device: 'thermostat', key: 'thermostat_mode', from: 'cool' }),
    ],
    ['WRONG_TYPE /triggers/0/to', trigger({ type: 'feature', any_of: { capability: 'motion' }, to: 'yes' })],
    ['REQUIRED /triggers/0/to', trigger({ type: 'feature', any_of: { capability: 'motion' }, all: true })],
    ['INVALID_VALUE /triggers/0/all', trigger({ type: 'feature', ...LAMP_ON, to: true, all: true })],
    ['REQUIRED /triggers/0/any_of/capability', trigger({ type: 'feature', any_of: { room: 'hall' } })],
    ['WRONG_TYPE /triggers/0/key', trigger({ type: 'threshold', ...LAMP_ON, above: 1 })],
    ['WRONG_TYPE /triggers/0/above', trigger({ type: 'threshold', ...TEMPERATURE, above: 'hot' })],
    [
      'INVALID_VALUE /triggers/0/above',
      trigger({ type: 'threshold', ...TEMPERATURE, above: { feature: { device: 'hall-lamp', key: 'brightness' } } }),
    ],
    [
      'INVALID_VALUE /triggers/0/for_s',
      trigger({ type: 'threshold', ...TEMPERATURE, change: { by: 1, within_s: 60 }, for_s: 5 }),
    ],
    ['REQUIRED /triggers/0/rising', trigger({ type: 'sun', event: 'elevation', elevation_deg: 3 })],
    ['INVALID_VALUE /triggers/0/rising', trigger({ type: 'sun', event: 'sunset', rising: true })],
    ['INVALID_VALUE /triggers/0/cron', trigger({ type: 'time', cron: 'a b c d e' })],
    ['INVALID_VALUE /triggers/0/cron', trigger({ type: 'time', cron: '@daily' })],
    ['INVALID_VALUE /triggers/0/anchor', trigger({ type: 'time', at: '07:00', anchor: '2026-01-01T00:00:00Z' })],
    ['WRONG_TYPE /triggers/0/at/variable', trigger({ type: 'time', at: { variable: 'guests' } })],
    ['INVALID_VALUE /triggers/0/to', trigger({ type: 'mode', mode: 'home', to: 'gone' })],
    ['OUT_OF_RANGE /triggers/0/to', trigger({ type: 'variable', variable: 'guests', to: 50 })],
    ['WRONG_TYPE /conditions/0/feature/above', condition({ feature: { ...LAMP_ON, above: 1 } })],
    ['WRONG_TYPE /conditions/0/not/feature/is/0', condition({ not: { feature: { ...LAMP_ON, is: ['x', true] } } })],
    ['INVALID_VALUE /conditions/0/or/0/mode/home/1', condition({ or: [{ mode: { home: ['away', 'gone'] } }] })],
    ['INVALID_VALUE /conditions/0/variable/variable', condition({ variable: { variable: 'gone', is: 1 } })],
    ['INVALID_VALUE /conditions/0/trigger/id', condition({ trigger: { id: 't9' } })],
    [
      'INVALID_VALUE /conditions/0/step/id',
      { ...condition({ step: { id: 's1', timed_out: true } }), ...step({ delay: { s: 1 } }) },
    ],
    [
      'INVALID_VALUE /conditions/0/compare/right',
      condition({ compare: { left: { feature: TEMPERATURE }, op: 'lt', right: { feature: LUX } } }),
    ],
    ['INVALID_VALUE /steps/0/mode/value', step({ mode: { mode: 'home', value: 'gone' } })],
    ['OUT_OF_RANGE /steps/0/variable/value', step({ variable: { variable: 'guests', value: 21 } })],
    ['OUT_OF_RANGE /steps/0/delay/s', step({ delay: { s: -5 } })],
    ['OUT_OF_RANGE /steps/0/delay/s', step({ delay: { s: 1e300 } })],
    [
      'OUT_OF_RANGE /steps/0/delay/s/if/2',
      step({ delay: { s: { if: [{ mode: { home: 'night' } }, 10, 2_592_001] } } }),
    ],
    ['INVALID_VALUE /steps/0/delay/s', step({ delay: { s: { feature: TEMPERATURE } } })],
    [
      'INVALID_VALUE /steps/0/wait_for/triggers/0/key',
      step({ wait_for: { triggers: [{ type: 'feature', ...LAMP_ON, key: 'x' }], timeout_s: 5 } }),
    ],
  ])('with %s', (error, document) => {
    expect(errorsOf(document)).toEqual([error]);
  });
});

describe('a repeat must wait in each round', () => {
  const repeat = (...steps: readonly JsonValue[]): JsonObject =>
    step({ repeat: { while: { mode: { home: 'night' } }, max: 10, steps } });
  const off = { command: { targets: { devices: ['hall-lamp'] }, set: { on: false } } };
  const wait = (s: JsonValue): JsonObject => ({ delay: { s } });
  test.each<[words: string, steps: readonly JsonValue[], isTaken: boolean]>([
    ['a delay', [off, wait(0.1)], true],
    ['two short ones', [wait(0.05), wait(0.05)], true],
    ['too short a delay', [wait(0.09)], false],
    ['only a command', [off], false],
    ['a delay that nobody knows', [wait({ variable: 'guests' })], false],
    ['a delay of at least so much', [wait({ clamp: [{ variable: 'guests' }, 1, 5] })], true],
    ['the greater of two', [wait({ max: [{ variable: 'guests' }, 1] })], true],
    ['a wait for something', [{ wait_for: { triggers: [{ type: 'mode', mode: 'home' }], timeout_s: 5 } }], true],
    ['a wait for what may be so', [{ wait_for: { condition: { mode: { home: 'night' } }, timeout_s: 5 } }], false],
    ['one way without a wait', [{ choose: { cases: [{ if: { mode: { home: 'night' } }, then: [wait(1)] }] } }], false],
    [
      'a wait on every way',
      [{ choose: { cases: [{ if: { mode: { home: 'night' } }, then: [wait(1)] }], else: [wait(2)] } }],
      true,
    ],
    [
      'an end on the other way',
      [
        {
          choose: {
            cases: [{ if: { mode: { home: 'night' } }, then: [wait(1)] }],
            else: [{ stop: { outcome: 'finished' } }],
          },
        },
      ],
      true,
    ],
    ['the longest of all branches', [{ parallel: { branches: [[off], [wait(1)]] } }], true],
    ['the shortest of any', [{ parallel: { branches: [[off], [wait(1)]], end: 'any' } }], false],
  ])('%s', (...[, steps, isTaken]) => {
    expect(errorsOf(repeat(...steps))).toEqual(isTaken ? [] : ['INVALID_VALUE /steps/0/repeat/steps']);
  });
});

describe('sensitive devices', () => {
  const unlock = set({ locked: false }, { devices: ['front-door'] });
  const named = { allow_sensitive: ['front-door'] };
  const hook = { triggers: [{ type: 'hook' }] };
  const night = condition({ time: { after: '07:00', before: '20:00' } });
  const guarded = step({ choose: { cases: [{ if: { mode: { home: 'home' } }, then: unlock['steps'] ?? [] }] } });
  test.each<[words: string, JsonObject, code: string | null]>([
    ['must be named', unlock, 'SENSITIVE_NOT_NAMED'],
    ['must be named where a scene moves them', step({ scene: { scene: 'leaving' } }), 'SENSITIVE_NOT_NAMED'],
    ['are opened at a time', { ...unlock, ...named, triggers: [{ type: 'time', at: '07:00' }] }, null],
    ['are not opened by a hook alone', { ...unlock, ...named, ...hook }, 'SENSITIVE_NEEDS_CONDITION'],
    [
      'are not opened by a threshold alone',
      { ...unlock, ...named, triggers: [{ type: 'threshold', ...TEMPERATURE, above: 30 }] },
      'SENSITIVE_NEEDS_CONDITION',
    ],
    ['are opened by a hook under a condition', { ...unlock, ...named, ...hook, ...night }, null],
    ['are opened by a hook on a way with a condition', { ...guarded, ...named, ...hook }, null],
    ['are closed by a hook', { ...set({ locked: true }, { devices: ['front-door'] }), ...named, ...hook }, null],
    [
      'are not set by a hook to what nobody knows',
      { ...set({ locked: { trigger: '/open' } }, { devices: ['front-door'] }), ...named, ...hook },
      'SENSITIVE_NEEDS_CONDITION',
    ],
    [
      'are not opened by a scene after a hook alone',
      { ...step({ scene: { scene: 'leaving' } }), ...named, ...hook },
      'SENSITIVE_NEEDS_CONDITION',
    ],
  ])('%s', (...[, document, code]) => {
    expect(check(document).sensitive?.code ?? null).toBe(code);
  });

  test('are found where they are named', () => {
    expect(check(unlock).sensitive?.errors.map(({ pointer }) => pointer)).toEqual([
      '/steps/0/command/targets/devices/0',
    ]);
  });

  test('are no matter in the example of the leak', () => {
    expect(check(LEAK).sensitive).toBeNull();
  });
});

describe('a definition is saved with a warning', () => {
  const motion = { type: 'feature', any_of: { capability: 'motion' }, to: true };
  test.each<[string, JsonObject]>([
    [
      'POSSIBLE_LOOP /steps/0/command/set/on',
      { ...set({ on: true }), ...trigger({ type: 'feature', ...LAMP_ON, to: true }) },
    ],
    [
      'POSSIBLE_LOOP /steps/0/command/do',
      {
        steps: [{ command: { targets: { devices: ['hall-lamp'] }, do: 'toggle' } }],
        ...trigger({ type: 'feature', ...LAMP_ON }),
      },
    ],
    [
      'POSSIBLE_LOOP /steps/0/command/set/on',
      {
        ...set({ on: false }, { room: 'hall' }),
        ...trigger({ type: 'feature', any_of: { room: 'hall', capability: 'on' } }),
      },
    ],
    [
      'POSSIBLE_LOOP /steps/0/variable/value',
      {
        steps: [{ variable: { variable: 'guests', value: { add: [{ variable: 'guests' }, 1] } } }],
        ...trigger({ type: 'variable', variable: 'guests' }),
      },
    ],
    [
      'POSSIBLE_LOOP /steps/0/choose/cases/0/then/0/mode/value',
      {
        steps: [
          {
            choose: {
              cases: [{ if: { mode: { home: 'away' } }, then: [{ mode: { mode: 'home', value: 'night' } }] }],
            },
          },
        ],
        ...trigger({ type: 'mode', mode: 'home' }),
      },
    ],
    ['NEVER_TRUE /triggers/0/dates/1', trigger({ type: 'time', at: '18:00', dates: ['02-29', '02-30'] })],
    ['NEVER_TRUE /triggers/0/cron', trigger({ type: 'time', cron: '0 0 30 2 *' })],
    ['NEVER_TRUE /triggers/0/dates/0', trigger({ type: 'time', at: '18:00', dates: ['2027-02-29'] })],
    ['NEVER_TRUE /triggers/0/above', trigger({ type: 'threshold', ...TEMPERATURE, above: 200 })],
    ['NEVER_TRUE /triggers/0', trigger({ type: 'threshold', ...TEMPERATURE, above: 20, below: 10 })],
    ['NEVER_TRUE /triggers/0/any_of', trigger({ type: 'feature', any_of: { capability: 'smoke' }, to: true })],
    [
      'NEVER_TRUE /conditions/0/not/feature',
      condition({ not: { feature: { device: 'terrace-door', key: 'open', is: true } } }),
    ],
    ['NEVER_TRUE /conditions/0/feature/for_s', condition({ feature: { ...TEMPERATURE, above: 20, for_s: 600 } })],
    ['NEVER_TRUE /steps/0/command/targets', set({ siren: true }, { room: 'hall' })],
    ['NO_OFF /steps/0/command/set', { ...set({ on: true }), ...trigger(motion) }],
    ['SLEEPY_DEVICE /steps/0/command', set({ thermostat_mode: 'heat' }, { devices: ['thermostat'] })],
    [
      'UNRECORDED /conditions/0/compare/left/history',
      condition({ compare: { left: { history: { ...LUX, over_s: 60, fn: 'mean' } }, op: 'lt', right: 5 } }),
    ],
  ])('%s', (warning, document) => {
    expect(warningsOf(document)).toEqual([warning]);
    expect(errorsOf(document)).toEqual([]);
  });

  test.each<[words: string, JsonObject]>([
    ['the example of the hall', HALL_LIGHT],
    [
      'a hand that starts it',
      { ...set({ on: true }), ...trigger({ type: 'feature', ...LAMP_ON, to: true, by: 'hand' }) },
    ],
    [
      'another value than the one that starts it',
      { ...set({ on: false }), ...trigger({ type: 'feature', ...LAMP_ON, to: true }) },
    ],
    [
      'another feature of a device that starts it',
      {
        ...set({ brightness: 5 }, { room: 'hall' }),
        ...trigger({ type: 'feature', any_of: { room: 'hall', capability: 'on' } }),
      },
    ],
    [
      'a mode that it has already when it starts',
      {
        steps: [{ mode: { mode: 'home', value: 'night' } }],
        ...trigger({ type: 'mode', mode: 'home', to: 'night' }),
      },
    ],
    ['days up to the end of a month', trigger({ type: 'time', at: '18:00', dates: ['02-01..02-31'] })],
    [
      'a condition that says what unknown means',
      condition({ feature: { device: 'terrace-door', key: 'open', is: true }, if_unknown: false }),
    ],
  ])('but not for %s', (_words, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});

test('the check of any document that has the right form throws nothing', () => {
  const values = fc.constantFrom<JsonValue>(
    true,
    5,
    'x',
    null,
    [],
    {},
    { x: 0.1, y: 0.1 },
    { feature: LUX },
    { variable: 'guests' },
    { add: ['x'] },
    { history: { ...LUX, over_s: 5, fn: 'seconds_true' } },
  );
  const text = JSON.stringify(EVERYTHING);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(200), values), { maxLength: 4 }),
      fc.constantFrom('hall-lux', 'remote', 'front-door', 'nobody'),
      (changes, other) => {
        let document = JSON.parse(text.replaceAll('hall-lamp', other)) as JsonObject;
        for (const [place, value] of changes) {
          let count = 0;
          document = JSON.parse(JSON.stringify(document), (key: string, old: JsonValue) =>
            ['is', 'above', 'to', 'set', 's', 'value', 'left'].includes(key) && (count += 1) === place
              ? key === 'set'
                ? { on: value }
                : value
              : old,
          ) as JsonObject;
        }
        const { definition } = readDefinition(document, (_kind, reference) => reference);
        const found = definition && checkDefinition(definition, KNOWN_HOME);
        expect((found?.errors.length ?? 0) <= 32).toBe(true);
      },
    ),
    searchOf(2000),
  );
});

test('a document at its limits asks for each device once a place, and for all devices once a choice', () => {
  const sum: Operand = { add: Array.from({ length: 7 }, (_, at) => ({ mul: [at, 2] })) };
  const command = (targets: JsonObject) => ({ command: { targets, set: { brightness: sum } } });
  const definition = definitionOf({
    triggers: Array.from({ length: 50 }, () => ({ type: 'threshold', ...TEMPERATURE, above: 5 })),
    conditions: Array.from({ length: 100 }, () => ({ feature: { ...TEMPERATURE, above: sum } })),
    steps: Array.from({ length: 200 }, (_, at) =>
      command(at % 2 === 0 ? { room: 'hall' } : { devices: ['hall-lamp'] }),
    ),
  });
  const asked = { device: 0, devices: 0 };
  checkDefinition(definition, {
    ...KNOWN_HOME,
    device: (id) => {
      asked.device += 1;
      return KNOWN_HOME.device(id);
    },
    devices: () => {
      asked.devices += 1;
      return KNOWN_HOME.devices();
    },
  });
  expect(asked).toEqual({ device: 50 + 2 * 100 + 2 * 100, devices: 1 });
});

test('a loop is looked for in bounded steps, however many devices, triggers and commands there are', () => {
  let looks = 0;
  const lamp = KNOWN_HOME.device('hall-lamp' as never);
  const devices = Array.from({ length: 500 }, () =>
    Object.defineProperty({ ...lamp, type: 'light' }, 'integration', { get: () => ((looks += 1), 'test') }),
  ) as unknown as readonly Device[];
  const definition = definitionOf({
    triggers: Array.from({ length: 50 }, () => ({
      type: 'feature',
      any_of: { room: 'hall', type: 'siren' },
      key: 'on',
    })),
    steps: Array.from({ length: 200 }, (_, at) => ({
      command: { targets: { room: 'hall' }, set: { on: at % 2 === 0 } },
    })),
  });
  checkDefinition(definition, { ...KNOWN_HOME, devices: () => devices });
  // The triggers look at all of them once, the commands once for all; the rest is the search for loops.
  expect(looks).toBeLessThan(60_000);
});
