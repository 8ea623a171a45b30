import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { decodeBody, decodeJson, refuseBodyFields } from '#http/routing/json-body.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof HubError ? error.code : String(error);
  }
  return 'none';
};

describe('H3: the header fields of a body', () => {
  const body = { schema: z.unknown(), maxBytes: 100, mediaTypes: ['application/merge-patch+json'] };
  const refusal = (fields: Record<string, string>): string =>
    refuseBodyFields(body, (name) => fields[name])?.code ?? 'none';

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; Charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile=x; charset=utf-8',
    'application/merge-patch+json',
  ])('takes %s', (type) => expect(refusal({ 'content-type': type })).toBe('none'));

  test.each([
    '',
    'text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=""',
    'application/json; charset=',
    'application/json; charset="utf-8',
    'application/json; profile=x; charset = utf-7; charset=utf-8',
  ])('refuses %s', (type) => expect(refusal({ 'content-type': type })).toBe('UNSUPPORTED_MEDIA_TYPE'));

  test('takes any JSON media type on the calls of the specification, and on no others', () => {
    const loose = { ...body, anyJson: true as const };
    const types = ['application/vnd.api+json', 'text/json; charset=UTF-8', 'application/problem+json'];
    const code = (type: string, of: typeof body): string =>
      refuseBodyFields(of, (name) => (name === 'content-type' ? type : undefined))?.code ?? 'none';
    expect(types.map((type) => code(type, loose))).toEqual(['none', 'none', 'none']);
    expect(types.map((type) => code(type, body))).toEqual(types.map(() => 'UNSUPPORTED_MEDIA_TYPE'));
    expect(code('text/plain', loose)).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(code('application/json+x', loose)).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(code('application/vnd.api+json; charset=utf-16', loose)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('refuses a body without a content type, an encoded one and an announced large one', () => {
    const json = { 'content-type': 'application/json' };
    expect(refusal({})).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(refusal({ ...json, 'content-encoding': 'gzip' })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(refusal({ ...json, 'content-encoding': 'identity' })).toBe('none');
    expect(refusal({ ...json, 'content-length': '101' })).toBe('PAYLOAD_TOO_LARGE');
    expect(refusal({ ...json, 'content-length': '100' })).toBe('none');
  });
});

describe('H3: the JSON of a body', () => {
  test('may have at most a thousand members at any depth', () => {
    const membersOf = (count: number): string => JSON.stringify(Array.from({ length: count }, () => ({ a: 1 })));
    expect(decodeJson(bytes(membersOf(1_000)))).toHaveLength(1_000);
    expect(codeOf(() => decodeJson(bytes(membersOf(1_001))))).toBe('INVALID_JSON');
  });

  test.each([
    ['nothing', bytes('')],
    ['half an object', bytes('{"a":')],
    ['two values', bytes('{} {}')],
    ['a comment', bytes('{/* */}')],
    ['a byte order mark', bytes('\uFEFF{}')],
    ['broken UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['NaN', bytes('{"a":NaN}')],
    ['a number without end', bytes('{"a":1e999}')],
    ['17 levels', bytes(`${'['.repeat(17)}${']'.repeat(17)}`)],
    ['30,000 levels', bytes('['.repeat(30_000) + ']'.repeat(30_000))],
    ['__proto__', bytes('{"a":[{"__proto__":{}}]}')],
    ['an escaped __proto__', bytes('{"\\u005f_proto__":{}}')],
    ['constructor', bytes('{"constructor":1}')],
    ['prototype', bytes('{"prototype":1}')],
    ['one name twice', bytes('{"a":1,"a":2}')],
    ['one name twice, once escaped', bytes('{"a":1,"\\u0061":2}')],
    ['one name twice further in', bytes('[{"b":{"a":1, "a" : 2}}]')],
  ])('refuses %s', (_name, body) => expect(codeOf(() => decodeJson(body))).toBe('INVALID_JSON'));

  test.each([
    ['16 levels', `${'['.repeat(16)}${']'.repeat(16)}`],
    ['strings that look like members', '{"a":"\\"b\\":1","c":["d:","\\\\"],"":":"}'],
    ['one name in two objects', '[{"a":1},{"a":2}]'],
  ])('takes %s', (_name, body) => expect(decodeJson(bytes(body))).toEqual(JSON.parse(body)));

  test('takes all that a client can stringify without forbidden names', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor|prototype/.test(text));
        expect(decodeJson(bytes(text))).toEqual(JSON.parse(text));
      }),
      searchOf(100),
    );
  });

  test('a long string of backslashes is read quickly', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(15_000) });
    expect(decodeJson(bytes(text))).toEqual(JSON.parse(text));
  });

  test('the refusal does not quote the body', () => {
    const told: unknown[] = [];
    try {
      decodeJson(bytes('{"password":"hunter2",}'));
    } catch (error) {
      told.push(String(error), error instanceof HubError && String(error.cause));
    }
    expect(told).toHaveLength(2);
    expect(told.join(' ')).not.toContain('hunter2');
  });
});

describe('the fields of a body', () => {
  const schema = z.strictObject({
    name: z.string().check(z.minLength(1), z.maxLength(4)),
    count: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
    mode: z.optional(z.enum(['a', 'b'])),
    id: z.optional(z.uuid()),
    'odd/name~': z.optional(z.array(z.string())),
    either: z.optional(z.union([z.string(), z.boolean()])),
  });
  const errorsOf = (value: unknown): unknown => {
    try {
      decodeBody(schema, bytes(JSON.stringify(value)));
    } catch (error) {
      if (error instanceof HubError) return error.options.errors?.map(({ pointer, code }) => [pointer, code]);
    }
    return undefined;
  };

  test.each([
    [{}, [['/name', 'REQUIRED']]],
    [{ name: null }, [['/name', 'WRONG_TYPE']]],
    [{ name: '' }, [['/name', 'TOO_SHORT']]],
    [{ name: 'abcde' }, [['/name', 'TOO_LONG']]],
    [{ name: 'a', count: 0 }, [['/count', 'OUT_OF_RANGE']]],
    [{ name: 'a', count: 4 }, [['/count', 'OUT_OF_RANGE']]],
    [{ name: 'a', count: 1.5 }, [['/count', 'WRONG_TYPE']]],
    [{ name: 'a', mode: 'c' }, [['/mode', 'INVALID_VALUE']]],
    [{ name: 'a', id: 'x' }, [['/id', 'INVALID_FORMAT']]],
    [{ name: 'a', either: 1 }, [['/either', 'INVALID_VALUE']]],
    [{ name: 'a', 'odd/name~': ['x', 1] }, [['/odd~1name~0/1', 'WRONG_TYPE']]],
    [{ name: 'a', 'new/~': 1 }, [['/new~1~0', 'UNKNOWN']]],
    [[], [['', 'WRONG_TYPE']]],
    [
      { count: 9, mode: 'c', extra: 1 },
      [
        ['/name', 'REQUIRED'],
        ['/count', 'OUT_OF_RANGE'],
        ['/mode', 'INVALID_VALUE'],
        ['/extra', 'UNKNOWN'],
      ],
    ],
  ])('%j → %j', (value, errors) => expect(errorsOf(value)).toEqual(errors));

  test('a loose schema lets unknown fields pass', () => {
    expect(decodeBody(z.looseObject({ a: z.string() }), bytes('{"a":"b","c":1}'))).toEqual({ a: 'b', c: 1 });
  });
});
