import { expect, test } from 'vitest';
import { findSchemaBreaks, type Schema } from './schema-breaks.ts';

const refer = (name: string): Schema => ({ $ref: `#/${name}` });
const kind = (type: string, properties: object = {}): Schema => ({
  type: 'object',
  properties: { type: { enum: [type] }, ...properties },
});
const PLACE = { type: 'object', properties: { x: { type: 'integer' } } };
const OPENED = kind('opened', { at: { type: 'string' } });
const KINDS = { oneOf: [refer('opened'), refer('closed')], discriminator: { propertyName: 'type' } };
const EVENT = { type: 'object', properties: { type: { type: 'string' } }, 'x-known': KINDS };
const SCHEMAS: Readonly<Record<string, Schema>> = {
  opened: OPENED,
  closed: kind('closed'),
  moved: kind('moved'),
  undated: kind('opened'),
  place: PLACE,
};

const breaksOf = (before: Schema, after: Schema, direction: 'sent' | 'given' = 'given'): string[] =>
  findSchemaBreaks(
    { before, after, at: 'x' },
    {
      direction,
      seen: new Set(),
      resolve: (schema) => (typeof schema['$ref'] === 'string' ? (SCHEMAS[schema['$ref'].slice(2)] ?? {}) : schema),
    },
  );
const open = (...words: string[]): Schema => ({ type: 'string', 'x-extensible-enum': words });
const closed = (...words: string[]): Schema => ({ type: 'string', enum: words });

test.each<[string, [Schema, Schema], RegExp]>([
  ['a text becomes a list of words', [{ type: 'string' }, closed('a')], /is closed now/],
  ['an open list is closed again', [open('a', 'b'), closed('a', 'b', 'c')], /is closed now/],
  ['an open list has fewer words', [open('a', 'b'), open('a')], /has no "b"/],
  ['a list of words is no list any more', [open('a', 'b'), { type: 'string' }], /may have any value/],
  ['an open choice is closed again', [EVENT, KINDS], /is closed now/],
  [
    'a known member is gone',
    [EVENT, { ...EVENT, 'x-known': { ...KINDS, oneOf: [refer('opened')] } }],
    /has no "closed"/,
  ],
  [
    'a known member loses a field',
    [EVENT, { ...EVENT, 'x-known': { ...KINDS, oneOf: [refer('undated'), refer('closed')] } }],
    /at: is gone/,
  ],
  [
    'a plain value may be an object',
    [{ type: 'integer' }, { anyOf: [{ type: 'integer' }, { type: 'object' }] }],
    /may be object/,
  ],
  [
    'an object may be another one, and nothing tells them apart',
    [PLACE, { anyOf: [PLACE, { type: 'object', properties: { y: {} } }] }],
    /x: is gone/,
  ],
  ['an answer refuses fields', [PLACE, { ...PLACE, additionalProperties: false }], /refuses unknown fields/],
])('what was open is not closed again: %s', (_, [before, after], expected) => {
  expect(breaksOf(before, after).join('\n')).toMatch(expected);
});

test.each<[string, Schema, Schema]>([
  ['a list of words is opened', closed('a', 'b'), open('a', 'b')],
  ['an open list has one word more', open('a'), open('a', 'b')],
  ['a choice is opened', KINDS, EVENT],
  ['a new kind of object', EVENT, { ...EVENT, 'x-known': { ...KINDS, oneOf: [...KINDS.oneOf, refer('moved')] } }],
  ['a value of several types has none', { type: ['string', 'number', 'null'] }, {}],
  ['a number says how long it is', { type: 'number' }, { type: 'number', format: 'double' }],
  [
    'an object that may be null gets a name',
    { ...PLACE, type: ['object', 'null'] },
    { anyOf: [refer('place'), { type: 'null' }] },
  ],
])('a document may be opened: %s', (_, before, after) => {
  expect(breaksOf(before, after)).toEqual([]);
});

test('clients may send what they ever sent', () => {
  expect(breaksOf(closed('a', 'b'), { type: 'string' }, 'sent')).toEqual([]);
  expect(breaksOf({ type: 'string' }, closed('a', 'b'), 'sent')).toEqual(['x: takes only some values now']);
});
