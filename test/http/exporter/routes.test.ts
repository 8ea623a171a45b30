import { expect, onTestFinished, test } from 'vitest';
import { exporterRoutes } from '#http/exporter/routes.ts';
import { failed } from '#exporters/sender.ts';
import { createNumberedHistory, createTestReceiver, openTestExporters } from '#test/exporters/exporter-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const PATH = '/api/v1/exporter';
const URL_THERE = 'http://192.168.1.20:8086/write?db=home';
const LINE = { type: 'line_protocol', url: URL_THERE };
const MQTT = { type: 'mqtt', url: 'mqtt://192.168.1.2:1883' };
const NOTHING_LOST = { gaps: 0, lost_samples: 0, set_aside: [], set_aside_count: 0 };

async function createHarness() {
  const { registry, rooms } = await openTestHome(['Lamp']);
  const time = createManualTime(Date.UTC(2026, 10, 22));
  const receiver = createTestReceiver();
  const history = createNumberedHistory();
  const { clock, startTimer } = time;
  const exporters = await openTestExporters({ clock, startTimer, history, openSender: receiver.open });
  onTestFinished(exporters.stop);
  const { request } = createTestApp(
    exporterRoutes({
      exporters,
      registry,
      findRoom: rooms.findRoom,
      isBroker: (id) => id === 'mqtt',
      isLanAddress: (address) => /^(192\.168\.|127\.)/.test(address),
      isOwnAddress: (address) => address.startsWith('127.'),
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
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      text,
      json: JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>,
    };
  };
  return { send, registry, time, receiver, history };
}

test('an exporter is added, shown, changed and removed; no answer has its credentials', async () => {
  const { send, registry } = await createHarness();
  const credentials = { user: 'hub', password: 'hunter2 and more' };
  const wanted = { name: 'Influx', url: URL_THERE, enabled: false };
  const series = { devices: ['lamp'], keys: ['temperature'] };
  const added = await send(`POST ${PATH}`, { ...LINE, ...wanted, series, credentials, from: 'beginning' });
  expect([added.status, added.location]).toEqual([201, `${PATH}/${String(added.json['id'])}`]);
  const devices = [registry.devices()[0]?.id];
  const shown = { ...wanted, type: 'line_protocol', broker: null, has_credentials: true, ...NOTHING_LOST };
  expect(added.json).toMatchObject({
    ...shown,
    series: { devices, rooms: null, keys: ['temperature'] },
    status: 'off',
  });
  const one = `${PATH}/${String(added.json['id'])}`;
  expect((await send(`GET ${one}`)).json).toEqual(added.json);
  expect((await send(`GET ${PATH}`)).json).toEqual([added.json]);
  const changed = await send(`PATCH ${one}`, { series: { devices: null }, name: null });
  expect(changed.json).toMatchObject({ name: null, series: { devices: null, keys: ['temperature'] }, url: URL_THERE });
  expect(added.text + changed.text + (await send(`GET ${PATH}`)).text).not.toContain('hunter2');
  // Another receiver must not get them.
  const moved = await send(`PATCH ${one}`, { url: 'http://192.168.1.66/write' });
  expect(moved.json).toMatchObject({ has_credentials: false });
  expect((await send(`DELETE ${one}`)).status).toBe(204);
  expect((await send(`GET ${one}`)).status).toBe(404);
});

test('it can speak through the broker of an integration, and change to a URL', async () => {
  const { send } = await createHarness();
  const added = await send(`POST ${PATH}`, { type: 'mqtt', broker: 'mqtt' });
  expect(added.json).toMatchObject({ type: 'mqtt', broker: 'mqtt', url: null });
  const changed = await send(`PATCH ${PATH}/${String(added.json['id'])}`, { url: 'mqtt://192.168.1.2' });
  expect(changed.json).toMatchObject({ broker: null, url: 'mqtt://192.168.1.2' });
});

test.each<[string, object, string]>([
  ['no URL', { type: 'line_protocol' }, '/url'],
  ['no broker and no URL', { type: 'mqtt' }, '/url'],
  ['both', { ...MQTT, broker: 'mqtt' }, '/broker'],
  ['an integration that is no broker', { type: 'mqtt', broker: 'hue' }, '/broker'],
  ['a broker for the line protocol', { type: 'line_protocol', broker: 'mqtt' }, '/broker'],
  ['a URL of the other type', { ...LINE, url: MQTT.url }, '/url'],
  ['a URL of the other type', { ...MQTT, url: URL_THERE }, '/url'],
  ['a public address', { ...LINE, url: 'http://8.8.8.8/write' }, '/url'],
  ['a public broker', { ...MQTT, url: 'mqtt://8.8.8.8' }, '/url'],
  ['credentials in the URL', { ...LINE, url: 'http://a:b@192.168.1.2/write' }, '/url'],
  ['a password in the query', { ...LINE, url: 'http://192.168.1.2/write?u=a&p=b' }, '/url'],
  ['an unknown device', { ...LINE, series: { devices: ['nobody'] } }, '/series/devices/0'],
  ['an unknown room', { ...LINE, series: { rooms: ['nowhere'] } }, '/series/rooms/0'],
  ['an empty filter', { ...LINE, series: { keys: [] } }, '/series/keys'],
  ['a password without a user', { ...LINE, credentials: { password: 'x' } }, '/credentials'],
  ['a token and a user', { ...LINE, credentials: { token: 'x', user: 'y' } }, '/credentials'],
  ['a token with a line feed', { ...LINE, credentials: { token: 'x\r\nHost: y' } }, '/credentials/token'],
  ['a token for a broker', { ...MQTT, credentials: { token: 'x' } }, '/credentials'],
  [
    'a login for the broker of an integration',
    { type: 'mqtt', broker: 'mqtt', credentials: { user: 'x' } },
    '/credentials',
  ],
  ['a beginning that is none', { ...LINE, from: 'yesterday' }, '/from'],
  ['a beginning that is no day', { ...LINE, from: '2026-02-31T10:00:00Z' }, '/from'],
])('%s is refused', async (_what, body, pointer) => {
  const { send } = await createHarness();
  const { status, json } = await send(`POST ${PATH}`, body);
  expect([status, json]).toEqual([422, expect.objectContaining({ errors: [expect.objectContaining({ pointer })] })]);
  expect((await send(`GET ${PATH}`)).json).toEqual([]);
});

test.each([
  ['line_protocol', 'http://127.0.0.1:8086/write'],
  ['line_protocol', 'http://localhost:8086/write'],
  ['mqtt', 'mqtt://127.0.0.1'],
  ['mqtt', 'mqtt://localhost'],
])('only an owner can have the hub send %s to itself: %s', async (type, url) => {
  const { send } = await createHarness();
  expect((await send(`POST ${PATH}`, { type, url })).status).toBe(422);
  const { status, json } = await send(`POST ${PATH}`, { type, url, enabled: false }, 'owner');
  expect(status).toBe(201);
  const one = `${PATH}/${String(json['id'])}`;
  // An admin may change the rest of it.
  expect((await send(`PATCH ${one}`, { name: 'Here', url })).status).toBe(200);
  expect((await send(`PATCH ${one}`, { url: url.replace(/(127.0.0.1|localhost)/, '127.0.0.2') })).status).toBe(422);
});

test('the status is not ok while the receiver takes nothing, and only an owner sees why', async () => {
  const { send, time, receiver, history } = await createHarness();
  receiver.answer = () => failed('connection_failed', 'connect ECONNREFUSED', 'a banner');
  receiver.answerProbe = () => failed('connection_failed', 'connect ECONNREFUSED', 'a banner');
  const { json } = await send(`POST ${PATH}`, { ...LINE, from: 'beginning' });
  expect(json).toMatchObject({ status: 'waiting', acked_at: null, behind_s: null, rate: 0, error: null });
  history.append({ series: 'd/on', atMs: time.clock.wallMs() - 60_000, value: true });
  await time.advance(10_000);
  const one = `${PATH}/${String(json['id'])}`;
  expect((await send(`GET ${one}`)).json).toMatchObject({
    status: 'failing',
    behind_s: 70,
    failing_since: expect.any(String),
    error: { code: 'connection_failed', message: 'no connection, or no answer in time', detail: null },
  });
  const shown = { code: 'connection_failed', message: 'connect ECONNREFUSED', detail: 'a banner' };
  expect((await send(`GET ${one}`, undefined, 'owner')).json).toMatchObject({ error: shown });
  expect((await send(`POST ${one}/test`, undefined, 'owner')).json).toMatchObject({ error: shown });
  receiver.answerProbe = () => ({ type: 'taken' });
  receiver.answer = () => ({ type: 'taken' });
  expect((await send(`POST ${one}/test`)).json).toMatchObject({ error: null, at: '2026-11-22T00:00:10.000Z' });
  // It need not wait for the next try.
  await time.advance(10);
  expect((await send(`GET ${one}`)).json).toMatchObject({
    status: 'ok',
    behind_s: 0,
    acked_at: '2026-11-21T23:59:00.000Z',
    error: null,
    failing_since: null,
  });
});

test('what was set aside is shown with its reason, and tried again by a replay', async () => {
  const { send, time, receiver, history } = await createHarness();
  const error = { code: 'sample_refused', message: 'the receiver answered 400', detail: 'type conflict' } as const;
  receiver.answer = (some) =>
    some.some(({ value }) => value === 'x') ? { type: 'refused', error } : { type: 'taken' };
  const atMs = time.clock.wallMs() - 1_000;
  history.append({ series: 'd/mode', atMs, value: 'x' }, { series: 'd/on', atMs, value: { gap: 'offline' } });
  const { json } = await send(`POST ${PATH}`, { ...LINE, from: 'beginning' });
  await time.advance(10_000);
  const one = `${PATH}/${String(json['id'])}`;
  const aside = { series: 'd/mode', at: '2026-11-21T23:59:59.000Z', value: 'x', error };
  const owned = await send(`GET ${one}`, undefined, 'owner');
  expect(owned.json).toMatchObject({ status: 'ok', set_aside: [aside], set_aside_count: 1 });
  expect((await send(`GET ${one}`)).json).toMatchObject({
    set_aside: [{ ...aside, error: { ...error, detail: null } }],
  });
  receiver.answer = () => ({ type: 'taken' });
  receiver.taken.length = 0;
  expect((await send(`POST ${one}/replay`, { from: 'whenever' })).status).toBe(422);
  expect((await send(`POST ${one}/replay`, { from: '2026-11-21T23:00:00+00:00' })).status).toBe(200);
  await time.advance(10_000);
  expect(receiver.taken.map(({ series }) => series)).toEqual(['d/mode', 'd/on']);
});
