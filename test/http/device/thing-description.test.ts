import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { FEATURE_KINDS, VALUE_TYPES } from '#core/feature/value-type.ts';
import { thingDescription } from '#http/device/thing-description.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';

const SCHEMA = join(import.meta.dirname, '../../fixtures/w3c/td-json-schema-validation.json');
const BASE = 'http://hub.local';
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);
const errorsOf = (description: unknown): string => (validate(description) ? '' : ajv.errorsText(validate.errors));

async function deviceWith(features: readonly Feature[]): Promise<Device> {
  const [device] = (await openTestHome(['Lamp'])).registry.devices();
  if (device === undefined) throw new Error('no device');
  return { ...device, features };
}

const DETAILS: Partial<Feature>[] = [
  {},
  { writable: false },
  { readable: false },
  { unit: 'percent', min: 0, max: 100, step: 1, options: ['a', 'b', 'a'], description: 'text' },
  { options: [], schema: { properties: { x: { type: 'number' } }, items: { type: 'string' } } },
];

test('descriptions with every kind and type of feature are valid by the schema of the W3C', async () => {
  const features = FEATURE_KINDS.flatMap((kind) =>
    VALUE_TYPES.flatMap((valueType) =>
      DETAILS.map((details, index) => createFeature(`${kind}.${valueType}.${index}`, { kind, valueType, ...details })),
    ),
  );
  const description = thingDescription(await deviceWith(features), BASE);
  expect(errorsOf(description)).toBe('');
  const { properties, actions, events } = description as Record<string, object>;
  const count = VALUE_TYPES.length * DETAILS.length;
  expect([properties, actions, events].map((one) => Object.keys(one ?? {}).length)).toEqual([count, count + 1, count]);
});

test('the description of a device without features is valid', async () => {
  expect(errorsOf(thingDescription(await deviceWith([]), BASE))).toBe('');
});

test('the schema refuses a document that is no description', () => {
  expect(errorsOf({ title: 'Lamp' })).not.toBe('');
});

test('a property is read, written and observed at a resource of its own', async () => {
  const features = [
    createFeature('left.on', { valueType: 'boolean' }),
    createFeature('temperature', { valueType: 'number', writable: false, unit: 'celsius' }),
  ];
  const { properties } = thingDescription(await deviceWith(features), BASE) as { properties: JsonObject };
  const ofBoth = (one: JsonObject): unknown => {
    const forms = one['forms'] as { op: unknown; href: string; 'htv:methodName'?: string; subprotocol?: string }[];
    return forms.map(({ op, href, subprotocol, 'htv:methodName': method }) => [op, method, href, subprotocol]);
  };
  const path = '/api/v1/device/lamp/feature';
  const observe = ['observeproperty', 'unobserveproperty'];
  expect(Object.values(properties).map((one) => ofBoth(one as JsonObject))).toEqual([
    [
      ['readproperty', 'GET', `${path}/left.on`, undefined],
      ['writeproperty', 'PUT', `${path}/left.on`, undefined],
      [observe, undefined, `${path}/left.on?wait=30`, 'longpoll'],
    ],
    [
      ['readproperty', 'GET', `${path}/temperature`, undefined],
      [observe, undefined, `${path}/temperature?wait=30`, 'longpoll'],
    ],
  ]);
  expect(properties).toMatchObject({
    'left.on': { readOnly: false },
    temperature: { readOnly: true, unit: 'celsius' },
  });
});

test('the hub serves it to callers who may read devices, and answers 304 to a client that has it', async () => {
  const { app, accessToken } = await openHubApp();
  const ask = (headers: Record<string, string>): Promise<Response> | Response =>
    app.fetch(new Request('http://hub.local/api/v1/device/lamp/td', { headers: { Host: 'hub.local', ...headers } }));
  expect((await ask({})).status).toBe(401);
  const Authorization = `Bearer ${accessToken}`;
  const answer = await ask({ Authorization });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/td+json']);
  const description = (await answer.json()) as { base: string; actions: { set: { forms: { href: string }[] } } };
  expect(errorsOf(description)).toBe('');
  expect(description.base).toBe('http://hub.local');
  expect(description.actions.set.forms[0]?.href).toBe('/api/v1/device/lamp/command');
  const etag = answer.headers.get('etag') ?? '';
  expect((await ask({ Authorization, 'If-None-Match': etag })).status).toBe(304);
});
