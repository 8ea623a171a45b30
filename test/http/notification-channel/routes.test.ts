import { expect, test, vi } from 'vitest';
import { notificationChannelRoutes } from '#http/notification-channel/routes.ts';
import { openChannelHome, startNtfy } from '#test/notify/channel-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { OWN_ADDRESS } from '#test/support/hub/webhook-home.ts';

const PATH = '/api/v1/notification_channel';
const SOMEBODY = '0198f1c2-7d6e-7000-8000-000000000001';

async function createHarness() {
  const home = await openChannelHome();
  const { request } = createTestApp(
    notificationChannelRoutes({
      channels: home.channels,
      accounts: { findUser: (id) => (id === SOMEBODY ? ({ id } as never) : undefined) },
      isLanAddress: (address) => address.startsWith('127.'),
      isOwnAddress: (address) => address === OWN_ADDRESS,
      isBroker: (id) => id === 'mqtt',
    }),
  );
  const send = async (call: string, body?: unknown, role = 'admin') => {
    const [method = '', path = '', ifMatch = '*'] = call.split(' ');
    const answer = await request(path, {
      method,
      headers: { Authorization: `Bearer ${role}`, 'Content-Type': 'application/json', 'If-Match': ifMatch },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json, text };
  };
  return { send, home };
}

test('a channel is added, shown, changed, tested and removed; no answer shows its token', async () => {
  const { send, home } = await createHarness();
  const ntfy = await startNtfy('tk_1');
  const wanted = { type: 'ntfy', url: ntfy.url, topic: 'home', min_severity: 'warning', person: SOMEBODY };
  const added = await send(`POST ${PATH}`, { ...wanted, token: 'tk_1' });
  expect([added.status, added.headers.get('location')]).toEqual([201, `${PATH}/${String(added.json['id'])}`]);
  const { secret, ...shown } = added.json;
  expect([secret, shown]).toMatchObject([null, { ...wanted, name: 'ntfy', has_token: true, status: 'ok' }]);
  const one = `${PATH}/${String(shown['id'])}`;
  expect((await send(`GET ${one}`)).json).toEqual(shown);
  expect((await send(`GET ${PATH}`)).json).toMatchObject([{ id: 'page', type: 'page' }, shown]);
  expect((await send(`POST ${one}/test`)).json).toMatchObject({ accepted: true, status: 200, error: null });
  expect(ntfy.received).toHaveLength(1);
  expect((await send(`PATCH ${one}`, { name: 'Phones', enabled: false })).json).toMatchObject({
    name: 'Phones',
    has_token: true,
    status: 'off',
  });
  expect((await send(`PATCH ${one} ${added.headers.get('etag')}`, { name: 'All' })).status).toBe(412);
  expect((await send(`GET ${PATH}`)).text).not.toContain('tk_1');
  expect((await send(`DELETE ${one}`)).status).toBe(204);
  expect((await send(`GET ${one}`)).status).toBe(404);
  expect(home.kept.size).toBe(0);
});

test('a token does not go to another URL than the one for which somebody gave it', async () => {
  const { send } = await createHarness();
  const { json } = await send(`POST ${PATH}`, {
    type: 'ntfy',
    url: 'http://127.0.0.1:9',
    topic: 'home',
    token: 'tk_1',
  });
  const one = `${PATH}/${String(json['id'])}`;
  expect((await send(`PATCH ${one}`, { topic: 'other' })).json).toMatchObject({ has_token: true });
  expect((await send(`PATCH ${one}`, { url: 'http://127.0.0.2:9' })).json).toMatchObject({ has_token: false });
  const both = { url: 'http://127.0.0.3:9', token: 'tk_2' };
  expect((await send(`PATCH ${one}`, both)).json).toMatchObject({ has_token: true });
  expect((await send(`PATCH ${one}`, { token: null })).json).toMatchObject({ has_token: false });
});

test('the secret of a webhook is shown once', async () => {
  const { send } = await createHarness();
  const added = await send(`POST ${PATH}`, { type: 'webhook', url: 'http://127.0.0.1:9/hook' });
  expect(added.json['secret']).toMatch(/^whsec_[\w-]{43}$/);
  expect((await send(`GET ${PATH}`)).text).not.toContain('whsec_');
});

test.each([
  ['no type', {}],
  ['an unknown type', { type: 'smtp' }],
  ['the page', { type: 'page' }],
  ['ntfy without a URL', { type: 'ntfy', topic: 'home' }],
  ['ntfy without a topic', { type: 'ntfy', url: 'http://127.0.0.1' }],
  ['a topic with a slash', { type: 'ntfy', url: 'http://127.0.0.1', topic: 'a/b' }],
  ['a token with a line break', { type: 'ntfy', url: 'http://127.0.0.1', topic: 'a', token: 'a\r\nb' }],
  ['a webhook with a topic', { type: 'webhook', url: 'http://127.0.0.1', topic: 'a' }],
  ['a webhook outside of the LAN', { type: 'webhook', url: 'http://8.8.8.8/' }],
  ['a webhook with credentials', { type: 'webhook', url: 'http://a:b@127.0.0.1/' }],
  ['a file', { type: 'webhook', url: 'file:///etc/passwd' }],
  ['MQTT without a broker', { type: 'mqtt' }],
  ['MQTT with an unknown broker', { type: 'mqtt', broker: 'hue' }],
  ['an unknown person', { type: 'mqtt', broker: 'mqtt', person: '0198f1c2-7d6e-7000-8000-00000000000f' }],
])('422 for %s', async (_what, body) => {
  const { send, home } = await createHarness();
  expect((await send(`POST ${PATH}`, body)).status).toBe(422);
  expect(home.kept.size).toBe(0);
});

test('only an owner may aim a channel at the hub itself, and an admin may not keep it there with another path', async () => {
  const { send } = await createHarness();
  const ofHub = { type: 'webhook', url: `http://${OWN_ADDRESS}:9/` };
  expect((await send(`POST ${PATH}`, ofHub)).status).toBe(422);
  expect((await send(`POST ${PATH}`, { ...ofHub, url: 'http://localhost:9/' })).status).toBe(422);
  const { json, status } = await send(`POST ${PATH}`, ofHub, 'owner');
  expect(status).toBe(201);
  const one = `${PATH}/${String(json['id'])}`;
  expect((await send(`PATCH ${one}`, { name: 'Node-RED' })).status).toBe(200);
  expect((await send(`PATCH ${one}`, { url: `${ofHub.url}other` })).status).toBe(422);
});

test('only an owner sees why a connection failed', async () => {
  const { send } = await createHarness();
  const { json } = await send(`POST ${PATH}`, { type: 'webhook', url: 'http://127.0.0.1:9/' });
  const one = `${PATH}/${String(json['id'])}`;
  const tested = await send(`POST ${one}/test`);
  expect(tested.json).toMatchObject({
    accepted: false,
    error: { code: 'connection_failed', message: 'no connection, or no answer within 10 s' },
  });
  await vi.waitFor(async () => {
    const shown = (await send(`GET ${one}`, undefined, 'owner')).json['last_attempt'] as { error: { message: string } };
    expect(shown.error.message).not.toContain('within 10 s');
  });
});

test('the page has nothing to set', async () => {
  const { send } = await createHarness();
  expect((await send(`GET ${PATH}/page`)).json).toMatchObject({ type: 'page' });
  for (const call of [`PATCH ${PATH}/page`, `DELETE ${PATH}/page`, `POST ${PATH}/page/test`]) {
    expect((await send(call, call.startsWith('PATCH') ? { enabled: false } : undefined)).status).toBe(409);
  }
});
