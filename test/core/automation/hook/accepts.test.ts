import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { faultsOfAccepts, faultsOfBody } from '#core/automation/hook/accepts.ts';

const VISITOR = {
  type: 'object',
  required: ['who'],
  properties: {
    who: { enum: ['post', 'friend'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    tags: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 4 } },
  },
  additionalProperties: false,
};
const shown = (faults: readonly { readonly pointer: string; readonly code: string }[]): readonly string[] =>
  faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('the schema of a hook', () => {
  test.each<readonly [JsonObject, readonly string[]]>([
    [{ who: 'post', count: 2, tags: ['a', '🏠🏠🏠🏠'] }, []],
    [{}, ['/who REQUIRED']],
    [{ who: 'thief', count: 1.5 }, ['/who INVALID_VALUE', '/count WRONG_TYPE']],
    [
      { who: 'post', count: 10, tags: ['a', 'b', 'c five'] },
      ['/count INVALID_VALUE', '/tags INVALID_VALUE', '/tags/2 INVALID_VALUE'],
    ],
    [{ who: 'post', 'a/b~': 1 }, ['/a~1b~0 INVALID_VALUE']],
    [
      JSON.parse('{"who":"post","__proto__":1,"constructor":2}') as JsonObject,
      ['/__proto__ INVALID_VALUE', '/constructor INVALID_VALUE'],
    ],
  ])('says of %j what does not fit: %j', (body, faults) => {
    expect(faultsOfAccepts(VISITOR, '')).toEqual([]);
    expect(shown(faultsOfBody(VISITOR, body))).toEqual(faults);
  });

  test.each<readonly [JsonValue, string]>([
    [{ pattern: '(a+)+$' }, '/pattern INVALID_VALUE'],
    [{ $ref: '#' }, '/$ref INVALID_VALUE'],
    [{ toString: 1 }, '/toString INVALID_VALUE'],
    [{ type: 'text' }, '/type INVALID_VALUE'],
    [{ enum: Array.from({ length: 101 }, (_, at) => at) }, '/enum INVALID_VALUE'],
    [{ properties: { a: { minimum: 'x' } } }, '/properties/a/minimum INVALID_VALUE'],
    [{ required: 'a' }, '/required WRONG_TYPE'],
    [{ items: { required: Array.from({ length: 101 }, (_, at) => `m${at}`) } }, '/items/required INVALID_VALUE'],
    [{ type: Array.from({ length: 8 }, () => 'null') }, '/type INVALID_VALUE'],
    [[], ' WRONG_TYPE'],
  ])('%j is refused: what would be ignored is no promise', (schema, fault) => {
    expect(shown(faultsOfAccepts(schema, ''))).toEqual([fault]);
  });

  test('one that was kept before its form was checked refuses nothing and fails nowhere', () => {
    for (const schema of [
      { enum: 1 },
      { type: {} },
      { minimum: 'x' },
      { properties: 1, required: 2, items: 3 },
      'text',
    ]) {
      expect(faultsOfBody(schema, { a: [1] })).toEqual([]);
    }
  });

  test('a body that fits nowhere has at most 32 faults, and levels of a schema have an end', () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`m${at}`, at]));
    expect(faultsOfBody({ additionalProperties: { type: 'string' } }, body)).toHaveLength(32);
    let deep: JsonValue = true;
    for (let level = 0; level < 100; level += 1) deep = { items: deep };
    expect(faultsOfAccepts(deep, '')).toHaveLength(1);
  });

  // Kept before lists had an end.
  test.each([
    { what: 'names that no value has', keyword: 'required', nameOf: (at: number) => `m${at}`, item: {}, count: 32 },
    { what: 'names that are one name', keyword: 'required', nameOf: () => 'a', item: { a: 1 }, count: 0 },
    { what: 'types that are one type', keyword: 'type', nameOf: () => 'object', item: {}, count: 0 },
  ])('thousands of $what are not looked at for each value', ({ keyword, nameOf, item, count }) => {
    const list = Array.from({ length: 10_000 }, (_, at) => nameOf(at));
    let looks = 0;
    const counted = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (of, name) => ((looks += 1), Reflect.get(of, name) as unknown),
        getOwnPropertyDescriptor: (of, name) => ((looks += 1), Reflect.getOwnPropertyDescriptor(of, name)),
      });
    const schema = { properties: { x: { items: { [keyword]: counted(list) } } } };
    const body = { x: Array.from({ length: 2_000 }, () => counted(item)) };
    expect(faultsOfBody(schema, body)).toHaveLength(count);
    // Each name for each value would be twenty million.
    expect(looks).toBeLessThan(100_000);
  });
});
