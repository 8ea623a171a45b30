import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContract } from '#test/support/daemon/contract-check.ts';
import { type ApiDocument, findBreakingChanges } from './breaking-changes.ts';

const RELEASED = join(import.meta.dirname, 'released-openapi.json');

type Loose = { [key: string]: Loose } & Loose[];

const EXAMPLE = {
  paths: {
    '/thing': {
      get: {
        operationId: 'getThing',
        security: [{ bearer: ['thing:read'] }],
        parameters: [
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000 } },
          { $ref: '#/components/parameters/Prefer' },
        ],
        responses: {
          200: {
            headers: { ETag: {} },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
            },
          },
          304: {},
          default: { $ref: '#/components/responses/Problem' },
        },
        'x-problem-codes': ['NOT_FOUND', 'FORBIDDEN'],
      },
      post: {
        operationId: 'postThing',
        security: [],
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { name: { type: ['string', 'null'], maxLength: 10 }, kind: { enum: ['a', 'b'] }, any: {} },
                required: ['name'],
              },
            },
            'application/merge-patch+json': {},
          },
        },
        responses: { 201: {} },
      },
    },
  },
  components: {
    parameters: { Prefer: { name: 'Prefer', in: 'header', schema: { type: 'string' } } },
    responses: {
      Problem: {
        content: {
          'application/problem+json': {
            schema: { type: 'object', properties: { code: { enum: ['NOT_FOUND', 'FORBIDDEN'] } } },
          },
        },
      },
    },
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          status: { type: 'string', enum: ['on', 'off'] },
          since: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
          size: { type: 'integer' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        },
        required: ['id', 'status'],
      },
    },
  },
};

function changed(change: (document: Loose) => void): string[] {
  const after = structuredClone(EXAMPLE) as unknown as Loose;
  change(after);
  return findBreakingChanges(EXAMPLE, after as unknown as ApiDocument);
}
const get = (document: Loose): Loose => document['paths']?.['/thing']?.['get'] as Loose;
const post = (document: Loose): Loose => document['paths']?.['/thing']?.['post'] as Loose;
const body = (document: Loose): Loose =>
  post(document)['requestBody']?.['content']?.['application/json']?.['schema'] as Loose;
const thing = (document: Loose): Loose => document['components']?.['schemas']?.['Thing'] as Loose;
const fields = (schema: Loose): Loose => schema['properties'] as Loose;
const put = (target: Loose, value: unknown): void => void Object.assign(target, value);
const drop = (target: Loose | undefined, name: string): void => void delete target?.[name];

describe('finds changes that break a client', () => {
  test.each<[string, (document: Loose) => void, RegExp]>([
    ['a path is gone', (d) => drop(d['paths'], '/thing'), /^GET \/thing: is gone\nPOST \/thing: is gone/],
    ['a method is gone', (d) => drop(d['paths']?.['/thing'], 'get'), /^GET \/thing: is gone/],
    ['a call is promised no more', (d) => put(get(d), { 'x-internal': true }), /no part of the promise/],
    ['an operation is renamed', (d) => put(get(d), { operationId: 'listThings' }), /is called listThings/],
    ['another right is asked for', (d) => put(get(d), { security: [{ bearer: ['x'] }] }), /other rights/],
    ['a token is asked for', (d) => put(post(d), { security: [{ bearer: [] }] }), /other rights/],
    ['a query parameter is gone', (d) => get(d)['parameters']?.shift(), /query parameter limit: is gone/],
    ['a header parameter is gone', (d) => get(d)['parameters']?.pop(), /header parameter Prefer: is gone/],
    [
      'a parameter is required',
      (d) => put(get(d)['parameters']?.[0] as Loose, { required: true }),
      /limit: is required/,
    ],
    [
      'a new parameter is required',
      (d) => get(d)['parameters']?.push({ name: 'x', in: 'query', required: true, schema: {} } as unknown as Loose),
      /parameter x: is required/,
    ],
    [
      'a parameter has a lower limit',
      (d) => put(get(d)['parameters']?.[0]?.['schema'] as Loose, { maximum: 10 }),
      /narrower maximum/,
    ],
    [
      'a parameter has a higher least',
      (d) => put(get(d)['parameters']?.[0]?.['schema'] as Loose, { minimum: 2 }),
      /narrower minimum/,
    ],
    ['a body is gone', (d) => drop(post(d), 'requestBody'), /body: is gone/],
    ['a body is required', (d) => put(post(d)['requestBody'] as Loose, { required: true }), /body: is required/],
    [
      'a media type is not taken',
      (d) => drop(post(d)['requestBody']?.['content'], 'application/merge-patch+json'),
      /merge-patch\+json: is gone/,
    ],
    ['a request field is gone', (d) => drop(fields(body(d)), 'kind'), /\/kind: is gone/],
    ['a request field is required', (d) => put(body(d), { required: ['name', 'kind'] }), /\/kind: is required/],
    ['a new request field is required', (d) => put(body(d), { required: ['name', 'new'] }), /\/new: is required/],
    ['unknown fields are refused', (d) => put(body(d), { additionalProperties: false }), /refuses unknown fields/],
    [
      'a request field takes fewer types',
      (d) => put(fields(body(d))['name'] as Loose, { type: 'string' }),
      /is no null/,
    ],
    [
      'a request field takes one type only',
      (d) => put(fields(body(d))['any'] as Loose, { type: 'string' }),
      /takes only string/,
    ],
    [
      'a request field is shorter',
      (d) => put(fields(body(d))['name'] as Loose, { maxLength: 5 }),
      /narrower maxLength/,
    ],
    [
      'a request field has a pattern',
      (d) => put(fields(body(d))['name'] as Loose, { pattern: '^a' }),
      /another pattern/,
    ],
    ['a request field is an enum', (d) => put(fields(body(d))['name'] as Loose, { enum: ['a'] }), /only some values/],
    ['a request enum has fewer members', (d) => put(fields(body(d))['kind'] as Loose, { enum: ['a'] }), /has no "b"/],
    ['a status is gone', (d) => drop(get(d)['responses'], '304'), /304: is gone/],
    [
      'an answer header is gone',
      (d) => drop(get(d)['responses']?.['200']?.['headers'], 'ETag'),
      /header ETag: is gone/,
    ],
    ['an answer type is gone', (d) => drop(get(d)['responses']?.['200'], 'content'), /application\/json: is gone/],
    ['an answer field is gone', (d) => drop(fields(thing(d)), 'size'), /\/size: is gone/],
    ['an answer field may be missing', (d) => put(thing(d), { required: ['id'] }), /\/status: may be missing/],
    [
      'an answer field has another type',
      (d) => put(fields(thing(d))['size'] as Loose, { type: 'string' }),
      /is no integer/,
    ],
    [
      'an answer field may be null',
      (d) => put(fields(thing(d))['size'] as Loose, { type: ['integer', 'null'] }),
      /may be null/,
    ],
    [
      'an answer field may be null by a variant',
      (d) => put(fields(thing(d)), { size: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
      /may be null|is no/,
    ],
    [
      'an answer field is never null',
      (d) => put(fields(thing(d)), { since: { type: 'string', format: 'date-time' } }),
      /is no null/,
    ],
    [
      'an answer field has another format',
      (d) => put(fields(thing(d))['id'] as Loose, { format: 'uri' }),
      /another format/,
    ],
    ['an answer field is anything', (d) => put(fields(thing(d)), { size: {} }), /any type/],
    [
      'an answer enum has fewer members',
      (d) => put(fields(thing(d))['status'] as Loose, { enum: ['on'] }),
      /has no "off"/,
    ],
    [
      'a code is gone from the list',
      (d) =>
        put(
          d['components']?.['responses']?.['Problem']?.['content']?.['application/problem+json']?.['schema']?.[
            'properties'
          ]?.['code'] as Loose,
          { enum: ['FORBIDDEN'] },
        ),
      /has no "NOT_FOUND"/,
    ],
    ['a code is gone from a call', (d) => put(get(d), { 'x-problem-codes': ['FORBIDDEN'] }), /has no NOT_FOUND/],
  ])('%s', (_name, change, expected) => {
    expect(changed(change).join('\n')).toMatch(expected);
  });
});

describe('finds nothing in changes that only add', () => {
  test.each<[string, (document: Loose) => void]>([
    ['nothing', () => undefined],
    ['a path', (d) => put(d['paths'] as Loose, { '/new': { get: {} } })],
    ['a parameter', (d) => get(d)['parameters']?.push({ name: 'x', in: 'query', schema: {} } as unknown as Loose)],
    ['a wider limit', (d) => put(get(d)['parameters']?.[0]?.['schema'] as Loose, { maximum: 5000, minimum: 0 })],
    ['a request field', (d) => put(fields(body(d)), { extra: { type: 'string' } })],
    ['a request type', (d) => put(fields(body(d))['name'] as Loose, { type: ['string', 'null', 'number'] })],
    ['a request field that may be missing now', (d) => put(body(d), { required: [] })],
    ['an answer field', (d) => put(fields(thing(d)), { extra: { type: 'string' } })],
    ['an answer field that is always there now', (d) => put(thing(d), { required: ['id', 'status', 'size'] })],
    ['an enum member', (d) => put(fields(thing(d))['status'] as Loose, { enum: ['on', 'off', 'dimmed'] })],
    ['a status', (d) => put(get(d)['responses'] as Loose, { 206: {} })],
    ['a code', (d) => put(get(d), { 'x-problem-codes': ['NOT_FOUND', 'FORBIDDEN', 'NEW'] })],
    ['a way without a token', (d) => put(get(d), { security: [] })],
  ])('%s', (_name, change) => {
    expect(changed(change)).toEqual([]);
  });
});

test('a call that was never promised may go', () => {
  const before = structuredClone(EXAMPLE) as unknown as Loose;
  put(get(before), { 'x-internal': true });
  const after = structuredClone(before);
  drop(after['paths']?.['/thing'], 'get');
  expect(findBreakingChanges(before as unknown as ApiDocument, after as unknown as ApiDocument)).toEqual([]);
});

test('the released API is not broken; a release renews its copy from openapi.json', () => {
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as ApiDocument;
  expect(findBreakingChanges(released, readContract())).toEqual([]);
});
