import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { readContract } from '#test/support/daemon/contract-check.ts';
import { OWNER } from '#test/support/hub/auth-harness.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(readContract(), 'contract');

type Listing = { parameters: { name?: string; schema: { pattern?: string } }[] };

let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

const token = { name: 'Evening', preset: 'control' };
const person = { email: 'bo@example.org', name: 'Bo', role: 'guest', password: 'a long and quiet evening' };
const password = { current_password: OWNER.password, new_password: 'a long and quiet evening' };

const PATHS = {
  ApiTokenCreate: '/api/v1/api_token',
  CommandRequest: '/api/v1/device/lamp/command',
  PasswordChange: '/api/v1/me/password',
  RoomCreate: '/api/v1/room',
  TargetedCommandRequest: '/api/v1/command',
  UserCreate: '/api/v1/user',
  WebhookCreate: '/api/v1/webhook',
};

test.each<[string, keyof typeof PATHS, object]>([
  ['a name of blanks alone is too short', 'RoomCreate', { name: '' }],
  ['a name has no control characters', 'RoomCreate', { name: 'Kit\u0007chen' }],
  ['a name is one line', 'RoomCreate', { name: 'Kit\u2028chen' }],
  ['a name has at most 100 characters', 'RoomCreate', { name: 'x'.repeat(101) }],
  ['an address has one @', 'UserCreate', { ...person, email: 'bo@example@org' }],
  ['an address has no blank', 'UserCreate', { ...person, email: 'bo @example.org' }],
  ['a password is not too short', 'UserCreate', { ...person, password: 'x7!kq2zu?' }],
  ['a password is not too long', 'UserCreate', { ...person, password: 'x7!kq2zu?'.repeat(29) }],
  ['a new password is not too short', 'PasswordChange', { ...password, new_password: 'x7!kq' }],
  ['a token has scopes or a preset', 'ApiTokenCreate', { name: 'Evening' }],
  ['a token has not both', 'ApiTokenCreate', { ...token, scopes: ['device:read'] }],
  ['a network is an address with a length', 'ApiTokenCreate', { ...token, networks: ['home'] }],
  ['a command has a value or an action', 'CommandRequest', { transition_ms: 1 }],
  ['a command sets something', 'CommandRequest', { set: {} }],
  ['a command cannot do and set at once', 'CommandRequest', { set: { on: true }, do: 'toggle' }],
  ['targets are named', 'TargetedCommandRequest', { targets: {}, set: { on: true } }],
  ['a command for targets has a value or an action', 'TargetedCommandRequest', { targets: { devices: ['lamp'] } }],
  ['a receiver is asked by HTTP', 'WebhookCreate', { url: 'ftp://192.168.1.20/x' }],
  ['a receiver has no fragment', 'WebhookCreate', { url: 'http://192.168.1.20/#x' }],
])('%s: the hub refuses it, and the document says so', async (_, schema, body) => {
  const headers = { Authorization: `Bearer ${hub.accessToken}`, 'Content-Type': 'application/json' };
  const asked = new Request(`http://hub.local${PATHS[schema]}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect((await hub.app.fetch(asked)).status).toBe(422);
  expect(ajv.validate({ $ref: `contract#/components/schemas/${schema}` }, body)).toBe(false);
});

test.each<[string, object]>([
  ['RoomCreate', { name: 'Küche 🛋' }],
  ['UserCreate', person],
  ['ApiTokenCreate', { ...token, networks: ['192.168.1.0/24', 'fd00::/8', '10.0.0.1'] }],
  ['ApiTokenCreate', { name: 'Evening', scopes: ['device:read'] }],
  ['CommandRequest', { do: 'toggle' }],
  ['TargetedCommandRequest', { targets: { room: 'kitchen' }, set: { on: false } }],
  ['WebhookCreate', { url: 'http://192.168.1.20:8080/hearthd?x=1' }],
])('%s: what the hub takes, the document allows: %j', (schema, body) => {
  expect(ajv.validate({ $ref: `contract#/components/schemas/${schema}` }, body)).toBe(true);
});

test('the cursor of a list fits the pattern in the document', async () => {
  const operation = readContract().paths['/api/v1/device']?.['get'] as unknown as Listing | undefined;
  const cursor = operation?.parameters.find(({ name }) => name === 'cursor');
  const pattern = new RegExp(cursor?.schema.pattern ?? 'none');
  const { app, accessToken } = await openHubApp(['Lamp', 'Other']);
  const headers = { Authorization: `Bearer ${accessToken}` };
  const list = async (query: string): Promise<Response> =>
    app.fetch(new Request(`http://hub.local/api/v1/device?limit=1${query}`, { headers }));
  const link = (await list('')).headers.get('link') ?? '';
  expect(/cursor=([^&>]+)/.exec(link)?.[1]).toMatch(pattern);
  expect('no cursor').not.toMatch(pattern);
  expect((await list('&cursor=no%20cursor')).status).toBe(400);
});
