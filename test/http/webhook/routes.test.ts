import { describe, expect, onTestFinished, test } from 'vitest';
import { webhookRoutes } from '#http/webhook/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { openTestWebhooks, OWN_ADDRESS } from '#test/support/hub/webhook-home.ts';

const PATH = '/api/v1/webhook';
const URL_HERE = 'http://127.0.0.1:9/hook';

async function createHarness() {
  const { events, registry, rooms } = await openTestHome(['Lamp']);
  const webhooks = await openTestWebhooks(events);
  onTestFinished(webhooks.stop);
  const isLanAddress = (address: string): boolean => address.startsWith('127.');
  const { request } = createTestApp(
    webhookRoutes({
      webhooks,
      registry,
      findRoom: rooms.findRoom,
      isLanAddress,
      isOwnAddress: (address) => address === OWN_ADDRESS,
    }),
  );
  const send = async (call: string, body?: unknown, role = 'admin') => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await request(path, {
      method,
      headers: { Authorization: `Bearer ${role}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json, text };
  };
  return { send, registry };
}

test('a webhook is added, shown, changed and removed; its secret is shown once', async () => {
  const { send, registry } = await createHarness();
  const wanted = { url: URL_HERE, name: 'Node-RED', types: ['device.changed'], device: ['lamp'], enabled: false };
  const added = await send(`POST ${PATH}`, wanted);
  expect([added.status, added.headers.get('location')]).toEqual([201, `${PATH}/${String(added.json['id'])}`]);
  const { secret, ...shown } = added.json;
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  const device = [registry.devices()[0]?.id];
  expect(shown).toMatchObject({ ...wanted, device, room: null, status: 'off', last_delivery: null });
  const one = `${PATH}/${String(shown['id'])}`;
  expect((await send(`GET ${one}`)).json).toEqual(shown);
  expect((await send(`GET ${PATH}`)).json).toEqual([shown]);
  const changed = await send(`PATCH ${one}`, { types: null, name: null });
  expect(changed.json).toMatchObject({ types: null, name: null, device, url: URL_HERE, enabled: false });
  expect((await send(`GET ${PATH}`)).text).not.toContain('whsec_');
  expect((await send(`DELETE ${one}`)).status).toBe(204);
  expect((await send(`GET ${one}`)).status).toBe(404);
});

test('the answer to a test and the list of deliveries show how the receiver answered', async () => {
  const { send } = await createHarness();
  const { json } = await send(`POST ${PATH}`, { url: URL_HERE, enabled: false });
  const one = `${PATH}/${String(json['id'])}`;
  const tried = await send(`POST ${one}/test`);
  expect(tried.json).toMatchObject({ attempt: 1, events: 1, status: null, error: { code: 'connection_failed' } });
  expect((await send(`GET ${one}/delivery`)).json).toEqual([tried.json]);
  expect((await send(`GET ${one}`)).json).toMatchObject({ last_delivery: tried.json });
});

test.each([
  [{}, '/url', 'REQUIRED'],
  [{ url: 'ftp://127.0.0.1/' }, '/url', 'INVALID_VALUE'],
  [{ url: 'http://a:b@127.0.0.1/' }, '/url', 'INVALID_VALUE'],
  [{ url: 'http://203.0.113.7/' }, '/url', 'INVALID_VALUE'],
  [{ url: 'http://[2001:db8::1]/' }, '/url', 'INVALID_VALUE'],
  [{ url: 'http://3405803783/' }, '/url', 'INVALID_VALUE'],
  [{ url: URL_HERE, types: ['session.revoked'] }, '/types/0', 'INVALID_VALUE'],
  [{ url: URL_HERE, types: [] }, '/types', 'TOO_SHORT'],
  [{ url: URL_HERE, device: ['lamp', 'nothing'] }, '/device/1', 'INVALID_VALUE'],
  [{ url: URL_HERE, room: ['nowhere'] }, '/room/0', 'INVALID_VALUE'],
  [{ url: URL_HERE, secret: 'x' }, '/secret', 'UNKNOWN'],
])('%j is refused with a pointer', async (body, pointer, code) => {
  const { send } = await createHarness();
  const { status, json } = await send(`POST ${PATH}`, body);
  expect([status, json['code']]).toEqual([422, 'VALIDATION_FAILED']);
  expect(json['errors']).toMatchObject([{ pointer, code }]);
});

test.each(['resident', 'guest'])('a %s may not even read webhooks', async (role) => {
  const { send } = await createHarness();
  for (const call of [
    `GET ${PATH}`,
    `POST ${PATH}`,
    `GET ${PATH}/x`,
    `POST ${PATH}/x/test`,
    `GET ${PATH}/x/delivery`,
  ]) {
    const { status, json } = await send(call, undefined, role);
    expect([call, status, json['code']]).toEqual([call, 403, 'FORBIDDEN']);
  }
});

describe('a receiver on the machine of the hub', () => {
  const OWN = `http://${OWN_ADDRESS}:9/hook`;
  const LOCAL = ['http://localhost:9/', 'http://LOCALHOST./x', 'http://a.localhost:9/', OWN];

  test.each(LOCAL)('is for an owner: %s', async (url) => {
    const { send } = await createHarness();
    const refused = await send(`POST ${PATH}`, { url, enabled: false });
    expect([refused.status, refused.json['errors']]).toEqual([
      422,
      [
        {
          pointer: '/url',
          code: 'INVALID_VALUE',
          message: 'is the hub itself: only an owner can set it',
          reason: { id: 'own_address', with: {} },
        },
      ],
    ]);
    const { json } = await send(`POST ${PATH}`, { url: URL_HERE, enabled: false });
    const change = await send(`PATCH ${PATH}/${String(json['id'])}`, { url });
    expect([change.status, change.json['errors']]).toMatchObject([422, [{ pointer: '/url' }]]);
    expect((await send(`POST ${PATH}`, { url, enabled: false }, 'owner')).status).toBe(201);
  });

  test('stays allowed when an admin changes anything but the URL, and not with another URL', async () => {
    const { send } = await createHarness();
    const { json } = await send(`POST ${PATH}`, { url: OWN, enabled: false }, 'owner');
    const one = `${PATH}/${String(json['id'])}`;
    const codeOf = async (): Promise<unknown> =>
      ((await send(`POST ${one}/test`)).json['error'] as { code: string } | null)?.code;
    expect((await send(`PATCH ${one}`, { name: 'Node-RED', url: OWN })).status).toBe(200);
    expect(await codeOf()).toBe('connection_failed');
    expect((await send(`PATCH ${one}`, { url: 'http://hub.test:9/' })).status).toBe(200);
    expect((await send(`PATCH ${one}`, { url: OWN })).status).toBe(422);
    expect((await send(`PATCH ${one}`, { url: OWN }, 'owner')).status).toBe(200);
    expect(await codeOf()).toBe('connection_failed');
  });

  test('cannot be probed: an admin does not see why a connection failed', async () => {
    const { send } = await createHarness();
    const { json } = await send(`POST ${PATH}`, { url: URL_HERE, enabled: false });
    const one = `${PATH}/${String(json['id'])}`;
    const reason = { id: 'connection_failed', with: {} };
    const plain = { code: reason.id, message: 'no connection, or no answer within 10 s', reason };
    expect((await send(`POST ${one}/test`)).json['error']).toEqual(plain);
    expect((await send(`GET ${one}/delivery`)).json).toMatchObject([{ error: plain }]);
    expect((await send(`GET ${one}`)).json).toMatchObject({ last_delivery: { error: plain } });
    expect((await send(`GET ${PATH}`)).json).toMatchObject([{ last_delivery: { error: plain } }]);
    expect((await send(`PATCH ${one}`, { name: 'x' })).json).toMatchObject({ last_delivery: { error: plain } });
    const why = { code: reason.id, message: 'the connection failed: ECONNREFUSED', reason };
    expect((await send(`GET ${one}/delivery`, undefined, 'owner')).json).toMatchObject([{ error: why }]);
  });
});
