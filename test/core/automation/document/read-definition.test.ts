import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { at, changedDocument } from '#test/support/automation/changed-documents.ts';
import { DOCUMENTS, EVERYTHING, findAny, HALL_LIGHT, LEAK } from '#test/support/automation/documents.ts';
import { runs, searchOf } from '#test/support/machine/runs.ts';
import { clientSchemas } from '#core/automation/document/client-schemas.ts';
import { definitionSchema } from '#core/automation/document/json-schema.ts';
import { mapReferences, readDefinition } from '#core/automation/document/read-definition.ts';

const read = (given: JsonValue) => readDefinition(given, findAny);
const errorsOf = (given: JsonValue) => read(given).errors.map(({ pointer, code }) => `${code} ${pointer}`);
const isValid = new Ajv2020({ strict: false }).compile(definitionSchema());
const isValidForClients = new Ajv2020({ strict: false }).compile({
  $defs: Object.fromEntries(clientSchemas((name) => `#/$defs/${name}`)),
  properties: {
    mode: { $ref: '#/$defs/RunMode' },
    variables: { additionalProperties: { $ref: '#/$defs/Operand' } },
    triggers: { items: { $ref: '#/$defs/Trigger' } },
    conditions: { items: { $ref: '#/$defs/Condition' } },
    steps: { items: { $ref: '#/$defs/Step' } },
  },
});

describe('a definition that is read', () => {
  test.each(Object.entries(DOCUMENTS))('%s is whole, and read again it is the same', (_name, document) => {
    const { definition, errors } = read(document);
    expect(errors).toEqual([]);
    expect(read(definition as unknown as JsonValue).definition).toEqual(definition);
    expect(JSON.stringify(read(definition as unknown as JsonValue).definition)).toBe(JSON.stringify(definition));
  });

  test('has what was not said, ids in the place of selectors, and an id for each trigger and step', () => {
    const { definition } = read(LEAK);
    expect(definition).toMatchObject({
      mode: { kind: 'single', max: 1 },
      yield_to_hand_s: 0,
      conditions: [],
      allow_sensitive: ['id-water-valve'],
      triggers: [{ id: 't1' }],
      steps: [{ id: 's1', command: { targets: { devices: ['id-water-valve'] } } }, { id: 's2' }],
    });
  });

  test('keeps ids that people gave, and gives the others free ones in the order of the text', () => {
    const { definition } = read({
      triggers: [{ type: 'hook' }, { id: 't1', type: 'hook' }, { type: 'hook' }],
      steps: [
        { parallel: { branches: [[{ delay: { s: 1 } }]] } },
        { wait_for: { triggers: [{ type: 'hub', on: 'started' }], timeout_s: 5 } },
      ],
    });
    expect(definition?.triggers.map(({ id }) => id)).toEqual(['t2', 't1', 't3']);
    expect(definition?.steps).toMatchObject([
      { id: 's1', parallel: { branches: [[{ id: 's2' }]] } },
      { id: 's3', wait_for: { triggers: [{ id: 't4' }] } },
    ]);
  });

  test('takes what an answer shows in the place of a reference', () => {
    const shown = at(LEAK, '/allow_sensitive', [{ id: 'id-water-valve', selector: 'water-valve', name: 'Valve' }]);
    expect(read(shown).definition?.allow_sensitive).toEqual(['id-water-valve']);
  });

  test.each<[string, JsonValue]>([
    ['WRONG_TYPE ', []],
    ['REQUIRED /steps', { triggers: [] }],
    ['UNKNOWN /priority', at(LEAK, '/priority', 3)],
    ['UNKNOWN /steps/0/command/claim_s', at(LEAK, '/steps/0/command/claim_s', 60)],
    ['UNKNOWN /triggers/0/label', at(LEAK, '/triggers/0/label', 'x')],
    ['INVALID_VALUE /triggers/0/type', at(LEAK, '/triggers/0/type', 'cron')],
    ['REQUIRED /triggers/0/type', at(LEAK, '/triggers/0/type', undefined)],
    ['REQUIRED /triggers/0', at(LEAK, '/triggers/0/any_of', undefined)],
    ['INVALID_VALUE /triggers/0/any_of', at(LEAK, '/triggers/0/device', 'x')],
    ['REQUIRED /triggers/0/any_of', at(LEAK, '/triggers/0/any_of', { except: [] })],
    ['INVALID_VALUE /steps/0/command/targets/devices/0', at(LEAK, '/steps/0/command/targets/devices/0', 'gone')],
    ['WRONG_TYPE /steps/0/command/targets/devices/0', at(LEAK, '/steps/0/command/targets/devices/0', 5)],
    ['OUT_OF_RANGE /steps/0/command/retry/times', at(LEAK, '/steps/0/command/retry/times', 6)],
    ['UNKNOWN /steps/0/comand', { triggers: [], steps: [{ comand: {} }] }],
    ['REQUIRED /steps/0', { triggers: [], steps: [{}] }],
    ['UNKNOWN /steps/0/stop', { triggers: [], steps: [{ delay: { s: 1 }, stop: { outcome: 'failed' } }] }],
    ['REQUIRED /steps/1/wait_for/timeout_s', at(HALL_LIGHT, '/steps/1/wait_for/timeout_s', undefined)],
    ['OUT_OF_RANGE /steps/1/wait_for/timeout_s', at(HALL_LIGHT, '/steps/1/wait_for/timeout_s', 604_801)],
    ['INVALID_VALUE /conditions/0/or/0/feature/below', at(HALL_LIGHT, '/conditions/0/or/0/feature/above', 5)],
    ['TOO_SHORT /conditions/0/or', at(HALL_LIGHT, '/conditions/0/or', [])],
    ['INVALID_FORMAT /triggers/4/at/0', at(EVERYTHING, '/triggers/4/at', ['24:00'])],
    ['INVALID_VALUE /conditions/2/mode/gone', at(EVERYTHING, '/conditions/2/mode', { gone: 'x' })],
    ['OUT_OF_RANGE /mode/max', at(LEAK, '/mode', { kind: 'parallel', max: 11 })],
    [
      'INVALID_VALUE /triggers/1/id',
      {
        triggers: [
          { id: 'a', type: 'hook' },
          { id: 'a', type: 'hook' },
        ],
        steps: [],
      },
    ],
    [
      'INVALID_FORMAT /variables/__proto__',
      JSON.parse('{"triggers":[],"steps":[],"variables":{"__proto__":1}}') as JsonValue,
    ],
  ])('is refused with %s', (error, given) => {
    expect(errorsOf(given)).toEqual([error]);
  });
});

describe('the limits of a definition', () => {
  const delay = { delay: { s: 1 } };
  const nest = (depth: number): JsonObject => (depth === 1 ? delay : { parallel: { branches: [[nest(depth - 1)]] } });
  const not = (depth: number): JsonObject => (depth === 1 ? { time: { after: '06:00' } } : { not: not(depth - 1) });
  const sum = (nodes: number): JsonValue => ({ add: Array.from({ length: nodes - 1 }, () => 1) });
  const withSteps = (steps: readonly JsonValue[]): JsonObject => ({ triggers: [], steps });
  const withConditions = (conditions: readonly JsonValue[]): JsonObject => ({ triggers: [], conditions, steps: [] });

  test.each<[string, JsonValue, JsonValue, error: string]>([
    [
      '200 steps',
      withSteps(Array.from({ length: 200 }, () => delay)),
      withSteps([...Array.from({ length: 199 }, () => delay), nest(2)]),
      'TOO_LONG /steps/199/parallel/branches/0/0',
    ],
    [
      '50 triggers',
      { triggers: Array.from({ length: 50 }, () => ({ type: 'hook' })), steps: [] },
      { triggers: Array.from({ length: 51 }, () => ({ type: 'hook' })), steps: [] },
      'TOO_LONG /triggers',
    ],
    [
      '100 conditions',
      withConditions(Array.from({ length: 50 }, () => not(2))),
      withConditions(Array.from({ length: 51 }, () => not(2))),
      'TOO_LONG /conditions/50',
    ],
    [
      '8 steps in each other',
      withSteps([nest(8)]),
      withSteps([nest(9)]),
      `TOO_LONG /steps/0${'/parallel/branches/0/0'.repeat(8)}`,
    ],
    [
      '8 conditions in each other',
      withConditions([not(8)]),
      withConditions([not(9)]),
      `TOO_LONG /conditions/0${'/not'.repeat(8)}`,
    ],
    [
      '32 nodes',
      withSteps([{ delay: { s: sum(32) } }]),
      withSteps([{ delay: { s: { round: [sum(32), 0] } } }]),
      'TOO_LONG /steps/0/delay/s/round/0/add/30',
    ],
    [
      '64 KiB',
      withSteps([{ notify: { severity: 'info', title: 'x', operands: { a: 'x'.repeat(65_100) } } }]),
      withSteps([{ notify: { severity: 'info', title: 'x', operands: { a: 'x'.repeat(65_536) } } }]),
      'TOO_LONG ',
    ],
  ])('are %s and no more', (...[, most, more, error]) => {
    expect(errorsOf(most)).toEqual([]);
    expect(errorsOf(more)).toEqual([error]);
  });

  test('are kept for conditions in steps apart from those steps', () => {
    const inner = { choose: { cases: [{ if: not(8), then: [delay] }] } };
    expect(errorsOf(withSteps([{ parallel: { branches: [[{ parallel: { branches: [[inner]] } }]] } }]))).toEqual([]);
  });

  test('hold for a document of nothing but nesting', () => {
    const deep = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)) as JsonValue;
    expect(errorsOf(deep)).toEqual(['TOO_LONG ']);
    expect(errorsOf(withSteps([{ command: { targets: { devices: ['a'] }, set: { x: deep } } }]))).toEqual([
      'TOO_LONG ',
    ]);
  });

  test('end a list of errors', () => {
    const wrong = {
      triggers: [],
      steps: [],
      ...Object.fromEntries(Array.from({ length: 500 }, (_, at_) => [`a${at_}`, 1])),
    };
    expect(errorsOf(wrong)).toHaveLength(32);
  });
});

describe('the references of a definition', () => {
  test('are replaced everywhere', () => {
    const { definition } = read(EVERYTHING);
    const kinds = new Set<string>();
    const mapped =
      definition &&
      mapReferences(definition, (kind, id) => {
        kinds.add(kind);
        return id === 'id-hall-lux' ? 'id-attic-lux' : id;
      });
    expect(JSON.stringify(mapped)).toBe(JSON.stringify(definition).replaceAll('id-hall-lux', 'id-attic-lux'));
    expect([...kinds].toSorted()).toEqual([
      'automation',
      'device',
      'integration',
      'mode',
      'person',
      'room',
      'scene',
      'variable',
    ]);
  });
});

describe('documents that were changed at random', () => {
  test('are read without an exception, and what is accepted fits the JSON Schema', () => {
    let accepted = 0;
    fc.assert(
      fc.property(changedDocument, (document) => {
        const { definition } = read(document);
        if (definition === undefined) return;
        accepted += 1;
        expect(isValid(definition)).toBe(true);
        expect(isValid(document)).toBe(true);
        expect(isValidForClients(document)).toBe(true);
        expect(read(definition as unknown as JsonValue).definition).toEqual(definition);
      }),
      searchOf(4000),
    );
    // Nearly half of them are: no seed comes near one in a hundred.
    expect(accepted).toBeGreaterThan(runs(4000) / 100);
  });

  test('any other JSON value is no definition', () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<JsonValue>, (value) => {
        expect(read(value).errors.length).toBeGreaterThan(0);
      }),
      searchOf(2000),
    );
  });
});

describe('the JSON Schema of a definition', () => {
  test.each(Object.entries(DOCUMENTS))('takes %s', (_name, document) => {
    isValid(document);
    expect(isValid.errors).toBeNull();
    isValidForClients(document);
    expect(isValidForClients.errors).toBeNull();
  });

  test('refuses what the hub refuses', () => {
    expect(isValid(at(LEAK, '/priority', 3))).toBe(false);
    expect(isValid(at(LEAK, '/steps/0/command/retry/times', 6))).toBe(false);
    expect(isValid(at(HALL_LIGHT, '/conditions/0/or/0/feature/above', 5))).toBe(false);
  });
});
